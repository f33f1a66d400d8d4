// `--dump-config`, `--dump-schema` and `types`: what a server started now would work with (`operating.md` §2, §2.1).
import { renderSchemaCacheDump } from '../catalog/dump.ts';
import type { AppConfig } from '../config/app-config.ts';
import { renderConfigDump } from '../config/dump-config.ts';
import { PRODUCT } from '../contract/product.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isConnectionFailure } from '../errors/connection-failure.ts';
import type { Logger } from '../observe/logger.ts';
import type { Pool } from '../postgres/pool.ts';
import { createLogger } from '../runtime/logging/create-logger.ts';
import { createPool } from '../runtime/database/create-pool.ts';
import { findFatalError } from '../runtime/supervision/find-fatal-error.ts';
import { LineOutput } from '../runtime/logging/line-output.ts';
import { loadSchemaCache } from '../runtime/schema-cache/load-schema-cache.ts';
import { loadTypes, type TypesOptions } from '../runtime/schema-cache/load-types.ts';
import { type ConfigLocation, createConfigReader, type ReadConfig } from '../runtime/configuration/read-config.ts';
import { readDatabaseConfig } from '../runtime/configuration/read-database-config.ts';
import { namesDatabase } from './names-database.ts';
import { tellComplaints } from './tell-complaints.ts';

export async function dumpConfig(location: ConfigLocation): Promise<number> {
  const dumped = await withWholeConfig(location, (config) => {
    process.stdout.write(renderConfigDump(config));
    return Promise.resolve(0);
  });
  return dumped ?? 1;
}

export function dumpSchema(location: ConfigLocation): Promise<number> {
  return dumpLoaded(location, async (pool, config) => {
    const loaded = await loadSchemaCache(pool, config);
    return loaded.ok ? ok(`${renderSchemaCacheDump(loaded.value.cache)}\n`) : loaded;
  });
}

export function dumpTypes(location: ConfigLocation, options: TypesOptions): Promise<number> {
  return dumpLoaded(location, (pool, config) => loadTypes(pool, config, options));
}

type LoadText = (pool: Pool, config: AppConfig) => Promise<Result<string, ApiError>>;

async function dumpLoaded(location: ConfigLocation, load: LoadText): Promise<number> {
  const dumped = await withConfig(location, async (context) => {
    const { pool, logger } = context;
    const config = await readWholeConfig(context);
    if (config === undefined) return 1;
    const loaded = await load(pool, config);
    if (loaded.ok) {
      process.stdout.write(loaded.value);
      return 0;
    }
    const { dbSchemas: schemas, dbExtraSearchPath: extraSearchPath } = config;
    logger.observe({ kind: 'cacheFailed', schemas, extraSearchPath, error: loaded.error });
    return 1;
  });
  return dumped ?? 1;
}

interface DumpContext {
  /** From file and environment. */
  readonly config: AppConfig;
  readonly readConfig: ReadConfig;
  readonly pool: Pool;
  readonly logger: Logger;
  /** Which failures of the database nobody is told of. */
  readonly isPassedOver: (error: ApiError) => boolean;
}

interface WholeConfigOptions {
  /**
   * What may be the matter with the database without a word. `awayUnlessNamed`: everything, where nothing names it.
   * `toldByWork`: that it cannot be reached, which the work finds and tells by itself.
   */
  readonly database?: 'awayUnlessNamed' | 'toldByWork';
}

/** With the configuration that a server started now would have. Undefined where it cannot be read, which has been said. */
export function withWholeConfig<T>(
  location: ConfigLocation,
  work: (config: AppConfig, pool: Pool) => Promise<T>,
  { database }: WholeConfigOptions = {},
): Promise<T | undefined> {
  return withConfig(location, async (context) => {
    const mayBeAway = database === 'awayUnlessNamed' && !namesDatabase(context.config, location);
    const isPassedOver = (error: ApiError): boolean =>
      mayBeAway || (database === 'toldByWork' && isConnectionFailure(error));
    const config = await readWholeConfig({ ...context, isPassedOver });
    return config === undefined ? undefined : work(config, context.pool);
  });
}

async function withConfig<T>(
  location: ConfigLocation,
  work: (context: DumpContext) => Promise<T>,
): Promise<T | undefined> {
  const readConfig = createConfigReader({ ...location, isForgiving: true });
  const config = readConfig(new Map(), undefined);
  if (!config.ok) {
    process.stderr.write(`${config.error.message}\n`);
    return undefined;
  }
  const output = new LineOutput(process.stdout, process.stderr);
  const logger = createLogger(config.value, output);
  const connection = { connectionString: config.value.dbUri, environment: location.environment, product: PRODUCT };
  const pool = createPool(config.value, { connection, logger });
  const result = await work({ config: config.value, readConfig, pool, logger, isPassedOver: () => false });
  await pool.close();
  output.flush();
  return result;
}

/** With what the database adds; undefined when that cannot be, and has been said. */
async function readWholeConfig(context: DumpContext): Promise<AppConfig | undefined> {
  const { config } = context;
  const whole = config.dbConfig ? await readFromDatabase(context) : config;
  if (whole !== undefined) tellComplaints(whole);
  return whole;
}

async function readFromDatabase(context: DumpContext): Promise<AppConfig | undefined> {
  const { config, readConfig, pool, logger, isPassedOver } = context;
  const { settings } = await readDatabaseConfig(pool, config);
  if (!settings.ok && !isPassedOver(settings.error) && reportFailure(settings.error, logger)) return undefined;
  const whole = readConfig(settings.ok ? settings.value : new Map(), undefined);
  if (whole.ok) return whole.value;
  process.stderr.write(`${whole.error.message}\n`);
  return undefined;
}

/** Whether nothing can come of going on. */
function reportFailure(error: ApiError, logger: Logger): boolean {
  const kind = findFatalError(error, true);
  logger.observe(
    kind === undefined ? { kind: 'databaseSettingsFailed', error } : { kind, failure: logger.describeError(error) },
  );
  return kind !== undefined;
}
