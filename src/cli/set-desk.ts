// `rowhouse dev` → what is served on somebody's own desk: on this machine only, without tokens, and looking out for changes
// of the schema. Without a database, the embedded one.
import type { AppConfig } from '../config/app-config.ts';
import { OPTIONS } from '../config/options.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { renderEmbeddedError } from '../embedded/embedded-error.ts';
import { type Demo, startDemo } from '../embedded/start-demo.ts';
import { overrideOptions } from '../runtime/configuration/override-options.ts';
import { type ConfigLocation, createConfigReader } from '../runtime/configuration/read-config.ts';
import type { CommandOf } from './command.ts';
import { leaveDemo, noteDemoServer, renderUrl } from './demo.ts';
import { Desk } from './desk.ts';
import { findOwnCommand } from './own-command.ts';
import type { Stage } from './stage.ts';
import { renderDeskBanner } from './desk-banner.ts';

/** Where nothing else states them. */
const DEFAULTS: Readonly<Record<string, string>> = { 'server-host': '127.0.0.1', 'openapi-version': '3.1' };

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/u;

/** A database to serve. */
interface Ground {
  readonly location: ConfigLocation;
  /** The embedded one; undefined where it is somebody else's. */
  readonly demo: Demo | undefined;
}

export async function setDesk({ role }: CommandOf<'dev'>, stated: ConfigLocation): Promise<Result<Stage, string>> {
  const location = { ...stated, defaults: { ...stated.defaults, ...DEFAULTS } };
  const config = readConfig(location);
  if (!config.ok) return config;
  const exposed = [config.value.serverHost, config.value.adminServerHost].find((host) => !LOOPBACK.test(host));
  if (exposed !== undefined) return fail(renderExposure(exposed));
  const ground = isDatabaseNamed(config.value, location)
    ? ok({ location, demo: undefined })
    : await openGround(location);
  if (!ground.ok) return ground;
  const stage = await layOut(ground.value, role);
  if (!stage.ok && ground.value.demo !== undefined) await leaveDemo(ground.value.demo);
  return stage;
}

function renderExposure(host: string): string {
  return `rowhouse dev answers on this machine only, since it asks for no token; server-host is ${JSON.stringify(host)}.`;
}

function readConfig(location: ConfigLocation): Result<AppConfig, string> {
  const config = createConfigReader(location)(new Map(), undefined);
  return config.ok ? config : fail(config.error.message);
}

function isDatabaseNamed({ dbUri }: AppConfig, { environment }: ConfigLocation): boolean {
  return dbUri !== OPTIONS.dbUri.default || Object.keys(environment).some((name) => /^PG(?!RST_)/u.test(name));
}

/** The embedded database, with its owner as login role: on one's own desk there is nothing one may not do. */
async function openGround(location: ConfigLocation): Promise<Result<Ground, string>> {
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, findOwnCommand()));
  const { options, adminUri } = demo.value;
  const defaults = { ...options, ...location.defaults };
  return ok({ location: overrideOptions({ ...location, defaults }, { 'db-uri': adminUri }), demo: demo.value });
}

async function layOut({ location, demo }: Ground, chosenRole: string | undefined): Promise<Result<Stage, string>> {
  const config = readConfig(location);
  if (!config.ok) return config;
  const desk = new Desk(config.value, location.environment);
  const asked = await desk.askLoginRole();
  if (!asked.ok) {
    await desk.close();
    return asked;
  }
  const { name: login, isSuperuser, database } = asked.value;
  return ok({
    location: overrideOptions(location, { 'db-anon-role': chosenRole ?? login }),
    open: (server) => {
      const { service, apiAddress = '' } = server;
      if (demo !== undefined) noteDemoServer(demo, server);
      desk.watchSchema(() => service.reloadSchemaCache());
      const { dbAnonRole: role = login, dbSchemas: schemas } = service.config;
      const facts = { url: renderUrl(apiAddress), database, schemas, role, login, isSuperuser };
      return renderDeskBanner({ ...facts, dataFolder: demo?.dataFolder });
    },
    close: async () => {
      await desk.close();
      if (demo !== undefined) await leaveDemo(demo);
    },
  });
}
