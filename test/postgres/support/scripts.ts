// Minimal transaction scripts for tests, in the form that the SQL stage produces.
import type { MainStatement, ParameterValue } from '../../../src/contract/transaction.ts';
import type { Segment, TransactionScript } from '../../../src/sql/transaction-script.ts';

export const SEARCH_PATH = '"public"';

export function mainStatement(body: string, parameters: readonly ParameterValue[] = []): MainStatement {
  return {
    text: `select 1, null::bigint, null::text, null::text, ${body}`,
    parameters,
    delivery: { kind: 'value', encoding: 'text' },
  };
}

/** Changes to the script or its only segment. */
export type ScriptChanges = Partial<Omit<TransactionScript, 'segments'> & Segment>;

export function readScript(main: MainStatement, changes: ScriptChanges = {}): TransactionScript {
  return writeScript(main, { access: 'read only', ...changes });
}

export function writeScript(main: MainStatement, changes: ScriptChanges = {}): TransactionScript {
  const { settings, preRequest, plannedCount, verify, main: other = main, ...script } = changes;
  const readOnly = script.access === 'read only' ? `, set_config('transaction_read_only', 'on', true)` : '';
  const ownSettings = {
    text: `select set_config('search_path', $1, true), set_config('request.method', $2, true)${readOnly}`,
    parameters: [SEARCH_PATH, 'GET'],
  };
  return {
    access: 'read write',
    isolation: undefined,
    role: 'none',
    end: 'commit',
    leftovers: 'none',
    mayRunConcurrently: true,
    mayStream: true,
    ...script,
    segments: [{ settings: settings ?? ownSettings, preRequest, main: other, plannedCount, verify }],
  };
}
