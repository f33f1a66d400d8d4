// Replaces the only segment of a script by the statements of a nested write, in as many parts as they need.
import { ok } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { TransactionScript } from './transaction-script.ts';
import { type NestedPart, type PreparedNested, startNested } from './nested-run.ts';

type NoteFailure = (error: ApiError) => void;

/**
 * The script continues with the result of the last statement, as if that had been its only one.
 *
 * @param noteFailure called if a row cannot be written for another reason than an error of the database
 */
export function nestScript(
  script: TransactionScript,
  nested: PreparedNested,
  noteFailure: NoteFailure = () => undefined,
): TransactionScript {
  const runPart = ({ segments, proceed }: NestedPart): TransactionScript => ({
    ...script,
    segments,
    continue: async (results) => {
      const next = await proceed(results);
      if (!next.ok) noteFailure(next.error);
      if (!next.ok) return next;
      if (next.value !== undefined) return ok(runPart(next.value));
      return (await script.continue?.(lastOf(results))) ?? ok(undefined);
    },
  });
  return runPart(startNested(nested, script.segments[0]));
}

function lastOf(results: ScriptResults): ScriptResults {
  return [results.at(-1) ?? results[0]];
}
