// Renders the scripts that query what a role may use. They contain nothing of a request, so that their result is valid
// for every request of the role.
import type { QualifiedName } from '../contract/identifiers.ts';
import type { Statement } from '../contract/transaction.ts';
import { RELATION_DENIAL_SQL, ROUTINE_DENIAL_SQL, VISIBLE_NAMES_SQL } from '../catalog/introspect/privileges.sql.ts';
import { renderArrayLiteral } from './text/array-literal.ts';
import { renderSettings } from './text/settings.ts';
import type { TransactionScript } from './transaction-script.ts';

/** @param schemas the exposed schemas */
export function renderVisibleNames(role: string, schemas: readonly string[]): TransactionScript {
  return renderCatalogQuery(role, { text: VISIBLE_NAMES_SQL, parameters: [renderArrayLiteral(schemas)] });
}

/**
 * Queries what a role lacks to use a relation or function at all: one line, `schema`, `object` or `nothing`.
 *
 * @param privilege `execute` for a function
 */
export function renderDenial(
  role: string,
  { schema, name }: QualifiedName,
  privilege: 'insert' | 'update' | 'execute',
): TransactionScript {
  return privilege === 'execute'
    ? renderCatalogQuery(role, { text: ROUTINE_DENIAL_SQL, parameters: [schema, name] })
    : renderCatalogQuery(role, { text: RELATION_DENIAL_SQL, parameters: [schema, name, privilege] });
}

function renderCatalogQuery(role: string, { text, parameters }: Statement): TransactionScript {
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
          text,
          parameters,
          delivery: { kind: 'lines' },
        },
        plannedCount: undefined,
        verify: undefined,
      },
    ],
  };
}
