// What the demo means for the configuration, and what it says to the user once it is served.
import { renderBanner } from '../embedded/banner.ts';
import type { Demo } from '../embedded/start-demo.ts';
import { listVariables, overrideOptions } from '../runtime/configuration/override-options.ts';
import type { ConfigLocation } from '../runtime/configuration/read-config.ts';
import type { RowhouseServer } from '../server/rowhouse-server.ts';

const URI_OPTION = 'db-uri';

/** Whether the user has named a database. */
export function hasOwnDatabase({ environment }: ConfigLocation): boolean {
  return listVariables(URI_OPTION).some((name) => (environment[name] ?? '') !== '');
}

/** The demo's database is the one that is served; its other options can be overridden by file and environment. */
export function locateDemo(demo: Demo | undefined, location: ConfigLocation): ConfigLocation {
  if (demo === undefined) return location;
  const { options } = demo;
  return overrideOptions({ ...location, defaults: options }, { [URI_OPTION]: options[URI_OPTION] ?? '' });
}

/** @param server the one that serves the demo, listening */
export function describeDemo(demo: Demo, server: RowhouseServer): string {
  const { userToken, adminUri, database, dataFolder, isNew } = demo;
  const { apiAddress, adminAddress } = server;
  return renderBanner({
    apiUrl: renderUrl(apiAddress ?? ''),
    adminUrl: adminAddress === undefined ? undefined : renderUrl(adminAddress),
    userToken,
    adminUri,
    database,
    dataFolder,
    isNew,
  });
}

/** @param address `127.0.0.1:3000`, as a server gives it */
function renderUrl(address: string): string {
  return `http://${address.replace(/^(?:0\.0\.0\.0|\[::\]|127\.0\.0\.1)(?=:\d+$)/u, 'localhost')}`;
}
