// What the demo means for the configuration, and what it says to the user once it is served.
import { renderBanner } from '../../embedded/banner.ts';
import { forgetServer, noteServer } from '../../embedded/served-by.ts';
import type { Demo } from '../../embedded/start-demo.ts';
import { overrideOptions } from '../../service/configuration/override-options.ts';
import type { ConfigLocation } from '../../service/configuration/read-config.ts';
import type { RowhouseServer } from '../../server/rowhouse-server.ts';

const URI_OPTION = 'db-uri';

/** The demo's database is the one that is served; its other options can be overridden by flags, file and environment. */
export function locateDemo({ options }: Demo, location: ConfigLocation): ConfigLocation {
  const defaults = { ...location.defaults, ...options };
  return overrideOptions({ ...location, defaults }, { [URI_OPTION]: options[URI_OPTION] ?? '' });
}

/**
 * @param server the one that serves the demo, listening
 * @param command by which the user reaches this program
 */
export function describeDemo(demo: Demo, server: RowhouseServer, command: string): string {
  const { options, userToken, adminUri, database, dataFolder, isNew } = demo;
  const { apiAddress, adminAddress } = server;
  return renderBanner({
    apiUrl: renderUrl(apiAddress ?? ''),
    adminUrl: adminAddress === undefined ? undefined : renderUrl(adminAddress),
    userToken: takesSecret(server, options) ? userToken : undefined,
    adminUri,
    database,
    dataFolder,
    isNew,
    command,
  });
}

/** Whether flags, file or environment leave the secret of the demo in its place. */
function takesSecret({ service }: RowhouseServer, options: Demo['options']): boolean {
  const { jwtSecret } = service.config;
  return jwtSecret !== undefined && Buffer.from(options['jwt-secret'] ?? '').equals(jwtSecret);
}

/**
 * For `rowhouse sql`, which waits until the server has what it makes. A socket has no address that it could ask.
 *
 * @param isWatching whether the server finds changes of the schema by itself
 */
export function noteDemoServer(
  { dataFolder, database }: Demo,
  { apiAddress = '', service }: RowhouseServer,
  isWatching: boolean,
): void {
  if (apiAddress.startsWith('/')) return;
  const { dbSchemas: schemas } = service.config;
  noteServer(dataFolder, { pid: process.pid, apiUrl: renderUrl(apiAddress), database, schemas, isWatching });
}

export async function leaveDemo({ dataFolder, stop }: Demo): Promise<void> {
  forgetServer(dataFolder);
  await stop();
}

/** @param address `127.0.0.1:3000`, as a server gives it */
export function renderUrl(address: string): string {
  return `http://${address.replace(/^(?:0\.0\.0\.0|\[::\]|127\.0\.0\.1)(?=:\d+$)/u, 'localhost')}`;
}
