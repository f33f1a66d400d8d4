// Which function or sequence a role may not use, and what uses it.
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { type Probe, readRows } from './probe.ts';
import type { Report } from './report.ts';

/** PostgreSQL names the object without its schema. */
const DENIED = /^permission denied for (?<kind>function|sequence) (?<name>.+)$/u;

const FUNCTIONS_SQL = `
SELECT pg_catalog.format('EXECUTE on the function %I.%I', space.nspname, proc.proname), proc.oid::text, 'pg_proc'
FROM pg_catalog.pg_proc AS proc JOIN pg_catalog.pg_namespace AS space ON space.oid = proc.pronamespace
WHERE proc.proname = $1 AND NOT pg_catalog.has_function_privilege($2, proc.oid, 'EXECUTE')
ORDER BY 1 LIMIT 10`;

const SEQUENCES_SQL = `
SELECT pg_catalog.format('USAGE on the sequence %I.%I', space.nspname, class.relname), class.oid::text, 'pg_class'
FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
WHERE class.relname = $1 AND class.relkind = 'S' AND NOT pg_catalog.has_sequence_privilege($2, class.oid, 'USAGE')
ORDER BY 1 LIMIT 10`;

const USERS_SQL = `
SELECT DISTINCT CASE WHEN policy.oid IS NOT NULL THEN pg_catalog.concat('the policy ', policy.polname)
    ELSE pg_catalog.concat('the default of ', attribute.attname) END || ' on ' || class.relname
FROM pg_catalog.pg_depend AS depend
LEFT JOIN pg_catalog.pg_policy AS policy
  ON depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND policy.oid = depend.objid
LEFT JOIN pg_catalog.pg_attrdef AS given
  ON depend.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND given.oid = depend.objid
JOIN pg_catalog.pg_class AS class ON class.oid IN (policy.polrelid, given.adrelid)
LEFT JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = given.adrelid AND attribute.attnum = given.adnum
WHERE depend.refclassid = $1::pg_catalog.regclass AND depend.refobjid = $2::pg_catalog.oid AND class.relname = ANY ($3)
ORDER BY 1 LIMIT 10`;

/** @param tables names of those of the request @returns none if the report names no such object */
export async function explainObject(
  { report, role }: { readonly report: Report; readonly role: string },
  tables: readonly string[],
  probe: Probe,
): Promise<readonly string[]> {
  const { kind, name = '' } = DENIED.exec(report.message)?.groups ?? {};
  if (kind === undefined) return [];
  const text = kind === 'function' ? FUNCTIONS_SQL : SEQUENCES_SQL;
  const found = readRows(await probe.read({ text, parameters: [name, role] }));
  const lines: string[] = [];
  for (const [right, oid = null, catalog = null] of found.ok ? found.value : []) {
    const parameters = [`pg_catalog.${catalog ?? ''}`, oid, renderArrayLiteral(tables)];
    const users = readRows(await probe.read({ text: USERS_SQL, parameters }));
    const names = users.ok ? users.value.map(([user]) => user ?? '') : [];
    const use = names.length === 0 ? '' : `, which ${names.join(', ')} ${names.length === 1 ? 'uses' : 'use'}`;
    lines.push(`${role} lacks ${right ?? ''}${use}.`);
  }
  return lines;
}
