// Plans `rowhouse --demo`, and `rowhouse` without arguments: starts the demo, and connects it to the server by its
// configuration, its banner, and the server record that `rowhouse sql` reads.
import { ok, type Result, fail } from '../../src/contract/result.ts';
import { hasEmbeddedPostgres } from '../embedded/cluster/postgres-binaries.ts';
import { type ConfigLocation, listVariables, overrideOptions } from '../../src/service/configuration/read-config.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { createDatabasePlan, type ServePlan, hasExplorer, renderUrl } from '../../src/server/serve-plan.ts';
import { renderEmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { recordLoad, clearServerRecord, recordServer } from './server-record.ts';
import { startDemo, type Demo } from './start-demo.ts';
import { renderBanner } from './banner.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { RowhouseServer } from '../../src/server/rowhouse-server.ts';

/** @param choice `default`: neither arguments nor environment specify a database to serve */
export async function planServe(
  choice: 'requested' | 'default',
  location: ConfigLocation,
): Promise<Result<ServePlan, string>> {
  const isDefault = choice === 'default' && hasEmbeddedPostgres();
  if (!isDefault && (choice !== 'requested' || hasOwnDatabase(location))) return ok(createDatabasePlan(location));
  const command = findOwnCommand();
  if (isDefault) process.stdout.write(renderNotice(command));
  return planDemo(location, command);
}

/** Returns whether the environment names a database. */
function hasOwnDatabase({ environment }: ConfigLocation): boolean {
  return listVariables('db-uri').some((name) => (environment[name] ?? '') !== '');
}

function renderNotice(command: string): string {
  return `No database specified, starting the demo. To serve your own: ${command} postgres://user@host/name\n`;
}

/** @param command how the user invokes this program */
async function planDemo(location: ConfigLocation, command: string): Promise<Result<ServePlan, string>> {
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, command));
  return ok({
    location: locateDemo(demo.value, location),
    onListening: (server) => {
      recordDemoServer(demo.value, server, server.service.config.dbChannelEnabled);
      return describeDemo(demo.value, server, command);
    },
    onSchemaLoaded: (startedAt) => recordLoad(demo.value.dataFolder, startedAt),
    onEnded: () => stopDemo(demo.value),
  });
}

const URI_OPTION = 'db-uri';

/** Serves the demo's database. Flags, file and environment can override the other options of the demo. */
function locateDemo({ options }: Demo, location: ConfigLocation): ConfigLocation {
  const defaults = { ...location.defaults, ...options };
  return overrideOptions({ ...location, defaults }, { [URI_OPTION]: options[URI_OPTION] ?? '' });
}

/**
 * @param server the server of the demo, already listening
 * @param command how the user invokes this program
 */
function describeDemo(demo: Demo, server: RowhouseServer, command: string): string {
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
