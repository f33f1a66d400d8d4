// A lint of a schema: a query of the catalogs, and what its rows mean (`project.md` §6 item 2). Each lint has a file of
// its own; `docs/check.md` explains it to people.
import type { Finding, Level, LintName, Place } from './finding.ts';

/** What a lint says about one object. */
export interface Remark {
  /** `api.orders`, `api.f(integer)`; each part quoted if necessary. */
  readonly object: string;
  /** The web role concerned; null: any. */
  readonly role: string | null;
  /** Where the files state it; defaults to the statement that creates the object. */
  readonly place?: Place | undefined;
  /** One sentence. */
  readonly message: string;
  /** A further sentence for those who have the SQL files. */
  readonly advice?: string;
  readonly fix: string | null;
}

export interface Lint {
  readonly name: LintName;
  readonly level: Level;
  /** Follows the table expressions of `SUBJECT`; further ones begin with a comma. */
  readonly query: string;
  readonly read: (row: Row) => readonly Remark[];
}

/** Columns by name. Every column is cast to a text or is a Boolean. */
export type Row = Readonly<Record<string, string | boolean | null>>;

/**
 * Table expressions that every lint can use: the exposed schemas and the web roles. $1 has the names of the schemas, $2
 * those of the roles. Superusers are omitted, because neither privileges nor policies restrict them.
 */
const SUBJECT = `WITH RECURSIVE stated AS (
  SELECT $1::text[] AS schemas, $2::text[] AS roles
), exposed AS (
  SELECT namespace.oid, namespace.nspname AS name
  FROM pg_catalog.pg_namespace AS namespace JOIN stated ON namespace.nspname = ANY (stated.schemas)
), role AS (
  SELECT role.oid, role.rolname AS name
  FROM pg_catalog.pg_roles AS role JOIN stated ON role.rolname = ANY (stated.roles)
  WHERE NOT role.rolsuper
), extension_object AS (
  SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e'
), relation AS (
  SELECT class.oid, class.relkind AS kind, class.relowner AS owner, class.relrowsecurity, class.relforcerowsecurity,
    class.reloptions, pg_catalog.format('%I.%I', exposed.name, class.relname) AS object, exposed.oid AS schema
  FROM exposed JOIN pg_catalog.pg_class AS class ON class.relnamespace = exposed.oid
  WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND ('pg_catalog.pg_class'::pg_catalog.regclass, class.oid) NOT IN (SELECT classid, objid FROM extension_object)
), may AS (
  SELECT relation.oid, role.oid AS role_oid, role.name AS role,
    pg_catalog.has_any_column_privilege(role.oid, relation.oid, 'SELECT') AS read,
    pg_catalog.has_any_column_privilege(role.oid, relation.oid, 'INSERT') AS insert,
    pg_catalog.has_any_column_privilege(role.oid, relation.oid, 'UPDATE') AS update,
    pg_catalog.has_table_privilege(role.oid, relation.oid, 'DELETE') AS delete
  FROM relation CROSS JOIN role
  WHERE pg_catalog.has_schema_privilege(role.oid, relation.schema, 'USAGE')
), policy AS (
  SELECT policy.oid, relation.oid AS relation, relation.object, policy.polname::text AS name,
    policy.polcmd AS command, policy.polpermissive AS is_permissive,
    pg_catalog.pg_get_expr(policy.polqual, policy.polrelid) AS qual,
    pg_catalog.pg_get_expr(policy.polwithcheck, policy.polrelid) AS checked,
    policy.polroles AS roles
  FROM pg_catalog.pg_policy AS policy JOIN relation ON relation.oid = policy.polrelid
)`;

/** Whether a policy applies to a role of `may`: it names the role, one that it is a member of, or everybody. */
export const APPLIES = `(policy.roles = '{0}' OR EXISTS (
  SELECT FROM pg_catalog.unnest(policy.roles) AS named(oid) WHERE pg_catalog.pg_has_role(may.role_oid, named.oid, 'USAGE')))`;

export function renderLint({ query }: Lint): string {
  return `${SUBJECT}${query}`;
}

/** @returns the findings of one lint, in the order of its rows */
export function readLint(lint: Lint, rows: readonly Row[]): readonly Finding[] {
  return rows.flatMap(lint.read).map(({ object, role, message, advice, fix, place = { kind: 'object', object } }) => {
    const text = advice === undefined ? message : `${message} ${advice}`;
    return { lint: lint.name, level: lint.level, object, role, place, isProved: false, message: text, fix };
  });
}

/** @returns the text of a column; empty if it is null */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : '';
}
