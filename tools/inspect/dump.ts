// `--dump-config`, `--dump-schema` and `types`: print what a server would load now (`operating.md` §2, §2.1).
import { renderSchemaCacheDump } from '../../src/catalog/dump.ts';
import { renderConfigDump } from './dump-config.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import { type ApiError, isConnectionFailure } from '../../src/errors/api-error.ts';
import type { Pool } from '../../src/postgres/pool/pool.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { loadSchemaCache } from '../../src/service/schema-cache/load-schema-cache.ts';
import { suggestDatabase } from '../support/configuration.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { loadTypes, type TypesOptions } from '../typegen/load-types.ts';
import { withConfig, withWholeConfig } from '../support/with-config.ts';

export async function dumpConfig(location: ConfigLocation): Promise<number> {
  const dumped = await withWholeConfig(location, (config) => {
    process.stdout.write(renderConfigDump(config));
    return Promise.resolve(0);
  });
  return dumped ?? 1;
}

export function dumpSchema(location: ConfigLocation): Promise<number> {
  return dumpLoaded(location, '--dump-schema', async (pool, config) => {
    const loaded = await loadSchemaCache(pool, config);
    return loaded.ok ? ok(`${renderSchemaCacheDump(loaded.value.cache)}\n`) : loaded;
  });
}

export function dumpTypes(location: ConfigLocation, options: TypesOptions): Promise<number> {
  return dumpLoaded(location, 'types', (pool, config) => loadTypes(pool, config, options));
}

function suggestSource(location: ConfigLocation, command: 'types' | '--dump-schema', config: AppConfig): void {
  const own = findOwnCommand();
  const alternative = command === 'types' ? `${own} types DIR for a folder of SQL files` : undefined;
  const advice = suggestDatabase(`${own} ${command}`, alternative, config, location);
  if (advice !== '') process.stderr.write(`${advice.slice(2)}\n`);
}

async function dumpLoaded(
  location: ConfigLocation,
  command: 'types' | '--dump-schema',
  load: (pool: Pool, config: AppConfig) => Promise<Result<string, ApiError>>,
): Promise<number> {
  const dumped = await withConfig(location, async ({ pool, logger, readWholeConfig }) => {
    const config = await readWholeConfig();
    if (config === undefined) return 1;
    const loaded = await load(pool, config);
    if (loaded.ok) {
      process.stdout.write(loaded.value);
      return 0;
    }
    const { dbSchemas: schemas, dbExtraSearchPath: extraSearchPath } = config;
    logger.observe({ kind: 'cacheFailed', schemas, extraSearchPath, error: loaded.error });
    if (isConnectionFailure(loaded.error)) suggestSource(location, command, config);
    return 1;
  });
  return dumped ?? 1;
}
