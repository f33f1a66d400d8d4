// Replaces the only segment of a script by the statements of a nested write, in as many parts as they need.
import { ok } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { TransactionScript } from './transaction-script.ts';
import { type NestedPart, type PreparedNested, startNested } from './nested-run.ts';

/** The script continues with the result of the last statement, as if that had been its only one. */
export function nestScript(script: TransactionScript, nested: PreparedNested): TransactionScript {
  return runPart(script, startNested(nested, script.segments[0]));
}

function runPart(script: TransactionScript, { segments, proceed }: NestedPart): TransactionScript {
  return {
    ...script,
    segments,
    continue: async (results) => {
      const next = proceed(results);
      if (!next.ok) return next;
      if (next.value !== undefined) return ok(runPart(script, next.value));
      return (await script.continue?.(lastOf(results))) ?? ok(undefined);
    },
  };
}

function lastOf(results: ScriptResults): ScriptResults {
  return [results.at(-1) ?? results[0]];
}
