// A check of the database: a query of the catalogs and a function that turns its rows into findings.
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import type { Finding } from './finding.ts';

export type CheckedConfig = Pick<
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

export function renderCheck({ query }: Check, config: CheckedConfig): Statement {
  const { dbSchemas, dbAnonRole = null, dbChannel, livePublication = null } = config;
  // Each parameter occurs once in `SHARED_CTES`, so that PostgreSQL knows the types of all four.
  const parameters = [renderArrayLiteral(dbSchemas), dbAnonRole, dbChannel, livePublication];
  return { text: `${SHARED_CTES}${query}`, parameters };
}
