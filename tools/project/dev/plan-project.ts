// Plans `rowhouse dev DIR`: makes the database of a project, serves it like `rowhouse dev`, and follows the files.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'pg';
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { escapeLines } from '../../../src/observe/escape-text.ts';
import { loadDriver } from '../../../src/postgres/connect/load-driver.ts';
import type { Observation } from '../../../src/observe/observation.ts';
import type { RowhouseServer } from '../../../src/server/rowhouse-server.ts';
import type { ServePlan } from '../../../src/server/serve-plan.ts';
import {
  type ConfigLocation,
  createConfigReader,
  overrideOptions,
} from '../../../src/service/configuration/read-config.ts';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { LIVE_PUBLICATION } from '../../../src/extensions/live/publication.ts';
import { publishTables } from '../../demo/load-demo.ts';
import { findTakenPort } from '../../dev/check-ports.ts';
import { ExplorerNews } from '../../dev/explorer-news.ts';
import { buildPlan, type ChosenRoles, openLocation } from '../../dev/plan-dev.ts';
import { withConnection } from '../../embedded/script/sql-session.ts';
import { describeFailure } from '../../support/describe-failure.ts';
import { messageOf } from '../../support/thrown.ts';
import { withConfig } from '../../support/with-config.ts';
import { loadTypes } from '../../typegen/load-types.ts';
import { SchemaDelta } from '../compare/schema-delta.ts';
import { CONFIG_FILE } from '../folder/read-project.ts';
import { forgetRunningDev, recordRunningDev } from '../folder/running-dev.ts';
import { askAPerson } from './ask.ts';
import { openDatabases, type ProjectDatabases } from './open-databases.ts';
import type { Ask, LoopParts } from './loop-parts.ts';
import { ProjectLoop } from './project-loop.ts';
import { RequestGate } from './request-gate.ts';
import { explainNotFound } from './unserved.ts';
import { FolderWatch } from './watch-folder.ts';
import { Workspace } from './workspace.ts';

/** A statement of a schema file that runs longer is a mistake. */
const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5000;
/** One line says what became of a save. */
const REPORTED: ReadonlySet<Observation['kind']> = new Set(['configReloaded', 'cacheQueried', 'cacheLoaded']);

/** Returns a line about findings that are new since the last call. @param uri of the development database */
export type FindNew = (uri: string) => Promise<string | undefined>;

interface ProjectOptions extends ChosenRoles {
  /** Where to write TypeScript types after each change. */
  readonly typesFile: string | undefined;
  /** Whether changes that lose data are applied without a question. */
  readonly isLossAllowed: boolean;
  /** Whether memberships and settings of roles are applied on a server of one's own too. */
  readonly areRolesApplied: boolean;
  /** Whether the database is recreated. */
  readonly isFresh: boolean;
  /** Whether the tables are emptied and filled again from `seed/`. */
  readonly isReseeded: boolean;
}

export async function planProject(
  command: ProjectOptions,
  root: string,
  stated: ConfigLocation,
  findNew: FindNew,
): Promise<Result<ServePlan, string>> {
  const delta = await SchemaDelta.load();
  if (!delta.ok) return delta;
  const located = locate(root, stated);
  if (!located.ok) return located;
  const taken = await findTakenPort(located.value.location.options);
  if (taken !== undefined) return fail(taken);
  const workspace = Workspace.open(root);
  if (!workspace.ok) return workspace;
  const { uri, location } = located.value;
  const databases = await openDatabases({ root, uri, isFresh: command.isFresh });
  if (!databases.ok) {
    workspace.value.close();
    return databases;
  }
  const session = new ProjectSession(command, {
    root,
    delta: delta.value,
    databases: databases.value,
    workspace: workspace.value,
    findNew,
    options: location.options,
  });
  const plan = await session.plan(location.config);
  if (!plan.ok) await session.close();
  return plan;
}

interface ProjectLocation {
  /** The server to use; undefined: the embedded PostgreSQL. */
  readonly uri: string | undefined;
  readonly location: { readonly config: ConfigLocation; readonly options: AppConfig };
}

/** Takes the configuration of the project. Its database is not that of the configuration, unless the command names one. */
function locate(root: string, stated: ConfigLocation): Result<ProjectLocation, string> {
  const uri = stated.overrides?.['db-uri'];
  const own = { ...stated, file: path.join(root, CONFIG_FILE), isFileOptional: true, fileHint: undefined };
  const opened = openLocation(overrideOptions(own, { 'db-uri': uri ?? '' }));
  if (!opened.ok) return opened;
  const { location, config } = opened.value;
  return ok({ uri, location: { config: location, options: config } });
}

interface SessionParts extends Pick<LoopParts, 'root' | 'delta' | 'databases' | 'workspace'> {
  /** At the start. */
  readonly options: AppConfig;
  readonly findNew: FindNew;
}

/** One run of the command. */
class ProjectSession {
  readonly #command: ProjectOptions;
  readonly #root: string;
  readonly #databases: ProjectDatabases;
  readonly #workspace: Workspace;
  readonly #loop: ProjectLoop;
  #config: AppConfig;
  readonly #isDebug: boolean;
  readonly #findNew: FindNew;
  readonly #gate = new RequestGate();
  readonly #news = new ExplorerNews();
  /** Nobody answers there before it is served. */
  #askInExplorer: Ask = () => Promise.resolve(undefined);
  #watch: FolderWatch | undefined;
  /** One check at a time. */
  #checked: Promise<void> = Promise.resolve();

  constructor(command: ProjectOptions, { options, findNew, ...parts }: SessionParts) {
    this.#config = options;
    this.#isDebug = options.logLevel === 'debug';
    this.#findNew = findNew;
    this.#command = command;
    this.#root = parts.root;
    this.#databases = parts.databases;
    this.#workspace = parts.workspace;
    this.#loop = new ProjectLoop({
      ...parts,
      connect,
      ask: (...asked) => askAPerson(asked, this.#askInExplorer),
      askInExplorer: (...asked) => this.#askInExplorer(...asked),
      show: (save) => this.#news.show(save),
      isLossAllowed: command.isLossAllowed,
      rolesMode: parts.databases.dataFolder !== undefined || command.areRolesApplied ? 'all' : 'missing',
      publish: () => this.#publish(),
      print: (text) => process.stdout.write(`${escapeLines(text)}\n`),
      debug: this.#isDebug ? (text) => process.stdout.write(`${text}\n`) : undefined,
    });
  }

  async plan(stated: ConfigLocation): Promise<Result<ServePlan, string>> {
    if (!(await this.#loop.isUpToDate())) await this.#loop.update();
    if (this.#command.isReseeded) await this.#loop.reseed();
    await this.#makeKeyTable();
    const { devUri, dataFolder } = this.#databases;
    const own = {
      ...stated.defaults,
      'db-schemas': this.#loop.defaultSchema,
      ...(dataFolder === undefined ? {} : { 'live-publication': LIVE_PUBLICATION }),
    };
    // Worker processes would not wait while the schema changes.
    const overrides = { 'db-uri': devUri, 'server-workers': '1' };
    const needsLoad = (): Promise<boolean> => this.#loop.isChangedByOthers();
    // What the user has given contains their own password.
    const databaseUri = dataFolder === undefined ? Object.assign(new URL(devUri), { password: '' }).href : devUri;
    const database = { demo: undefined, project: this.#root, databaseUri, needsLoad, news: this.#news };
    const development = { ...database, location: overrideOptions({ ...stated, defaults: own }, overrides) };
    const plan = await buildPlan(development, this.#command);
    if (!plan.ok) return plan;
    // Read again when the files begin to create the schema `api`.
    const defaults: Record<string, string> = { ...plan.value.location.defaults };
    const location = { ...plan.value.location, defaults };
    return ok({
      ...plan.value,
      location,
      guard: (handler) =>
        this.#gate.guard(handler, (request, response) => explainNotFound(request, response, this.#loop.unserved)),
      onListening: (server) => {
        // Without a key, the explorer cannot answer.
        if (plan.value.console !== undefined) this.#askInExplorer = (...asked) => this.#askOnPages(...asked);
        if (!this.#isDebug) server.service.logger.hidden = REPORTED;
        this.#follow(server, { location, defaults });
        recordRunningDev(this.#root, { uri: devUri, key: plan.value.key });
        return plan.value.onListening(server);
      },
      onEnded: async () => {
        await plan.value.onEnded();
        await this.close();
      },
    });
  }

  #askOnPages(...[question, signal]: Parameters<Ask>): ReturnType<Ask> {
    return question.kind === 'reseed' ? Promise.resolve(undefined) : this.#news.ask(question, signal);
  }

  async close(): Promise<void> {
    forgetRunningDev(this.#root);
    this.#watch?.close();
    await this.#loop.close();
    await this.#databases.stop();
    this.#workspace.close();
  }

  #follow(
    { service }: RowhouseServer,
    { location, defaults }: { readonly location: ConfigLocation; readonly defaults: Record<string, string> },
  ): void {
    this.#loop.attach({
      change: (apply, hasChanged) =>
        this.#gate.closeFor(async () => {
          const result = await apply();
          if (!hasChanged(result)) return result;
          if (defaults['db-schemas'] !== this.#loop.defaultSchema) {
            defaults['db-schemas'] = this.#loop.defaultSchema;
            await service.reloadConfig();
          }
          await service.reloadSchemaCache();
          return result;
        }),
      onApplied: async () => {
        await this.#writeTypes(location);
        this.#check();
      },
      schemas: () => service.config.dbSchemas,
    });
    this.#news.onAskAgain = () => void this.#loop.update();
    const settings = new SettingsFile(location, async () => {
      await service.reloadConfig();
      this.#config = service.config;
      await this.#makeKeyTable();
      await this.#publish();
    });
    this.#watch = new FolderWatch(this.#root, () => {
      void settings.follow();
      void this.#loop.update();
    });
    void this.#loop.update();
    void this.#writeTypes(location);
    this.#check();
  }

  /** Prints what the last save leaves open. Findings from before are known. */
  #check(): void {
    this.#checked = this.#checked.then(async () => {
      const line = await this.#findNew(this.#databases.devUri).catch(() => undefined);
      if (line !== undefined) process.stdout.write(`${escapeLines(line)}\n`);
    });
  }

  /** If it fails, the server says what is missing. */
  async #publish(): Promise<void> {
    const { dataFolder, devUri } = this.#databases;
    const isLive = dataFolder !== undefined || this.#config.livePublication === LIVE_PUBLICATION;
    if (isLive) await publishTables(devUri).catch(() => undefined);
  }

  /** For idempotency keys, if the configuration names a schema. If it fails, the first request with a key says why. */
  async #makeKeyTable(): Promise<void> {
    const schema = this.#config.dbIdempotencySchema;
    if (schema === undefined) return;
    const sql = renderIdempotencySetup(schema).join('\n');
    await withConnection(this.#databases.devUri, (client) => client.query(sql)).catch(() => undefined);
  }

  async #writeTypes(location: ConfigLocation): Promise<void> {
    const file = this.#command.typesFile;
    if (file === undefined) return;
    const report = (reason: string): void => void process.stdout.write(`The types were not written: ${reason}\n`);
    await withConfig(location, async ({ pool, readWholeConfig }) => {
      const config = await readWholeConfig();
      if (config === undefined) return;
      const types = await loadTypes(pool, config, { areFunctionsExact: false });
      if (types.ok) await writeFile(file, types.value).catch((error: unknown) => report(messageOf(error)));
      else report(describeFailure(types.error, SVC_DIALECT));
    }).catch((error: unknown) => report(messageOf(error)));
  }
}

/** The configuration file of the project. Its options apply after a save, apart from those that need a restart. */
class SettingsFile {
  readonly #location: ConfigLocation;
  readonly #apply: () => Promise<void>;
  #text: Promise<string>;

  /** @param location its file may be missing */
  constructor(location: ConfigLocation, apply: () => Promise<void>) {
    this.#location = location;
    this.#apply = apply;
    this.#text = this.#read();
  }

  /** Call when it may have changed. */
  async follow(): Promise<void> {
    const [before, now] = [this.#text, this.#read()];
    this.#text = now;
    if ((await before) === (await now)) return;
    await this.#apply();
    // The server says what is wrong.
    const isValid = createConfigReader(this.#location)(new Map(), undefined).ok;
    process.stdout.write(`${CONFIG_FILE}: ${isValid ? 'read again' : 'not applied; the options from before stay'}\n`);
  }

  async #read(): Promise<string> {
    const { file } = this.#location;
    return file === undefined ? '' : readFile(file, 'utf8').catch(() => '');
  }
}

async function connect(uri: string): Promise<Client> {
  const driver = loadDriver();
  const client = new driver.Client({
    connectionString: uri,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c statement_timeout=${STATEMENT_TIMEOUT_MS} -c idle_in_transaction_session_timeout=0 -c jit=off`,
  });
  // A lost connection emits this; the next statement fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
