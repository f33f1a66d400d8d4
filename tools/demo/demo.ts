// Connects the demo to the server: its configuration, its banner, and the server record that `rowhouse sql` reads.
import { renderBanner } from './banner.ts';
import { clearServerRecord, recordServer } from './server-record.ts';
import type { Demo } from './start-demo.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { overrideOptions } from '../../src/service/configuration/override-options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import type { RowhouseServer } from '../../src/server/rowhouse-server.ts';
import { hasExplorer, renderUrl } from '../../src/server/serve-plan.ts';

const URI_OPTION = 'db-uri';

/** Serves the demo's database. Flags, file and environment can override the other options of the demo. */
export function locateDemo({ options }: Demo, location: ConfigLocation): ConfigLocation {
  const defaults = { ...location.defaults, ...options };
  return overrideOptions({ ...location, defaults }, { [URI_OPTION]: options[URI_OPTION] ?? '' });
}

/**
 * @param server the server of the demo, already listening
 * @param command how the user invokes this program
 */
export function describeDemo(demo: Demo, server: RowhouseServer, command: string): string {
  const { options, userToken, adminUri, database, dataFolder, isNew } = demo;
  const { apiAddress, adminAddress } = server;
  return renderBanner({
    apiUrl: renderUrl(apiAddress ?? ''),
    hasExplorer: hasExplorer(server.service.config),
    adminUrl: adminAddress === undefined ? undefined : renderUrl(adminAddress),
    userToken: isKeyOf(server.service.config, options['jwt-secret']) ? userToken : undefined,
    adminUri,
    database,
    dataFolder,
    isNew,
    command,
  });
}

/** Returns whether the server verifies tokens with this key, not with one set by flags, file or environment. */
function isKeyOf({ jwtSecret }: AppConfig, key: string | undefined): boolean {
  return jwtSecret !== undefined && key !== undefined && Buffer.from(key).equals(jwtSecret);
}

/**
 * Records the server for `rowhouse sql`, which waits until the server has loaded its changes. A Unix socket is not
 * recorded, because it has no URL.
 *
 * @param isWatching whether the server detects schema changes
 */
export function recordDemoServer(
  { dataFolder, database }: Demo,
  { apiAddress = '', service }: RowhouseServer,
  isWatching: boolean,
): void {
  if (apiAddress.startsWith('/')) return;
  const { dbSchemas: schemas } = service.config;
  recordServer(dataFolder, { pid: process.pid, apiUrl: renderUrl(apiAddress), database, schemas, isWatching });
}

export async function stopDemo({ dataFolder, stop }: Demo): Promise<void> {
  clearServerRecord(dataFolder);
  await stop();
}
