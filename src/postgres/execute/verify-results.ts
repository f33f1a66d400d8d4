// Returns the first error that prevents the commit, or undefined. Pure.
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

export function verifyResults({ segments }: TransactionScript, results: ScriptResults): ApiError | undefined {
  for (const [index, { verify }] of segments.entries()) {
    const result = results[index];
    const error = result?.kind === 'outcome' ? verify?.(result.outcome) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}
