// What a script gave that is one row and nothing else.
import { ok, type Result } from '../../../src/contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../../src/contract/transaction.ts';

export function oneRow(body: DbOutcome['body']): Extract<Result<ScriptResult, never>, { ok: true }> {
  return ok({
    kind: 'outcome',
    outcome: {
      body,
      pageRows: 1,
      total: undefined,
      plannedTotal: undefined,
      settingHeaders: undefined,
      settingStatus: undefined,
      inserted: undefined,
      location: undefined,
    },
  });
}
