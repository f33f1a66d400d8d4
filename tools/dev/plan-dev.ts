// Plans `rowhouse dev`: listens on this machine only, requires no tokens and watches for schema changes. Uses the
// embedded database unless another is configured.
import { createConsoleRoute } from '../console/console-handler.ts';
import { randomBytes } from 'node:crypto';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { renderEmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { recordLoad } from '../demo/server-record.ts';
import { type Demo, startDemo, TRIAL_OPTIONS } from '../demo/start-demo.ts';
import {
  type ConfigLocation,
  createConfigReader,
  overrideOptions,
} from '../../src/service/configuration/read-config.ts';
import { LOOPBACK_NAMES } from '../access/access-guard.ts';
import { createAccessRoutes } from '../access/access-routes.ts';
import { stopDemo, recordDemoServer } from '../demo/serve-demo.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import type { Service } from '../../src/service/service.ts';
import { findTakenPort } from './check-ports.ts';
import { describeChanges } from './describe-changes.ts';
import { DevConnection, type LoginRole } from './dev-connection.ts';
import { ExplorerNews } from './explorer-news.ts';
import { createNewsRoutes } from './news-routes.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { hasExplorer, renderUrl, type ServePlan } from '../../src/server/serve-plan.ts';
import { renderDevBanner } from './dev-banner.ts';
import { namesDatabase } from '../support/configuration.ts';
import { readSecret } from '../support/read-text.ts';
import type { KeyDescription } from '../../src/auth/jwk.ts';
import { parseKeys } from '../../src/auth/keys.ts';

/** Options that apply unless set elsewhere. The log level shows rejected requests, and tokens that are ignored. */
const DEFAULTS: Readonly<Record<string, string>> = {
  ...TRIAL_OPTIONS,
  'db-safe-update': 'true',
  'log-level': 'warn',
};

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/u;

/** What `rowhouse dev` was told about the roles of requests. */
export interface ChosenRoles {
  /** The role of requests without a token. Defaults to the login role. */
  readonly role: string | undefined;
  /** Connects the SQL page and the pages about access as an owner of the tables; `@FILE` names a file. */
  readonly inspectUri: string | undefined;
}

/** A database to serve. */
export interface DevDatabase {
  readonly location: ConfigLocation;
  /** Undefined unless the database is that of the demo. */
  readonly demo: Demo | undefined;
  /** The folder of SQL files that describes the schema, if one does. */
  readonly project?: string | undefined;
  /** How to connect to its database, without a secret of the user. */
  readonly databaseUri?: string | undefined;
  /** Whether the schema must be loaded after a change of the database; by default it always must. */
  readonly needsLoad?: (() => Promise<boolean>) | undefined;
  /** Where the saves of a project are reported. */
  readonly news?: ExplorerNews | undefined;
}

interface DevPlan extends ServePlan {
  /** The key that signs tokens for the explorer and the commands beside it; undefined if an issuer is configured. */
  readonly key: string | undefined;
}

export async function planDev(roles: ChosenRoles, stated: ConfigLocation): Promise<Result<ServePlan, string>> {
  const opened = openLocation(stated);
  if (!opened.ok) return opened;
  const { location, config } = opened.value;
  const taken = await findTakenPort(config);
  if (taken !== undefined) return fail(taken);
  const database = namesDatabase(config, location) ? ok({ location, demo: undefined }) : await startEmbedded(location);
  if (!database.ok) return database;
  const plan = await buildPlan(database.value, roles);
  if (!plan.ok && database.value.demo !== undefined) await stopDemo(database.value.demo);
  return plan;
}

/** Adds the defaults of development, and checks that only this machine can connect. */
export function openLocation(
  stated: ConfigLocation,
): Result<{ readonly location: ConfigLocation; readonly config: AppConfig }, string> {
  const open = { ...stated, defaults: { ...stated.defaults, ...DEFAULTS } };
  const config = readConfig(open);
  if (!config.ok) return config;
  const exposed = [config.value.serverHost, config.value.adminServerHost].find((host) => !LOOPBACK.test(host));
  if (exposed !== undefined)
    return fail(
      `rowhouse dev requires no token, so it listens on a loopback address only; server-host is ${JSON.stringify(exposed)}.`,
    );
  const allowedHosts = [...LOOPBACK_NAMES, config.value.serverHost].join(',');
  const location = { ...open, defaults: { ...open.defaults, 'server-allowed-hosts': allowedHosts } };
  return ok({ location, config: config.value });
}

function readConfig(location: ConfigLocation): Result<AppConfig, string> {
  const config = createConfigReader(location)(new Map(), undefined);
  return config.ok ? config : fail(config.error.message);
}

/** Starts the embedded database with its superuser as login role, because development needs no restrictions. */
async function startEmbedded(location: ConfigLocation): Promise<Result<DevDatabase, string>> {
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, findOwnCommand()));
  const { options, adminUri } = demo.value;
  const defaults = { ...options, ...location.defaults };
  return ok({ location: overrideOptions({ ...location, defaults }, { 'db-uri': adminUri }), demo: demo.value });
}

export async function buildPlan(
  { location, demo, project, databaseUri, needsLoad, news = new ExplorerNews() }: DevDatabase,
  { role: chosenRole, inspectUri }: ChosenRoles,
): Promise<Result<DevPlan, string>> {
  const config = readConfig(location);
  if (!config.ok) return config;
  const connection = new DevConnection(config.value, location.environment);
  const roles = await readRoles(connection, inspectUri, location);
  if (!roles.ok) {
    await connection.close();
    return roles;
  }
  const { inspector } = roles.value;
  const { name: login, isSuperuser, database } = roles.value.login;
  const key = createViewAsKey(config.value);
  const accepting = overrideOptions(location, key?.options ?? {});
  const access = { key: key?.text, environment: location.environment, inspectUri: inspector?.uri };
  const changes = new SchemaChanges({ dataFolder: demo?.dataFolder, needsLoad, news });
  // The login role of a server that was set up for others has no privileges of its own, unlike that of the demo.
  const fixedRole = chosenRole ?? (demo === undefined ? undefined : login);
  const anonRole = fixedRole ?? config.value.dbAnonRole ?? login;
  const example = await connection.findReadableTable(anonRole, config.value.dbSchemas[0] ?? '');
  return ok({
    key: key?.text,
    console: key && ((service) => createConsoleRoute(service, { key: key.text, ownerUri: inspector?.uri })),
    // The login role is the default of a configuration that names none.
    location:
      fixedRole === undefined
        ? { ...accepting, defaults: { ...accepting.defaults, 'db-anon-role': login } }
        : overrideOptions(accepting, { 'db-anon-role': fixedRole }),
    routes: (current) => {
      const options = { ...access, config: current, news };
      return [...createAccessRoutes(options), ...createNewsRoutes(options)];
    },
    onListening: (server) => {
      if (demo !== undefined) recordDemoServer(demo, server, true);
      changes.follow(server.service, connection);
      const { dbAnonRole: role = login, dbSchemas: schemas } = server.service.config;
      return renderDevBanner({
        url: renderUrl(server.apiAddress ?? ''),
        database,
        schemas,
        example,
        hasExplorer: hasExplorer(server.service.config),
        viewAsKey: key?.text,
        role,
        login,
        isSuperuser,
        inspector: inspector?.name,
        project,
        databaseUri,
        dataFolder: demo?.dataFolder,
        command: findOwnCommand(),
      });
    },
    onSchemaLoaded: (startedAt) => changes.report(startedAt),
    onEnding: () => news.close(),
    onEnded: async () => {
      await connection.close();
      if (demo !== undefined) await stopDemo(demo);
    },
  });
}

interface DevRoles {
  readonly login: LoginRole;
  /**
   * The role that owns the tables, and how to connect as it; undefined without `--inspect-uri`. The string is a secret: it
   * is never printed or served.
   */
  readonly inspector: { readonly name: string; readonly uri: string } | undefined;
}

/** An error is a message for the user. */
async function readRoles(
  connection: DevConnection,
  inspectUri: string | undefined,
  { environment }: ConfigLocation,
): Promise<Result<DevRoles, string>> {
  const login = await connection.readLoginRole();
  if (!login.ok) return login;
  const uri = await readSecret(inspectUri);
  if (!uri.ok) return fail(`--inspect-uri: ${uri.error}`);
  if (uri.value === undefined) return ok({ login: login.value, inspector: undefined });
  const owner = new DevConnection({ dbUri: uri.value }, environment);
  const role = await owner.readLoginRole();
  await owner.close();
  if (!role.ok) return fail(`--inspect-uri: ${role.error}`);
  return role.value.database === login.value.database
    ? ok({ login: login.value, inspector: { name: role.value.name, uri: uri.value } })
    : fail(`--inspect-uri is for the database ${role.value.database}, but ${login.value.database} is served.`);
}

interface Reloads {
  /** The folder of the embedded database; undefined: another database is served. */
  readonly dataFolder: string | undefined;
  /** Given for a project, which says itself what each save changed. */
  readonly needsLoad: DevDatabase['needsLoad'];
  readonly news: ExplorerNews;
}

/** Reloads the schema after each change, and prints what has changed in the API. Open pages read it again. */
class SchemaChanges {
  readonly #reloads: Reloads;
  #service: Service | undefined;
  #known: SchemaCache | undefined;

  constructor(reloads: Reloads) {
    this.#reloads = reloads;
  }

  follow(service: Service, connection: DevConnection): void {
    const { needsLoad } = this.#reloads;
    connection.watchSchema(async () => {
      if (needsLoad === undefined || (await needsLoad())) await service.reloadSchemaCache();
    });
    if (needsLoad !== undefined) return;
    this.#service = service;
    this.#known = service.serving.state.snapshot().cache;
  }

  report(startedAt: number): void {
    const { dataFolder, news } = this.#reloads;
    news.noteLoad();
    if (dataFolder !== undefined) recordLoad(dataFolder, startedAt);
    const now = this.#service?.serving.state.snapshot().cache;
    const lines = this.#known === undefined || now === undefined ? [] : describeChanges(this.#known, now);
    if (now !== undefined) this.#known = now;
    for (const line of lines) process.stdout.write(`  ${line}\n`);
  }
}

/** The key with which the explorer signs tokens to show the API as another role. */
interface ViewAsKey {
  /** The key, as it is printed. It gives only the roles that the login role may assume anyway. */
  readonly text: string;
  /** Options with which the server accepts it besides the configured keys. */
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Returns a new key for each start, so that a configured secret is never printed. Undefined if an issuer is configured:
 * its tokens have an `iss` claim, which the explorer does not sign.
 */
function createViewAsKey({ jwtSecret, jwtIssuer, jwtJwksUri }: AppConfig): ViewAsKey | undefined {
  if ((jwtIssuer ?? jwtJwksUri) !== undefined) return undefined;
  const text = randomBytes(33).toString('base64url');
  const configured = jwtSecret === undefined ? undefined : parseKeys(jwtSecret);
  if (configured === undefined) return { text, options: { 'jwt-secret': text } };
  const own = configured.ok ? configured.value.map(renderJwk) : [];
  const set = { keys: [...own, { kty: 'oct', alg: 'HS256', k: Buffer.from(text).toString('base64url') }] };
  return { text, options: { 'jwt-secret': JSON.stringify(set), 'jwt-secret-is-base64': 'false' } };
}

/** Returns a JSON Web Key that is read as the same key. */
function renderJwk(key: KeyDescription): object {
  const { kid, algorithms } = key;
  const [alg, ...others] = algorithms;
  const material = key.kind === 'public' ? key.jwk : { kty: 'oct', k: Buffer.from(key.bytes).toString('base64url') };
  return { ...material, kid, ...(others.length === 0 ? { alg } : {}) };
}
