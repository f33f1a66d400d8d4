// Renders the script that queries which objects a role may use. It contains nothing of a request, so that its result is
// valid for every request of the role.
import { VISIBLE_NAMES_SQL } from '../catalog/introspect/privileges.sql.ts';
import { renderArrayLiteral } from './text/array-literal.ts';
import { renderSettings } from './text/settings.ts';
import type { TransactionScript } from './transaction-script.ts';

/** @param schemas the exposed schemas */
export function renderVisibleNames(role: string, schemas: readonly string[]): TransactionScript {
  return {
    access: 'read only',
    isolation: undefined,
    role,
    mayStream: false,
    end: 'commit',
    leftovers: 'none',
    mayRunConcurrently: true,
    segments: [
      {
        settings: renderSettings(
          { schema: 'pg_catalog', timezone: undefined, ownSettings: [], access: 'read only' },
          {
            extraSearchPath: [],
            roleSettings: [],
            role,
            claims: '',
            method: '',
            path: '',
            headers: '',
            cookies: '',
            appSettings: [],
          },
        ),
        preRequest: undefined,
        main: {
          text: VISIBLE_NAMES_SQL,
          parameters: [renderArrayLiteral(schemas)],
          delivery: { kind: 'lines' },
        },
        plannedCount: undefined,
        verify: undefined,
      },
    ],
  };
}
