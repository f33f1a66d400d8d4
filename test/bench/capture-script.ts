// Returns the transaction that the server would run for a case, produced by the server's own stages.
import { EXTENSIONS } from '../../src/server/extensions.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { HttpRequest } from '../../src/contract/http.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { ok } from '../../src/contract/result.ts';
import type { DbOutcome, ScriptResults } from '../../src/contract/transaction.ts';
import { handleRequest } from '../../src/serve/handle-request.ts';
import { connect } from '../../src/postgres/session/open-session.ts';
import { Pool } from '../../src/postgres/pool/pool.ts';
import type { RequestContext } from '../../src/serve/request-context.ts';
import { AppState } from '../../src/service/app-state.ts';
import { JwtVerifier } from '../../src/service/tokens/jwt-verifier.ts';
import { loadSchemaCache } from '../../src/service/schema-cache/load-schema-cache.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { resolved } from '../support/resolve-text.ts';
import { type BenchCase, fillTarget, JWT_SECRET } from './bench-case.ts';
import { ROLE } from './servers/bench-database.ts';

/** An arbitrary outcome. */
export const OUTCOME: DbOutcome = {
  body: Buffer.from('[]'),
  pageRows: 1,
  total: undefined,
  plannedTotal: undefined,
  settingHeaders: undefined,
  settingStatus: undefined,
  inserted: 1,
  location: undefined,
};

/** Loads the context that every request of a server on this database shares, without the database itself. */
export async function loadContext(databaseUri: string): Promise<RequestContext> {
  const config = resolved({
    environment: { SVC_DB_SCHEMAS: 'public', SVC_DB_ANON_ROLE: ROLE, SVC_JWT_SECRET: JWT_SECRET },
  });
  const pool = createPool(databaseUri, config);
  const loaded = await loadSchemaCache(pool, config);
  await pool.close();
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const verifier = new JwtVerifier({
    now: () => 0,
    onCacheEvent: () => undefined,
  });
  const state = new AppState(config, {
    product: PRODUCT,
    dialect: SVC_DIALECT,
    pool,
    database: pool,
    verifier,
    extensions: EXTENSIONS,
    onReplaced: () => undefined,
    retryAfter: () => 0,
  });
  state.applyCache(loaded.value.cache);
  const runScript = () => Promise.resolve(ok<ScriptResults>([{ kind: 'outcome', outcome: OUTCOME }]));
  verifier.apply(config);
  return { ...state.snapshot(), runScript };
}

export function toHttpRequest(bench: BenchCase, key: number): HttpRequest {
  const [path = '', rawQuery = ''] = fillTarget(bench.target, key).split('?');
  const headers = Object.entries(bench.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { method: bench.method, path, rawQuery, headers, body: Buffer.from(bench.body ?? '') };
}

export async function captureScript(
  bench: BenchCase,
  key: number,
  context: RequestContext,
): Promise<TransactionScript> {
  const { script, response } = await handleRequest(toHttpRequest(bench, key), context);
  if (script === undefined) throw new Error(`no transaction for ${bench.name}: ${response.status}`);
  return script;
}

function createPool(connectionString: string, config: AppConfig): Pool {
  return new Pool({
    maxConnections: 1,
    acquisitionTimeoutMs: config.dbPoolAcquisitionTimeout * 1000,
    maxIdleTimeMs: config.dbPoolMaxIdletime * 1000,
    maxLifetimeMs: config.dbPoolMaxLifetime * 1000,
    connect: () => connect({ connectionString, environment: {}, product: PRODUCT, isPreparing: false }),
    onEvent: undefined,
  });
}
