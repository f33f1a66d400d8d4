// Reads the configuration, including in-database settings, and creates a pool for commands that do not serve.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { type ApiError, isConnectionFailure } from '../../src/errors/api-error.ts';
import type { Logger } from '../../src/observe/logger.ts';
import type { Pool } from '../../src/postgres/pool/pool.ts';
import {
  type ConfigLocation,
  createConfigReader,
  type ReadConfig,
} from '../../src/service/configuration/read-config.ts';
import { readDatabaseConfig } from '../../src/service/configuration/read-database-config.ts';
import { createPool } from '../../src/service/database/create-pool.ts';
import { createLogger } from '../../src/service/logging/create-logger.ts';
import { LineOutput } from '../../src/service/logging/line-output.ts';
import { findFatalError } from '../../src/service/supervision/find-fatal-error.ts';
import { namesDatabase, reportConfigProblems } from './configuration.ts';

export interface ConfigContext {
  /** Read from file and environment only. */
  readonly config: AppConfig;
  readonly pool: Pool;
  readonly logger: Logger;
  /**
   * Adds the in-database settings.
   *
   * @param isIgnored whether a database error is not reported
   * @returns undefined if the settings cannot be read, after reporting why
   */
  readonly readWholeConfig: (isIgnored?: (error: ApiError) => boolean) => Promise<AppConfig | undefined>;
}

interface WholeConfigOptions {
  /**
   * Which database errors are ignored. `ifNotNamed`: all of them, unless the configuration names a database.
   * `ifUnreachable`: connection failures, because `work` reports them.
   */
  readonly ignoreFailures?: 'ifNotNamed' | 'ifUnreachable';
}

/** Runs `work` with the configuration a server would use. If reading it fails, reports why and returns undefined. */
export function withWholeConfig<T>(
  location: ConfigLocation,
  work: (config: AppConfig, pool: Pool) => Promise<T>,
  { ignoreFailures }: WholeConfigOptions = {},
): Promise<T | undefined> {
  return withConfig(location, async ({ config, pool, readWholeConfig }) => {
    const isOptional = ignoreFailures === 'ifNotNamed' && !namesDatabase(config, location);
    const whole = await readWholeConfig(
      (error) => isOptional || (ignoreFailures === 'ifUnreachable' && isConnectionFailure(error)),
    );
    return whole === undefined ? undefined : work(whole, pool);
  });
}

/** Runs `work` with the file and environment configuration. If reading it fails, reports why and returns undefined. */
export async function withConfig<T>(
  location: ConfigLocation,
  work: (context: ConfigContext) => Promise<T>,
): Promise<T | undefined> {
  const readConfig = createConfigReader({ ...location, isLenient: true });
  const config = readConfig(new Map(), undefined);
  if (!config.ok) {
    process.stderr.write(`${config.error.message}\n`);
    return undefined;
  }
  const output = new LineOutput(process.stdout, process.stderr);
  const logger = createLogger(config.value, output);
  const connection = { connectionString: config.value.dbUri, environment: location.environment, product: PRODUCT };
  const pool = createPool(config.value, { connection, logger, extensions: [] });
  const source = { config: config.value, readConfig, pool, logger };
  const result = await work({
    config: config.value,
    pool,
    logger,
    readWholeConfig: (isIgnored = () => false) => readWholeConfig(source, isIgnored),
  });
  await pool.close();
  output.flush();
  return result;
}

interface ConfigSource {
  readonly config: AppConfig;
  readonly readConfig: ReadConfig;
  readonly pool: Pool;
  readonly logger: Logger;
}

async function readWholeConfig(
  source: ConfigSource,
  isIgnored: (error: ApiError) => boolean,
): Promise<AppConfig | undefined> {
  const { config } = source;
  const whole = config.dbConfig ? await readFromDatabase(source, isIgnored) : config;
  if (whole !== undefined) reportConfigProblems(whole);
  return whole;
}

async function readFromDatabase(
  { config, readConfig, pool, logger }: ConfigSource,
  isIgnored: (error: ApiError) => boolean,
): Promise<AppConfig | undefined> {
  const { settings } = await readDatabaseConfig(pool, config);
  if (!settings.ok && !isIgnored(settings.error) && reportFailure(settings.error, logger)) return undefined;
  const whole = readConfig(settings.ok ? settings.value : new Map(), undefined);
  if (whole.ok) return whole.value;
  process.stderr.write(`${whole.error.message}\n`);
  return undefined;
}

/** @returns whether the error is fatal */
function reportFailure(error: ApiError, logger: Logger): boolean {
  const kind = findFatalError(error, true);
  logger.observe(
    kind === undefined ? { kind: 'databaseSettingsFailed', error } : { kind, failure: logger.describeError(error) },
  );
  return kind !== undefined;
}
