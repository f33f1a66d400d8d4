// Keeps the development database equal to the files of a project (`project.md` §2). One update at a time: read the files, run
// them in the shadow, compare with the database, apply the difference, reload the server.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { applyPlan, type ApplyFailure, type Work } from '../compare/apply-plan.ts';
import { describeChanges } from '../compare/describe-changes.ts';
import { describeObject } from '../compare/object-id.ts';
import type { Plan, SchemaDelta, SchemaState } from '../compare/schema-delta.ts';
import { readSchemaMark } from '../compare/schema-mark.ts';
import { type Problem, renderProblem } from '../folder/problem.ts';
import { type Project, readProject } from '../folder/read-project.ts';
import { type RolesMode, runRoles } from '../run/run-roles.ts';
import { runSeeds } from '../run/run-seed.ts';
import { SchemaRun } from '../run/schema-run.ts';
import { findDefaultSchema } from '../run/web-roles.ts';
import { findLosses } from './find-losses.ts';
import { findRenames, findStated, readRenameComments, type Rename, renderRename } from './find-renames.ts';
import type { ProjectDatabases } from './open-databases.ts';
import { fileNameOf, nameFiles, renderFailure, renderHeld, Stopwatch } from './report.ts';
import type { Workspace } from './workspace.ts';

export interface LoopParts {
  readonly root: string;
  readonly delta: SchemaDelta;
  readonly databases: ProjectDatabases;
  readonly workspace: Workspace;
  /** Opens a connection. */
  readonly connect: (uri: string) => Promise<Client>;
  /** Asks a person; undefined if there is none, or the files have changed before the answer. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<boolean | undefined>;
  readonly isLossAllowed: boolean;
  readonly rolesMode: RolesMode;
  /** Lets the rows of new tables be watched. */
  readonly publish: () => Promise<void>;
  readonly print: (text: string) => void;
  /** Prints what takes the time; undefined unless somebody wants to know. */
  readonly debug: ((text: string) => void) | undefined;
}

/** What the loop needs from the running server. Undefined members until it runs. */
export interface ServedApi {
  /** Runs a change of the schema while no request begins, and resolves when the server has loaded it. */
  change<T>(apply: () => Promise<T>, hasChanged: (result: T) => boolean): Promise<T>;
  /** Called after each change. */
  onApplied(): Promise<void>;
}

const LOCK_TIMEOUT_MS = 2000;
const LOCK_ATTEMPTS = 30;
const LOCK_PAUSE_MS = 300;
/** The database is read again when nothing has been saved for this time. */
const IDLE_MS = 1500;
const MAX_RENAME_ROUNDS = 3;

/** The tables of the user, as quoted names. */
const USER_TABLES = `select class.oid::regclass::text as name from pg_catalog.pg_class as class
join pg_catalog.pg_namespace as namespace on namespace.oid = class.relnamespace
where class.relkind in ('r', 'p') and not class.relispartition
  and nspname !~ '^pg_' and nspname not in ('information_schema', 'rowhouse')
  and not exists (select from pg_catalog.pg_depend where objid = class.oid and deptype = 'e')`;

export class ProjectLoop {
  /** The schema that is exposed unless `db-schemas` is set. */
  defaultSchema: 'api' | 'public' = 'public';
  readonly #parts: LoopParts;
  #api: ServedApi | undefined;
  #clients: { readonly dev: Client; readonly shadow: Client; readonly run: SchemaRun } | undefined;
  /** Of the files that were read last. */
  #texts: ReadonlyMap<string, string> = new Map();
  #roles: string | undefined;
  /** What cannot be compared, as it was last shown. */
  #unknown = '';
  /** The state of the development database, and the mark it had then. */
  #dev: { readonly state: SchemaState; readonly mark: string } | undefined;
  #objects: ReadonlySet<string>;
  #shown: Set<string>;
  #isSeedDue: boolean;
  /** Whether nothing has run in the development database. */
  #isEmpty: boolean;
  /** Whether the files have just run in it. */
  #isBuilt = false;
  /** Ends when nothing uses the connections. */
  #work: Promise<void> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();
  /** Of the files that were read last. */
  #digest: string | undefined;
  /** What was read since the last update began. */
  #next: Awaited<ReturnType<typeof readProject>> | undefined;
  /** Files that have changed since the last update that was applied. */
  readonly #changed: Set<string> = new Set();
  #isClosed = false;
  #question = new AbortController();
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    const applied = parts.databases.isNew ? undefined : parts.workspace.readState();
    this.#objects = new Set(applied?.objects);
    this.#shown = new Set(applied?.shown);
    this.#isSeedDue = parts.databases.isNew;
    this.#isEmpty = parts.databases.isNew;
  }

  /** Whether the database already contains what the files say, as far as the last run has recorded. */
  async isUpToDate(): Promise<boolean> {
    const { workspace, databases, root } = this.#parts;
    const applied = databases.isNew ? undefined : workspace.readState();
    const project = applied === undefined ? undefined : await readProject(root);
    if (applied === undefined || project?.ok !== true || digestOf(project.value) !== applied.files) return false;
    const { dev } = await this.#connect();
    if ((await readSchemaMark(dev)) !== applied.mark) return false;
    this.defaultSchema = await findDefaultSchema(dev);
    this.#texts = textsOf(project.value);
    this.#digest = applied.files;
    return true;
  }

  attach(api: ServedApi): void {
    this.#api = api;
  }

  /** Call when files may have changed. Resolves when they have been applied, or reported. */
  update(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readFiles());
    return this.#reading.then(() => this.#work);
  }

  async #readFiles(): Promise<void> {
    const project = await readProject(this.#parts.root);
    const digest = project.ok ? digestOf(project.value) : project.error.map(renderProblem).join();
    if (digest === this.#digest && !this.#isSeedDue) return;
    this.#digest = digest;
    this.#next = project;
    this.#question.abort();
    this.#work = this.#work.then(() => this.#updateUntilDone());
  }

  /** Whether somebody else has changed the schema of the database since the last update. */
  async isChangedByOthers(): Promise<boolean> {
    const asked = this.#work.then(async () => {
      const { dev } = await this.#connect();
      return (await readSchemaMark(dev)) !== this.#dev?.mark;
    });
    this.#work = asked.then(
      () => undefined,
      () => undefined,
    );
    return asked.catch(() => true);
  }

  /** Empties all tables and runs `seed/` again, if that is allowed or confirmed. */
  async reseed(): Promise<void> {
    const { root, print, isLossAllowed, ask } = this.#parts;
    const project = await readProject(root);
    if (!project.ok) return this.#report(project.error);
    const { dev } = await this.#connect();
    const { rows } = await dev.query<{ name: string }>(USER_TABLES);
    const question = `Empty ${rows.length} tables and fill them from seed/?`;
    if (!isLossAllowed && (await ask(question, this.#question.signal)) !== true)
      return print('Not reseeded: pass --allow-loss too, or answer y on a terminal.');
    const names = rows.map(({ name }) => name);
    const first = names.length === 0 ? '' : `truncate ${names.join(', ')} restart identity cascade`;
    const problem = await runSeeds(dev, project.value, first);
    print(problem === undefined ? 'The tables are filled from seed/.' : renderProblem(problem));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#question.abort();
    await this.#work;
    clearTimeout(this.#idle);
    const clients = this.#clients;
    this.#clients = undefined;
    await Promise.allSettled([clients?.dev.end(), clients?.shadow.end()]);
  }

  async #updateUntilDone(): Promise<void> {
    while (this.#next !== undefined && !this.#isClosed) {
      const project = this.#next;
      this.#next = undefined;
      this.#question = new AbortController();
      clearTimeout(this.#idle);
      try {
        await this.#updateOnce(project);
      } catch (error) {
        this.#clients = undefined;
        this.#dev = undefined;
        this.#digest = undefined;
        this.#parts.print(`The files could not be applied: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.#idle = setTimeout(() => (this.#work = this.#work.then(() => this.#readAgain())), IDLE_MS);
    this.#idle.unref();
  }

  async #updateOnce(project: Result<Project, readonly Problem[]>): Promise<void> {
    const watch = new Stopwatch(this.#parts.debug);
    if (!project.ok) return this.#report(project.error);
    this.#noteChanged(project.value);
    const prepared = await this.#prepare(project.value, watch);
    if (!prepared.ok) return this.#report(prepared.error);
    if (this.#isEmpty) await this.#build(project.value);
    const outcome = await this.#apply(project.value, prepared.value, watch);
    if (outcome === undefined) return;
    const seconds = (watch.total / 1000).toFixed(2);
    this.#parts.print(`${nameFiles([...this.#changed])}: ${outcome}, ${seconds} s`);
    this.#changed.clear();
    if (this.#isSeedDue) await this.#seed(project.value);
  }

  /** Runs the files in the new database, which makes even what cannot be compared. They have just run in the shadow. */
  async #build(project: Project): Promise<void> {
    const { dev } = await this.#connect();
    await dev.query('begin');
    const problems = await new SchemaRun(dev).run(project.schema);
    await dev.query(problems.length === 0 ? 'commit' : 'rollback');
    this.#isEmpty = problems.length > 0;
    this.#isBuilt = problems.length === 0;
    await this.#parts.publish();
  }

  /** Brings roles and shadow to the state of the files. */
  async #prepare(project: Project, watch: Stopwatch): Promise<Result<SchemaState, readonly Problem[]>> {
    const { delta, print } = this.#parts;
    const { dev, shadow, run } = await this.#connect();
    if (project.roles !== undefined && project.roles.text !== this.#roles) {
      const ran = await runRoles(dev, project.roles, this.#parts.rolesMode);
      if (!ran.ok) return fail([ran.error]);
      for (const difference of ran.value) print(difference);
      this.#roles = project.roles.text;
      watch.lap('roles');
    }
    const problems = await run.run(project.schema);
    watch.lap('files');
    if (problems.length > 0) return fail(problems);
    const state = await delta.read(shadow, { isInTransaction: true, hasSecrets: true });
    this.defaultSchema = await findDefaultSchema(shadow);
    watch.lap('read');
    const unknown = state.unknownKinds.join('\n');
    if (unknown !== this.#unknown && unknown !== '')
      print(`Changes of these objects are not followed; --fresh recreates them:\n${unknown}`);
    this.#unknown = unknown;
    return ok(state);
  }

  /** @returns what has changed; undefined if that was reported otherwise */
  async #apply(project: Project, files: SchemaState, watch: Stopwatch): Promise<string | undefined> {
    const { delta, print, isLossAllowed } = this.#parts;
    const { dev } = await this.#connect();
    const current = await this.#readDev();
    const isByHand = (key: string): boolean => !this.#objects.has(key);
    const desired = delta.add(files, current.state, (id) => isByHand(delta.encode(id)));
    this.#showByHand(files, current.state);
    const renamed = await this.#rename(project, { from: current.state, desired });
    if (renamed === undefined) return undefined;
    const { plan, renames } = renamed;
    watch.lap('compare');
    const schemas = [this.defaultSchema];
    if (plan.actions.length === 0 && renames.length === 0) {
      this.#record(project, files, { state: desired, mark: current.mark });
      const isBuilt = this.#isBuilt;
      this.#isBuilt = false;
      return isBuilt ? 'the database is made' : 'no change';
    }
    const losses = isLossAllowed ? [] : await findLosses(dev, plan, schemas);
    if (losses.length > 0 && !(await this.#confirm(losses))) {
      if (this.#question.signal.aborted) return undefined;
      print(renderHeld(losses));
      return undefined;
    }
    const work = { first: renames.map(renderRename), plan };
    const failure = await this.#run(dev, work);
    watch.lap('apply');
    if (failure !== undefined) {
      print(renderFailure(failure));
      this.#dev = undefined;
      return undefined;
    }
    this.#record(project, files, { state: desired, mark: await readSchemaMark(dev) });
    await this.#api?.onApplied();
    watch.lap('follow');
    return describeAll(plan, renames, schemas);
  }

  /** Asks whether the loss is intended. */
  async #confirm(losses: readonly string[]): Promise<boolean> {
    const question = `This change loses data:\n${losses.map((loss) => `  ${loss}\n`).join('')}Apply it?`;
    return (await this.#parts.ask(question, this.#question.signal)) === true;
  }

  /** Plans with the renames that the files state or that a person confirms; undefined if a question has no answer. */
  async #rename(
    project: Project,
    { from, desired }: { readonly from: SchemaState; readonly desired: SchemaState },
  ): Promise<{ readonly plan: Plan; readonly renames: readonly Rename[] } | undefined> {
    const { delta, ask } = this.#parts;
    const comments = readRenameComments(project.schema);
    const renames: Rename[] = [];
    let state = from;
    for (let round = 0; round < MAX_RENAME_ROUNDS; round += 1) {
      const stated = findStated(comments, state, desired);
      if (stated.length === 0) break;
      renames.push(...stated);
      state = await this.#readRenamed(renames);
    }
    let plan = delta.plan(state, desired);
    for (const rename of findRenames(plan, state, desired)) {
      const what = rename.table === undefined ? 'table' : `column ${rename.table}.`;
      const answer = await ask(
        `Was the ${what}${rename.table === undefined ? ' ' : ''}${rename.from} renamed to ${rename.to}?`,
        this.#question.signal,
      );
      if (answer === true) renames.push(rename);
    }
    if (this.#question.signal.aborted) return undefined;
    if (renames.length > 0) plan = delta.plan(await this.#readRenamed(renames), desired);
    return { plan, renames };
  }

  /** Returns the state that the development database would have after the renames. */
  async #readRenamed(renames: readonly Rename[]): Promise<SchemaState> {
    const { dev } = await this.#connect();
    await dev.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    try {
      for (const rename of renames) await dev.query(renderRename(rename));
      return await this.#parts.delta.read(dev, { isInTransaction: true, hasSecrets: true });
    } finally {
      await dev.query('rollback');
    }
  }

  /** Tries again while other sessions hold locks. */
  async #run(dev: Client, work: Work): Promise<ApplyFailure | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const apply = async (): Promise<Result<void, ApplyFailure>> => {
        const result = await applyPlan(dev, work, LOCK_TIMEOUT_MS);
        if (result.ok) await this.#parts.publish();
        return result;
      };
      const applied = await (this.#api === undefined
        ? apply()
        : this.#api.change(apply, ({ ok: isApplied }) => isApplied));
      if (applied.ok) return undefined;
      if (applied.error.kind !== 'locked' || attempt === LOCK_ATTEMPTS || this.#next !== undefined)
        return applied.error;
      if (attempt === 1) this.#parts.print('Waiting for a request or session that uses what changes …');
      await sleep(LOCK_PAUSE_MS);
    }
  }

  async #seed(project: Project): Promise<void> {
    const { databases, print } = this.#parts;
    const { dev } = await this.#connect();
    const problem = await runSeeds(dev, project);
    if (problem !== undefined) return print(renderProblem(problem));
    this.#isSeedDue = false;
    await databases.finish();
  }

  #showByHand(files: SchemaState, current: SchemaState): void {
    const { delta, print } = this.#parts;
    const plain = new Set([this.defaultSchema]);
    for (const { id, parent } of current.facts.facts()) {
      const key = delta.encode(id);
      if (files.facts.has(id) || this.#objects.has(key) || this.#shown.has(key)) continue;
      this.#shown.add(key);
      const isPart = parent !== undefined && parent.kind !== 'schema' && !files.facts.has(parent);
      if (isPart || 'target' in id || !('name' in id) || id.kind === 'role') continue;
      const name = describeObject(id, plain);
      print(`${name} is in the database but not in the files, and stays. It could go to ${fileNameOf(id)}.`);
    }
  }

  /** Reads the development database unless it is known and nobody has changed it. */
  async #readDev(): Promise<{ readonly state: SchemaState; readonly mark: string }> {
    const { dev } = await this.#connect();
    const mark = await readSchemaMark(dev);
    if (this.#dev?.mark !== mark) {
      const state = await this.#parts.delta.read(dev, { isInTransaction: false, hasSecrets: true });
      this.#dev = { state, mark };
    }
    return this.#dev;
  }

  /** What was planned and what PostgreSQL has made of it may differ in details. */
  async #readAgain(): Promise<void> {
    try {
      this.#dev = undefined;
      await this.#readDev();
    } catch {
      // The next update connects again, and reports if that fails.
      this.#clients = undefined;
    }
  }

  #record(project: Project, files: SchemaState, dev: { readonly state: SchemaState; readonly mark: string }): void {
    const { delta, workspace } = this.#parts;
    this.#dev = dev;
    this.#objects = new Set(files.facts.facts().map(({ id }) => delta.encode(id)));
    const state = { files: digestOf(project), mark: dev.mark, objects: [...this.#objects], shown: [...this.#shown] };
    workspace.writeState(state);
  }

  #report(problems: readonly Problem[]): void {
    this.#parts.print(`${problems.map(renderProblem).join('\n')}\nThe previous schema stays in use.`);
  }

  #noteChanged(project: Project): void {
    const texts = textsOf(project);
    const names = new Set([...texts.keys(), ...this.#texts.keys()]);
    for (const name of names) if (texts.get(name) !== this.#texts.get(name)) this.#changed.add(name);
    this.#texts = texts;
  }

  async #connect(): Promise<{ readonly dev: Client; readonly shadow: Client; readonly run: SchemaRun }> {
    if (this.#clients !== undefined) return this.#clients;
    const { connect, databases } = this.#parts;
    const [dev, shadow] = await Promise.all([connect(databases.devUri), connect(databases.shadowUri)]);
    const forget = (): void => {
      this.#clients = undefined;
    };
    dev.once('end', forget);
    shadow.once('end', forget);
    await shadow.query('begin');
    this.#clients = { dev, shadow, run: new SchemaRun(shadow) };
    return this.#clients;
  }
}

function textsOf({ schema, roles }: Project): ReadonlyMap<string, string> {
  return new Map([...(roles === undefined ? [] : [roles]), ...schema].map(({ path, text }) => [path, text]));
}

function digestOf(project: Project): string {
  const hash = createHash('sha256');
  for (const [name, text] of textsOf(project)) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex');
}

function describeAll(plan: Plan, renames: readonly Rename[], schemas: readonly string[]): string {
  const renamed = renames.map(
    ({ table, from, to }) => `~ ${table === undefined ? 'table ' : `column ${table}.`}${from} renamed to ${to}`,
  );
  return [...renamed, describeChanges(plan, schemas)].filter((text) => text !== undefined).join(', ');
}
