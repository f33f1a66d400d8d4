// Replaces the only segment of a script by the statements of a nested write, in as many parts as they need.
import { ok } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { TransactionScript } from '../../../sql/transaction-script.ts';
import { type NestedPart, type PreparedNested, startNested } from './nested-run.ts';

/** See `DivideScript`. */
export function nestScript(
  script: TransactionScript,
  nested: PreparedNested,
  noteFailure: ((error: ApiError) => void) | undefined,
): TransactionScript {
  const runPart = ({ segments, proceed }: NestedPart): TransactionScript => ({
    ...script,
    segments,
    continue: async (results) => {
      const next = await proceed(results);
      if (!next.ok) noteFailure?.(next.error);
      if (!next.ok) return next;
      if (next.value !== undefined) return ok(runPart(next.value));
      return (await script.continue?.([results.at(-1) ?? results[0]])) ?? ok(undefined);
    },
  });
  return runPart(startNested(nested, script.segments[0]));
}
