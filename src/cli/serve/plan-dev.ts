// `rowhouse dev` → what is served on somebody's own desk: on this machine only, without tokens, and looking out for changes
// of the schema. Without a database, the embedded one.
import type { AppConfig } from '../../config/table/app-config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { renderEmbeddedError } from '../../embedded/cluster/embedded-error.ts';
import { noteLoad } from '../../embedded/served-by.ts';
import { type Demo, startDemo } from '../../embedded/start-demo.ts';
import { overrideOptions } from '../../service/configuration/override-options.ts';
import { type ConfigLocation, createConfigReader } from '../../service/configuration/read-config.ts';
import type { CommandOf } from '../arguments/command.ts';
import { leaveDemo, noteDemoServer, renderUrl } from './demo.ts';
import { DevConnection } from './dev-connection.ts';
import { findOwnCommand } from '../output/own-command.ts';
import type { ServePlan } from './serve-plan.ts';
import { renderDevBanner } from './dev-banner.ts';
import { namesDatabase } from '../configuration/names-database.ts';

/** Where nothing else states them. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'server-host': '127.0.0.1',
  'openapi-version': '3.1',
  'db-safe-update': 'true',
  'server-explorer': 'true',
};

/** By which this machine is called on itself: a web page from elsewhere has another name, whatever address that leads to. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/u;

/** A database to serve. */
interface DevDatabase {
  readonly location: ConfigLocation;
  /** The embedded one; undefined where it is somebody else's. */
  readonly demo: Demo | undefined;
}

export async function planDev({ role }: CommandOf<'dev'>, stated: ConfigLocation): Promise<Result<ServePlan, string>> {
  const open = { ...stated, defaults: { ...stated.defaults, ...DEFAULTS } };
  const config = readConfig(open);
  if (!config.ok) return config;
  const exposed = [config.value.serverHost, config.value.adminServerHost].find((host) => !LOOPBACK.test(host));
  if (exposed !== undefined) return fail(renderExposure(exposed));
  const allowedHosts = [...LOOPBACK_NAMES, config.value.serverHost].join(',');
  const location = { ...open, defaults: { ...open.defaults, 'server-allowed-hosts': allowedHosts } };
  const database = namesDatabase(config.value, location)
    ? ok({ location, demo: undefined })
    : await startEmbedded(location);
  if (!database.ok) return database;
  const plan = await buildPlan(database.value, role);
  if (!plan.ok && database.value.demo !== undefined) await leaveDemo(database.value.demo);
  return plan;
}

function renderExposure(host: string): string {
  return `rowhouse dev answers on this machine only, since it asks for no token; server-host is ${JSON.stringify(host)}.`;
}

function readConfig(location: ConfigLocation): Result<AppConfig, string> {
  const config = createConfigReader(location)(new Map(), undefined);
  return config.ok ? config : fail(config.error.message);
}

/** The embedded database, with its owner as login role: on one's own desk there is nothing one may not do. */
async function startEmbedded(location: ConfigLocation): Promise<Result<DevDatabase, string>> {
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, findOwnCommand()));
  const { options, adminUri } = demo.value;
  const defaults = { ...options, ...location.defaults };
  return ok({ location: overrideOptions({ ...location, defaults }, { 'db-uri': adminUri }), demo: demo.value });
}

async function buildPlan(
  { location, demo }: DevDatabase,
  chosenRole: string | undefined,
): Promise<Result<ServePlan, string>> {
  const config = readConfig(location);
  if (!config.ok) return config;
  const connection = new DevConnection(config.value, location.environment);
  const asked = await connection.askLoginRole();
  if (!asked.ok) {
    await connection.close();
    return asked;
  }
  const { name: login, isSuperuser, database } = asked.value;
  return ok({
    location: overrideOptions(location, { 'db-anon-role': chosenRole ?? login }),
    onListening: (server) => {
      const { service, apiAddress = '' } = server;
      if (demo !== undefined) noteDemoServer(demo, server, true);
      connection.watchSchema(() => void service.reloadSchemaCache());
      const { dbAnonRole: role = login, dbSchemas: schemas } = service.config;
      const facts = { url: renderUrl(apiAddress), database, schemas, role, login, isSuperuser };
      return renderDevBanner({ ...facts, dataFolder: demo?.dataFolder, command: findOwnCommand() });
    },
    onSchemaLoaded: (begun) => {
      if (demo !== undefined) noteLoad(demo.dataFolder, begun);
    },
    onEnded: async () => {
      await connection.close();
      if (demo !== undefined) await leaveDemo(demo);
    },
  });
}
