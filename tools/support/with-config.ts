// Reads the configuration, including in-database settings, and creates a pool for commands that do not serve.
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { type ApiError, isConnectionFailure } from '../../src/errors/api-error.ts';
import type { Logger } from '../../src/observe/logger.ts';
import type { Pool } from '../../src/postgres/pool/pool.ts';
import { type ConfigLocation, createConfigReader } from '../../src/service/configuration/read-config.ts';
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

/**
 * Runs `work` with the configuration a server would use. If reading it fails, reports why and returns undefined.
 *
 * @param ignoreFailures which database errors are ignored. `ifNotNamed`: all of them, unless the configuration names a
 *   database. `ifUnreachable`: connection failures, because `work` reports them.
 */
export function withWholeConfig<T>(
  location: ConfigLocation,
  work: (config: AppConfig, pool: Pool) => Promise<T>,
  ignoreFailures?: 'ifNotNamed' | 'ifUnreachable',
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
  const readWholeConfig: ConfigContext['readWholeConfig'] = async (isIgnored = () => false) => {
    let whole: ReturnType<typeof readConfig> = config;
    if (config.value.dbConfig) {
      const { settings } = await readDatabaseConfig(pool, config.value);
      if (!settings.ok && !isIgnored(settings.error) && reportFailure(settings.error, logger)) return undefined;
      whole = readConfig(settings.ok ? settings.value : new Map(), undefined);
    }
    if (!whole.ok) {
      process.stderr.write(`${whole.error.message}\n`);
      return undefined;
    }
    reportConfigProblems(whole.value);
    return whole.value;
  };
  const result = await work({ config: config.value, pool, logger, readWholeConfig });
  await pool.close();
  output.flush();
  return result;
}

/** @returns whether the error is fatal */
function reportFailure(error: ApiError, logger: Logger): boolean {
  const kind = findFatalError(error, true);
  logger.observe(
    kind === undefined ? { kind: 'databaseSettingsFailed', error } : { kind, failure: logger.describeError(error) },
  );
  return kind !== undefined;
}
