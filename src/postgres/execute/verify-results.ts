// Checks the results of a script before its transaction ends. Pure.
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { ScriptReply } from '../session/script-reply.ts';

/** Returns the first error that prevents the commit, or undefined. */
export function verifyResults({ segments }: TransactionScript, results: ScriptResults): ApiError | undefined {
  for (const [index, { verify }] of segments.entries()) {
    const result = results[index];
    const error = result?.kind === 'outcome' ? verify?.(result.outcome) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

/**
 * Returns whether rows are missing that a repetition may find. At higher levels of isolation, PostgreSQL fails instead,
 * because a later statement would not find them either.
 */
export function lacksRows({ segments, isolation = 'read committed' }: TransactionScript, reply: ScriptReply): boolean {
  if (!reply.ok || isolation !== 'read committed') return false;
  return segments.some(({ isIncomplete }, index) => {
    const result = reply.value[index];
    return result?.kind === 'outcome' && isIncomplete?.(result.outcome) === true;
  });
}
