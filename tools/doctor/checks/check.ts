// A check of the database: a query of the catalogs and a function that turns its rows into findings.
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';

type CheckedConfig = Pick<
  AppConfig,
  'dbSchemas' | 'dbAnonRole' | 'dbChannel' | 'dbChannelEnabled' | 'livePublication' | 'liveDbUri'
>;

export interface Check {
  /** Follows the table expressions of `SHARED_CTES`; further table expressions begin with a comma. */
  readonly query: string;
  readonly read: (rows: readonly TextRow[], config: CheckedConfig) => readonly Finding[];
}

/**
 * Table expressions shared by all checks: the configuration, the roles that requests can run as, and the exposed
 * schemas. Excludes superusers, whom no privilege or policy restricts; a separate check reports them once.
 */
const SHARED_CTES = `WITH RECURSIVE stated AS (
  SELECT $1::text[] AS schemas, $2::text AS anonymous, $3::text AS channel, $4::text AS publication
), login AS (
  SELECT oid, rolname AS name, rolinherit, rolsuper, rolbypassrls
  FROM pg_catalog.pg_roles WHERE rolname = session_user
), granted(oid) AS (
  SELECT membership.roleid FROM pg_catalog.pg_auth_members AS membership JOIN login ON login.oid = membership.member
  UNION
  SELECT membership.roleid
  FROM granted JOIN pg_catalog.pg_auth_members AS membership ON membership.member = granted.oid
), known AS (
  SELECT role.oid, role.rolname AS name, role.rolsuper,
    role.rolname IS NOT DISTINCT FROM stated.anonymous AS is_anonymous
  FROM pg_catalog.pg_roles AS role CROSS JOIN stated
  WHERE (role.oid IN (SELECT oid FROM granted) OR role.rolname IN (stated.anonymous, session_user))
    AND role.rolname !~ '^pg_'
), role AS (
  SELECT oid, name, is_anonymous FROM known WHERE NOT rolsuper
), exposed AS (
  SELECT namespace.oid, namespace.nspname AS name
  FROM pg_catalog.pg_namespace AS namespace JOIN stated ON namespace.nspname = ANY (stated.schemas)
), extension_object AS (
  SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e'
)`;

export function renderCheck({ query }: Pick<Check, 'query'>, config: CheckedConfig): Statement {
  const { dbSchemas, dbAnonRole = null, dbChannel, livePublication = null } = config;
  // Each parameter occurs once in `SHARED_CTES`, so that PostgreSQL knows the types of all four.
  const parameters = [renderArrayLiteral(dbSchemas), dbAnonRole, dbChannel, livePublication];
  return { text: `${SHARED_CTES}${query}`, parameters };
}

// A problem of a database or configuration, as data.

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  readonly severity: Severity;
  /** Identifies the kind of finding: `definer-search-path`. */
  readonly code: string;
  /** The object concerned: a table, a role, a file. */
  readonly object: string;
  /** One sentence. */
  readonly why: string;
  /** The fix: SQL, or a shell command for a file. */
  readonly mend: string;
  /** Why a person must decide: the fix takes rights from an operator, or gives more than the finding needs. */
  readonly caution?: string;
}

const RANKS: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 };

/** Sorts by severity, most severe first; otherwise keeps the order. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => RANKS[b.severity] - RANKS[a.severity]);
}

/** Returns 2 if there is an error, 1 if there is a warning, otherwise 0. */
export function rankFindings(findings: readonly Finding[]): number {
  return Math.max(0, ...findings.map(({ severity }) => RANKS[severity]));
}
