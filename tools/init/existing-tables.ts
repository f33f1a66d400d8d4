// Lists the tables and views that a database has already, in all schemas, and which of them nobody could access.
import type { ApiError } from '../../src/errors/api-error.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { query, type TextRow } from '../../src/postgres/session/query.ts';

export interface ExistingTable {
  readonly schema: string;
  readonly name: string;
  /** Views and foreign tables cannot have policies. */
  readonly canHavePolicies: boolean;
  /** Whether requests without a token can read or write it, once they may use the schema. */
  readonly isAccessible: boolean;
  /** Sequences that inserts read. */
  readonly sequences: readonly QualifiedName[];
}

/** A role that does not exist yet has the privileges of PUBLIC. Columns of type `serial` own their sequences. */
const TABLES_QUERY = `
SELECT namespace.nspname, class.relname, class.relkind IN ('r', 'p'),
  pg_catalog.has_any_column_privilege(role.name, class.oid, 'SELECT, INSERT, UPDATE')
    OR pg_catalog.has_table_privilege(role.name, class.oid, 'DELETE'),
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(home.nspname, sequence.relname) ORDER BY sequence.oid)
   FROM pg_catalog.pg_depend AS depend
   JOIN pg_catalog.pg_class AS sequence ON sequence.oid = depend.objid AND sequence.relkind = 'S'
   JOIN pg_catalog.pg_namespace AS home ON home.oid = sequence.relnamespace
   WHERE depend.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.deptype = 'a'
     AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid = class.oid)
FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
CROSS JOIN (
  SELECT coalesce((SELECT rolname FROM pg_catalog.pg_roles WHERE rolname = $1::text), 'public') AS name
) AS role
WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT class.relispartition
  AND namespace.nspname !~ '^pg_' AND namespace.nspname <> 'information_schema'
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend
    WHERE classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND objid = class.oid AND deptype = 'e'
  )
ORDER BY namespace.nspname, class.relname`;

/** @param anonRole the role of requests without a token, which need not exist */
export async function listExistingTables(
  connectionString: string,
  anonRole: string,
): Promise<Result<readonly ExistingTable[], ApiError>> {
  const rows = await readOnce(connectionString, TABLES_QUERY, [anonRole]);
  return rows.ok ? ok(rows.value.map(readTable)) : rows;
}

/** @returns the names of all roles of the cluster */
export async function listRoleNames(connectionString: string): Promise<Result<ReadonlySet<string>, ApiError>> {
  const rows = await readOnce(connectionString, 'SELECT rolname FROM pg_catalog.pg_roles', []);
  return rows.ok ? ok(new Set(rows.value.map(([name]) => name ?? ''))) : rows;
}

/** Roles that an earlier `init` has set up in this database. */
export interface ExistingSetup {
  /** The login role of the server. */
  readonly loginRole: string;
  /** The roles that it may take, the oldest first. */
  readonly roles: readonly string[];
}

/** The roles of the demo, which has access to every database that `rowhouse sql` makes, are no setup of the user. */
const SETUP_QUERY = `
SELECT login.rolname, pg_catalog.json_agg(role.rolname ORDER BY role.oid)
FROM pg_catalog.pg_auth_members AS membership
JOIN pg_catalog.pg_roles AS login ON login.oid = membership.member AND login.rolcanlogin AND NOT login.rolinherit
JOIN pg_catalog.pg_roles AS role ON role.oid = membership.roleid AND NOT role.rolcanlogin
  AND role.rolname NOT IN ('demo_anon', 'demo_user')
WHERE EXISTS (
  SELECT FROM pg_catalog.pg_namespace AS namespace, pg_catalog.aclexplode(namespace.nspacl) AS entry
  WHERE entry.grantee = role.oid AND entry.privilege_type = 'USAGE'
)
GROUP BY login.oid, login.rolname
ORDER BY login.oid`;

/** Finds the roles that have the privileges which `init` grants; undefined if there are none. */
export async function findExistingSetup(connectionString: string): Promise<ExistingSetup | undefined> {
  const rows = await readOnce(connectionString, SETUP_QUERY, []);
  const [first] = rows.ok ? rows.value : [];
  if (first === undefined) return undefined;
  const [loginRole, names] = first;
  const roles: unknown = JSON.parse(names ?? '[]');
  return { loginRole: loginRole ?? '', roles: Array.isArray(roles) ? roles.map(String) : [] };
}

async function readOnce(
  connectionString: string,
  sql: string,
  parameters: readonly string[],
): Promise<Result<readonly TextRow[], ApiError>> {
  const session = await connect({ connectionString, environment: process.env, product: PRODUCT, isPreparing: false });
  if (!session.ok) return session;
  const rows = await query(session.value, sql, parameters);
  await session.value.close();
  return rows;
}

function readTable([schema, name, canHavePolicies, isAccessible, sequences]: TextRow): ExistingTable {
  return {
    schema: schema ?? '',
    name: name ?? '',
    canHavePolicies: canHavePolicies === 't',
    isAccessible: isAccessible === 't',
    sequences: readSequences(sequences ?? '[]'),
  };
}

/** @param json a list of pairs */
function readSequences(json: string): readonly QualifiedName[] {
  const pairs: unknown = JSON.parse(json);
  return (Array.isArray(pairs) ? pairs : []).map((pair: unknown) => {
    const [schema = '', name = ''] = Array.isArray(pair) ? pair.map(String) : [];
    return { schema, name };
  });
}

/** Proposes a schema for the API: the usual one, unless it has no tables and others have; then the one with the most. */
export function proposeSchema(tables: readonly ExistingTable[], usual: string): string {
  const counts = new Map<string, number>();
  for (const { schema } of tables) counts.set(schema, (counts.get(schema) ?? 0) + 1);
  if (counts.has(usual)) return usual;
  const [largest] = [...counts].toSorted(([, one], [, other]) => other - one);
  return largest?.[0] ?? usual;
}
