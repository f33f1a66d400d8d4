// Returns the outcome of a script that has exactly one.
import { ok, type Result } from '../../../src/contract/result.ts';
import type { DbOutcome, ScriptResults } from '../../../src/contract/transaction.ts';
import { bareOutcome } from '../../../src/postgres/results/read-outcome.ts';

export function oneRow(body: DbOutcome['body']): Extract<Result<ScriptResults, never>, { ok: true }> {
  return ok([{ kind: 'outcome', outcome: bareOutcome(body, 1) }]);
}
