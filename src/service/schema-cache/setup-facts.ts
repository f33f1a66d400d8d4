// Queries the facts that decide whether requests can be served and that only the database knows. Uses one cheap
// statement per load of the schema cache, on the same connection.
import type { AppConfig } from '../../config/table/app-config.ts';
import { renderArrayLiteral } from '../../sql/text/array-literal.ts';
import { query } from '../../postgres/session/query.ts';
import type { Session } from '../../postgres/session/session.ts';

export interface SetupFacts {
  readonly loginRole: string;
  /** State of the anonymous role; `unset` if none is configured. */
  readonly anonymousRole: 'unset' | 'missing' | 'notGranted' | 'usable';
  /** Whether the pre-request function exists; also true if none is configured. */
  readonly hasPreRequest: boolean;
  /** What extensions miss in the database, in sentences. */
  readonly gaps: readonly string[];
}

export type FindGaps = (session: Session) => Promise<SetupFacts['gaps']>;

/** Searches an unqualified function in every schema of a request's search path. */
const SETUP_QUERY = `SELECT session_user, (
  SELECT pg_catalog.pg_has_role(session_user, oid,
    CASE WHEN pg_catalog.current_setting('server_version_num')::int4 < 160000 THEN 'MEMBER' ELSE 'SET' END)
  FROM pg_catalog.pg_roles WHERE rolname = $1::text
), EXISTS (
  SELECT FROM pg_catalog.pg_proc AS routine
  JOIN pg_catalog.pg_namespace AS home ON home.oid = routine.pronamespace
  WHERE routine.proname = $2::text AND home.nspname = ANY ($3::text[]) AND routine.prokind = 'f'
    AND routine.pronargs - routine.pronargdefaults - (routine.provariadic <> 0)::int4 <= 0
)`;

/** Returns undefined if the query fails. */
export async function readSetupFacts(
  session: Session,
  config: Pick<AppConfig, 'dbAnonRole' | 'dbPreRequest' | 'dbSchemas' | 'dbExtraSearchPath'>,
  findGaps: FindGaps,
): Promise<SetupFacts | undefined> {
  const { dbAnonRole, dbPreRequest, dbSchemas, dbExtraSearchPath } = config;
  const path = ['pg_catalog', ...dbSchemas, ...dbExtraSearchPath];
  const schemas = dbPreRequest?.schema === undefined ? path : [dbPreRequest.schema];
  const reply = await query(session, SETUP_QUERY, [
    dbAnonRole ?? '',
    dbPreRequest?.name ?? '',
    renderArrayLiteral(schemas),
  ]);
  const row = reply.ok ? reply.value[0] : undefined;
  if (row === undefined) return undefined;
  const [loginRole, isGranted, hasFunction] = row;
  return {
    loginRole: loginRole ?? '',
    anonymousRole: dbAnonRole === undefined ? 'unset' : describeAnonymousRole(isGranted ?? undefined),
    hasPreRequest: dbPreRequest === undefined || hasFunction === 't',
    gaps: await findGaps(session),
  };
}

function describeAnonymousRole(isGranted: string | undefined): SetupFacts['anonymousRole'] {
  if (isGranted === undefined) return 'missing';
  return isGranted === 't' ? 'usable' : 'notGranted';
}
