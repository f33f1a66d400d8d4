// Transaction scripts for tests: the smallest ones of the shape the SQL stage gives.
import type { MainStatement, ParameterValue } from '../../../src/contract/transaction.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';

export const SEARCH_PATH = '"public"';

export function mainStatement(body: string, parameters: readonly ParameterValue[] = []): MainStatement {
  return {
    text: `select 1, null::bigint, null::text, null::text, ${body}`,
    parameters,
    delivery: { kind: 'value', encoding: 'text' },
  };
}

export function readScript(main: MainStatement, changes: Partial<TransactionScript> = {}): TransactionScript {
  return writeScript(main, { access: 'read only', ...changes });
}

export function writeScript(main: MainStatement, changes: Partial<TransactionScript> = {}): TransactionScript {
  const access = changes.access ?? 'read write';
  const readOnly = access === 'read only' ? `, set_config('transaction_read_only', 'on', true)` : '';
  return {
    access,
    isolation: undefined,
    role: 'none',
    settings: {
      text: `select set_config('search_path', $1, true), set_config('request.method', $2, true)${readOnly}`,
      parameters: [SEARCH_PATH, 'GET'],
    },
    preRequest: undefined,
    main,
    plannedCount: undefined,
    mayStream: true,
    end: 'commit',
    leftovers: 'none',
    isRepeatable: true,
    verify: undefined,
    ...changes,
  };
}
