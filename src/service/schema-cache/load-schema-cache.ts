// Loads a new schema cache while the current one remains in use (`operating.md` §5.1).
import { catalogStatements } from '../../catalog/catalog-statements.ts';
import { buildSchemaCacheInSlices } from '../../catalog/decode.ts';
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { query, queryLazily, readInTransaction } from '../../postgres/session/query.ts';
import type { Session } from '../../postgres/session/session.ts';
import type { ReceivedCatalog } from './serialized-catalog.ts';
import { createPause } from '../scheduling/waiting.ts';
import type { SessionProvider } from '../database/internal-queries.ts';
import { type FindGaps, readSetupFacts, type SetupFacts } from './setup-facts.ts';

export interface LoadedSchemaCache {
  readonly cache: SchemaCache;
  /** The rows that the cache was built from. */
  readonly rows: ReceivedCatalog;
  /** Undefined if the query for the setup facts failed. */
  readonly setup: SetupFacts | undefined;
  /** Total time and time per statement, in milliseconds. */
  readonly queryTime: number;
  readonly statementTimes: ReadonlyMap<string, number>;
  readonly buildTime: number;
}

export async function loadSchemaCache(
  provider: SessionProvider,
  config: AppConfig,
  findGaps: FindGaps = () => Promise.resolve([]),
): Promise<Result<LoadedSchemaCache, ApiError>> {
  const statementTimes = new Map<string, number>();
  const start = performance.now();
  const read = await provider.use(async (session) => {
    const rows = await readInTransaction(session, () => readCatalog(session, config, statementTimes));
    const queryTime = performance.now() - start;
    return rows.ok ? ok({ rows: rows.value, queryTime, setup: await readSetupFacts(session, config, findGaps) }) : rows;
  });
  if (!read.ok) return read;
  const { rows, queryTime, setup } = read.value;
  const buildStart = performance.now();
  const cache = await runSlicesWithPauses(buildSchemaCacheInSlices(rows), createPause());
  return ok({ cache, rows, setup, queryTime, statementTimes, buildTime: performance.now() - buildStart });
}

async function readCatalog(
  session: Session,
  config: AppConfig,
  statementTimes: Map<string, number>,
): Promise<Result<ReceivedCatalog, ApiError>> {
  const before = await sleep(session, config.internalSchemaCacheQuerySleepBeforeQueries);
  if (!before.ok) return before;
  // Compiling these statements takes seconds, and running them a tenth of one.
  const prepared = await query(session, `SELECT set_config('search_path', '', true), set_config('jit', 'off', true)`);
  if (!prepared.ok) return prepared;
  const rows: { -readonly [Name in keyof ReceivedCatalog]?: ReceivedCatalog[Name] } = {};
  const scope = { schemas: config.dbSchemas, extraSearchPath: config.dbExtraSearchPath };
  for (const { name, text, parameters, isNeeded } of catalogStatements(scope)) {
    if (isNeeded?.(rows) === false) continue;
    const start = performance.now();
    const reply = await queryLazily(session, text, parameters);
    if (!reply.ok) return reply;
    rows[name] = reply.value;
    statementTimes.set(name, performance.now() - start);
  }
  const after = await sleep(session, config.internalSchemaCacheQuerySleep);
  return after.ok ? ok(completeRows(rows)) : after;
}

function completeRows(rows: Partial<ReceivedCatalog>): ReceivedCatalog {
  const { schemas = [], relations = [], columns = [], keys = [], uniqueIndexes = [], foreignKeys = [] } = rows;
  const {
    constraintComments = [],
    views = [],
    routines = [],
    rowTypes = [],
    representations = [],
    mediaHandlers = [],
    database = [],
    shards = [],
  } = rows;
  const tables = { schemas, relations, columns, keys, uniqueIndexes, constraintComments, foreignKeys, views };
  return { ...tables, routines, rowTypes, representations, mediaHandlers, database, shards };
}

async function sleep(session: Session, milliseconds: number | undefined): Promise<Result<unknown, ApiError>> {
  if (milliseconds === undefined) return ok(undefined);
  return query(session, 'SELECT pg_catalog.pg_sleep($1::float8 / 1000)', [String(milliseconds)]);
}
