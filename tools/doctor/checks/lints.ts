// What `rowhouse check` reports too: its lints, so that both check a database alike. Only the roles differ: a token may also
// name the login role, which `check` does not know.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import { DEFINER_SEARCH_PATH } from '../../check/lints/definer-search-path.ts';
import { FOREIGN_KEY_WITHOUT_INDEX } from '../../check/lints/foreign-key-without-index.ts';
import type { Level } from '../../check/lints/finding.ts';
import { type Lint, type Remark, renderLint, type Row } from '../../check/lints/lint.ts';
import { FUNCTION_MISSES_SHARDS } from '../../check/lints/function-misses-shards.ts';
import { LARGE_LOCAL_TABLE } from '../../check/lints/large-local-table.ts';
import { NOTHING_TO_SERVE } from '../../check/lints/nothing-to-serve.ts';
import { POLICY_OVER_ALL_SHARDS } from '../../check/lints/policy-over-all-shards.ts';
import { RLS_OFF } from '../../check/lints/rls-off.ts';
import { ROLE_CANNOT_LOG_IN } from '../../check/lints/role-cannot-log-in.ts';
import { VIEW_BYPASSES_POLICIES } from '../../check/lints/view-bypasses-policies.ts';
import type { Check, Finding, Severity } from './check.ts';

/** Those that need no files and no probes to be worth a look. */
export const SHARED_LINTS: readonly Lint[] = [
  NOTHING_TO_SERVE,
  RLS_OFF,
  VIEW_BYPASSES_POLICIES,
  DEFINER_SEARCH_PATH,
  FOREIGN_KEY_WITHOUT_INDEX,
  ROLE_CANNOT_LOG_IN,
  FUNCTION_MISSES_SHARDS,
  POLICY_OVER_ALL_SHARDS,
  LARGE_LOCAL_TABLE,
];

/** The names of the roles that requests can run as. */
export const REQUEST_ROLES: Pick<Check, 'query'> = { query: '\nSELECT name FROM role ORDER BY NOT is_anonymous, name' };

/** Returns one row for each of the lint, as JSON. */
export function renderSharedLint(lint: Lint, schemas: readonly string[], roles: readonly string[]): Statement {
  return {
    text: `SELECT pg_catalog.to_json(found)::text FROM (${renderLint(lint)}) AS found`,
    parameters: [renderArrayLiteral(schemas), renderArrayLiteral(roles)],
  };
}

const SEVERITIES: Readonly<Record<Level, Severity>> = { error: 'error', warning: 'warning', note: 'info' };

/** Findings that differ only in their role become one. */
export function readSharedLint({ name, level, read }: Lint, rows: readonly TextRow[]): readonly Finding[] {
  const groups = new Map<string, { readonly remark: Remark; readonly roles: string[] }>();
  for (const [json] of rows) {
    const row: Row = JSON.parse(json ?? '{}');
    for (const remark of read(row)) {
      const key = JSON.stringify([remark.object, remark.message]);
      const roles = groups.get(key)?.roles ?? [];
      if (remark.role !== null) roles.push(remark.role);
      groups.set(key, { remark, roles });
    }
  }
  return [...groups.values()].map(({ remark: { object, message, fix }, roles }) => ({
    severity: SEVERITIES[level],
    code: name,
    object,
    why: roles.length === 0 ? message : `${message} ${roles.length === 1 ? 'Role' : 'Roles'}: ${roles.join(', ')}.`,
    mend: fix ?? '',
  }));
}
