// Keeps the development database equal to the files of a project (`project.md` §2). One update at a time: read the files, run
// them in the shadow, compare with the database, apply the difference, reload the server.
// Long because the steps of one update share the state of the loop, and are read in their order.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { messageOf } from '../../support/thrown.ts';
import { applyPlan, type ApplyFailure, type Work } from '../compare/apply-plan.ts';
import { readCatalog } from '../compare/catalog/catalog.ts';
import { readSchemaMark } from '../compare/schema-mark.ts';
import { describeProblem, type Outcome, type Problem, renderProblem } from '../folder/problem.ts';
import { type Project, readProject, ROLES_FILE } from '../folder/read-project.ts';
import { findMisplacedRole, listRoles, runRoles } from '../run/run-roles.ts';
import { renderSeedFailure, reseed, runSeeds } from '../run/run-seed.ts';
import { runSchema } from '../run/schema-run.ts';
import { findDefaultSchema } from '../run/web-roles.ts';
import { showByHand } from './by-hand.ts';
import { type Completion, UpdateCompleter } from './complete-update.ts';
import { describeCommaInComment } from './find-renames.ts';
import { findLosses } from './find-losses.ts';
import { findAdvances } from './keep-in-place.ts';
import type { Ask, FilesState, KnownDatabase, LoopParts, PlannedUpdate, ServedApi } from './loop-parts.ts';
import { LoopSessions } from './loop-sessions.ts';
import { type PlanningTools, planUpdate } from './plan-update.ts';
import { describeUpdate, nameFiles, renderFailure, renderHeld, renderRefusal, Stopwatch } from './report.ts';
import { describeUnserved, findUnserved, type UnservedTable } from './unserved.ts';
import { digestOf, readSeedMarks, textsOf } from './workspace.ts';

const LOCK_TIMEOUT_MS = 2000;
const LOCK_ATTEMPTS = 30;
const LOCK_PAUSE_MS = 300;
/** The database is read again when nothing has been saved for this time. */
const IDLE_MS = 1500;
const RETRY_MS = 1000;
/** While files are saved all the time, only some of their states are applied. */
const MAX_SKIPPED = 3;
const NO_CHANGE = 'no change';
const MADE = 'the database is made';
const SYNTAX_ERROR = '42601';

export class ProjectLoop {
  /** The schema that is exposed unless `db-schemas` is set. */
  defaultSchema: 'api' | 'public' = 'public';
  readonly #parts: LoopParts;
  #api: ServedApi | undefined;
  readonly #sessions: LoopSessions;
  /** Of the files that were read last. */
  #texts: ReadonlyMap<string, string> = new Map();
  #roles: string | undefined;
  readonly #completer = new UpdateCompleter();
  /** What cannot be changed in place, as it was last shown. */
  #unchangeable: string | undefined;
  /** The state of the development database, and the mark it had then. */
  #dev: KnownDatabase | undefined;
  /** The mark of the database when the server was last told to load its schema. */
  #served: string | undefined;
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
  /** Whether an update waits for an answer, with no statement under way. */
  #isAsking = false;
  #wasAsked = false;
  /** They run when no update does. */
  readonly #checks: Set<() => Promise<void>> = new Set();
  /** Whether nobody was there to answer the last question. */
  #isUnanswered = false;
  /** Updates that were left out one after the other. */
  #skipped = 0;
  /** Why the last update had no connection. */
  #failure: string | undefined;
  /** Whether a person answered the last question with no. */
  #isRefused = false;
  /** Of the update under way. */
  #watch: Stopwatch | undefined;
  /** What running `roles.sql` has done, since the last line about a save. */
  #rolesNote: string | undefined;
  /** Marks of the files of `seed/`; undefined before they are known. */
  #seeds: ReadonlyMap<string, string> | undefined;
  /** Tables of the files that have no route, by name. */
  #unserved: ReadonlyMap<string, UnservedTable> = new Map();
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#sessions = new LoopSessions(parts.databases, parts.connect);
    const applied = parts.databases.isNew ? undefined : parts.workspace.readState();
    this.#objects = new Set(applied?.objects);
    this.#shown = new Set(applied?.shown);
    this.#isSeedDue = parts.databases.isSeedDue;
    this.#isEmpty = parts.databases.isNew;
  }

  /** Whether the database already contains what the files say, as far as the last run has recorded. */
  async isUpToDate(): Promise<boolean> {
    const { workspace, databases, root } = this.#parts;
    const applied = databases.isSeedDue ? undefined : workspace.readState();
    const project = applied === undefined ? undefined : await readProject(root);
    if (applied === undefined || project?.ok !== true || digestOf(project.value) !== applied.files) return false;
    const { dev } = await this.#sessions.open();
    if ((await readSchemaMark(dev)) !== applied.mark) return false;
    this.#served = applied.mark;
    this.defaultSchema = await findDefaultSchema(dev);
    this.#texts = textsOf(project.value);
    this.#digest = applied.files;
    return true;
  }

  /** From now on the explorer can answer. */
  attach(api: ServedApi): void {
    this.#api = api;
    if (this.#isUnanswered) this.#digest = undefined;
  }

  get unserved(): ReadonlyMap<string, UnservedTable> {
    return this.#unserved;
  }

  /** Call when files may have changed. Resolves when they have been applied, or reported. */
  update(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readFiles());
    return this.#reading.then(() => this.#work);
  }

  async #readFiles(): Promise<void> {
    const project = await readProject(this.#parts.root);
    const digest = project.ok ? digestOf(project.value) : project.error.map(renderProblem).join();
    if (project.ok && !this.#isSeedDue) await this.#noteSeeds(project.value);
    if (digest === this.#digest && !this.#isSeedDue && !this.#isRefused) return;
    this.#isRefused = false;
    this.#digest = digest;
    this.#next = project;
    this.#question.abort();
    this.#work = this.#work.then(() => this.#updateUntilDone());
  }

  /** Whether somebody else has changed the schema of the database since the server loaded it. Does not wait for an answer. */
  isChangedByOthers(): Promise<boolean> {
    return new Promise((resolve) => {
      const check = async (): Promise<void> => {
        if (this.#checks.delete(check)) resolve(await this.#hasOtherMark().catch(() => true));
      };
      this.#checks.add(check);
      if (this.#isAsking) void check();
      else this.#work = this.#work.then(check);
    });
  }

  async #hasOtherMark(): Promise<boolean> {
    const before = this.#served;
    this.#served = await readSchemaMark((await this.#sessions.open()).dev);
    return this.#served !== before;
  }

  /** Empties all tables and runs `seed/` again, if that is allowed or confirmed. */
  async reseed(): Promise<void> {
    const { root, print, isLossAllowed, ask } = this.#parts;
    const project = await readProject(root);
    if (!project.ok) return this.#report(project.error);
    const { dev } = await this.#sessions.open();
    const mayEmpty = async (tables: number): Promise<boolean> =>
      isLossAllowed || (await ask({ kind: 'reseed', tables }, this.#question.signal)) === true;
    print(await reseed(dev, project.value, mayEmpty));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#question.abort();
    await this.#work;
    clearTimeout(this.#idle);
    await this.#sessions.close();
  }

  async #updateUntilDone(): Promise<void> {
    while (this.#next !== undefined && !this.#isClosed) {
      const project = this.#next;
      this.#next = undefined;
      this.#question = new AbortController();
      clearTimeout(this.#idle);
      try {
        await this.#updateOn(project);
        this.#failure = undefined;
      } catch (error) {
        await this.#recover(error);
      }
    }
    if (this.#failure !== undefined) return;
    this.#idle = setTimeout(() => (this.#work = this.#work.then(() => this.#readAgain())), IDLE_MS);
    this.#idle.unref();
    this.#sessions.yieldWhenAwaited((task) => void (this.#work = this.#work.then(task)));
  }

  /** Sessions of an earlier update may have ended since, or during this one: it is made once more with new ones. */
  async #updateOn(project: Outcome<Project>): Promise<void> {
    const isKept = this.#sessions.isOpen;
    try {
      return await this.#updateOnce(project);
    } catch (error) {
      if (!isKept) throw error;
    }
    await this.#leaveSessions();
    await this.#updateOnce(project);
  }

  async #leaveSessions(): Promise<void> {
    await this.#sessions.close();
    this.#dev = undefined;
  }

  /** The connection is lost, or cannot be made: tries again until it is there. Reports the reason once. */
  async #recover(error: unknown): Promise<void> {
    await this.#leaveSessions();
    this.#digest = undefined;
    const failure = messageOf(error);
    if (failure !== this.#failure) this.#refuse(`The files could not be applied yet: ${failure}`);
    this.#failure = failure;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.update(), RETRY_MS).unref();
  }

  async #updateOnce(project: Outcome<Project>): Promise<void> {
    const watch = new Stopwatch(this.#parts.debug);
    this.#watch = watch;
    if (!project.ok) return this.#report(project.error);
    this.#noteChanged(project.value);
    const prepared = await this.#prepare(project.value, watch);
    if (this.#next !== undefined && this.#skipped < MAX_SKIPPED) {
      this.#skipped += 1;
      return;
    }
    this.#skipped = 0;
    if (!prepared.ok) return this.#report(prepared.error);
    if (this.#isEmpty) await this.#build(project.value);
    const outcome = await this.#apply(project.value, prepared.value, watch);
    if (outcome === undefined) return;
    this.#parts.show({ kind: 'none' });
    const seconds = (watch.total / 1000).toFixed(2);
    // A seed file can be all that has changed.
    if (this.#changed.size > 0)
      this.#parts.print(`${nameFiles([...this.#changed])}: ${this.#addRoles(outcome)}, ${seconds} s`);
    this.#changed.clear();
    this.#rolesNote = undefined;
    this.#showUnserved(project.value, prepared.value);
    if (this.#isSeedDue) await this.#seed(project.value);
  }

  /** Runs the files in the new database, which makes even what cannot be compared. They have just run in the shadow. */
  async #build(project: Project): Promise<void> {
    const { dev } = await this.#sessions.open();
    const problems = await runSchema(dev, project.schema);
    this.#isEmpty = problems.length > 0;
    if (!this.#isEmpty) await this.#parts.databases.record('schema');
    this.#isBuilt = problems.length === 0;
    await this.#parts.publish();
  }

  /** Brings roles and shadow to the state of the files. */
  async #prepare(project: Project, watch: Stopwatch): Promise<Outcome<FilesState>> {
    const { delta, print } = this.#parts;
    const { dev, shadow, run } = await this.#sessions.open();
    if (project.roles !== undefined && project.roles.text !== this.#roles) {
      const before = new Set(await listRoles(dev));
      const ran = await runRoles(dev, project.roles, this.#parts.rolesMode);
      if (!ran.ok) return fail([ran.error]);
      for (const difference of ran.value) print(difference);
      const made = (await listRoles(dev)).filter((role) => !before.has(role));
      this.#rolesNote = made.length === 0 ? 'roles.sql has run' : made.map((role) => `+ role ${role}`).join(', ');
      this.#roles = project.roles.text;
      watch.lap('roles');
    }
    const problems = await run.run(project.schema);
    watch.lap('files');
    if (problems.length > 0) return fail(problems);
    const misplaced = await findMisplacedRole(project, dev, shadow);
    if (misplaced !== undefined) return fail([misplaced]);
    const schema = await delta.read(shadow, { isInTransaction: true, hasSecrets: true });
    const catalog = await readCatalog(shadow, { isInTransaction: true });
    this.defaultSchema = await findDefaultSchema(shadow);
    watch.lap('read');
    return ok({ schema, catalog });
  }

  /** @returns what has changed; undefined if that was reported otherwise */
  async #apply(project: Project, files: FilesState, watch: Stopwatch): Promise<string | undefined> {
    const { dev } = await this.#sessions.open();
    const update = await this.#settle(project, files, this.#parts.ask);
    watch.lap('compare');
    if (update === undefined) return undefined;
    const { plan, desired } = update;
    const isKnown = (name: string): boolean => this.#objects.has(name);
    const early = await this.#completer.findEarly(dev, files.catalog, isKnown);
    const first = [...update.first, ...early.statements];
    if (plan.actions.length === 0 && first.length === 0) {
      const completion = await this.#completer.examine(dev, files.catalog, isKnown);
      if (completion.changed.length === 0) {
        this.#showUnchangeable(completion);
        return this.#leave(project, files, { state: desired, mark: update.mark });
      }
    }
    let completion: Completion | undefined;
    const findLast = async (): Promise<readonly string[]> => {
      completion = await this.#completer.complete(dev, files.catalog, isKnown);
      return findAdvances(plan).map(({ sql }) => sql);
    };
    const failure = await this.#run(dev, { first, plan, findLast });
    watch.lap('apply');
    if (failure !== undefined) {
      this.#refuse(renderFailure(failure, project.schema));
      this.#dev = undefined;
      return undefined;
    }
    if (completion !== undefined) this.#showUnchangeable(completion);
    this.#served = await readSchemaMark(dev);
    this.#record(project, files, { state: desired, mark: this.#served });
    await this.#api?.onApplied();
    watch.lap('follow');
    return describeUpdate(update, [this.defaultSchema], [...early.changed, ...(completion?.changed ?? [])]);
  }

  /** Plans again if somebody has changed the schema before the answer: the plan would drop what they have made. */
  async #settle(project: Project, files: FilesState, ask: Ask): Promise<PlannedUpdate | undefined> {
    this.#wasAsked = false;
    const update = await this.#decide(project, files, ask);
    if (update === undefined || !this.#wasAsked) return update;
    const { dev } = await this.#sessions.open();
    return (await readSchemaMark(dev)) === update.mark ? update : this.#settle(project, files, ask);
  }

  /** Plans the update. @returns undefined if it is not to be applied, or would lose what it may not, which has been reported */
  async #decide(project: Project, files: FilesState, ask: Ask): Promise<PlannedUpdate | undefined> {
    const { isLossAllowed, askInExplorer, show, print } = this.#parts;
    const update = await this.#plan(project, files, ask);
    if (update === undefined || isLossAllowed) return update;
    const { dev } = await this.#sessions.open();
    const losses = await findLosses(dev, { ...update, schemas: [this.defaultSchema] });
    if (losses.length === 0) return update;
    const { signal } = this.#question;
    const answer = await this.#await(ask({ kind: 'loss', losses }, signal));
    this.#isUnanswered = answer === undefined;
    if (answer === true) return update;
    if (signal.aborted) return undefined;
    this.#isRefused = answer === false;
    if (ask !== askInExplorer) print(renderHeld(losses, answer === undefined));
    // Nobody is at the terminal: the save is held back until somebody answers in the explorer.
    if (answer === undefined && ask !== askInExplorer) return this.#settle(project, files, askInExplorer);
    show({ kind: 'unapplied', reason: renderHeld(losses, false), isRefused: true });
    return undefined;
  }

  /** Compares the files with the database. @returns undefined if the difference cannot be applied, which has been reported */
  async #plan(project: Project, files: FilesState, ask: Ask): Promise<PlannedUpdate | undefined> {
    const { delta, print } = this.#parts;
    const { dev } = await this.#sessions.open();
    const { state, mark } = await this.#readDev();
    const desired = delta.add(files.schema, state, (id) => !this.#objects.has(delta.encode(id)));
    const known = { delta, objects: this.#objects, shown: this.#shown, schemas: new Set([this.defaultSchema]) };
    for (const line of showByHand(known, { files: files.schema, current: state })) print(line);
    const { signal } = this.#question;
    let isAsked = false;
    const askOnce: PlanningTools['ask'] = (question) => {
      isAsked = true;
      return this.#await(ask(question, signal));
    };
    const tools = { delta, dev, lockTimeoutMs: LOCK_TIMEOUT_MS, ask: askOnce };
    const planned = await planUpdate(tools, project, state, desired);
    // Without a question, a newer save does not keep this one from being applied: it may be one of many.
    if (isAsked && signal.aborted) return undefined;
    if (!planned.ok) {
      this.#refuse(renderRefusal(planned.error));
      return undefined;
    }
    return { ...planned.value, desired, mark };
  }

  /** Records that nothing has to change. @returns what to report */
  async #leave(project: Project, files: FilesState, dev: KnownDatabase): Promise<string> {
    this.#record(project, files, dev);
    if (!this.#isBuilt) return NO_CHANGE;
    this.#isBuilt = false;
    this.#served = dev.mark;
    // The server may run already, if the files were broken when it started.
    await this.#api?.change(
      () => Promise.resolve(),
      () => true,
    );
    await this.#api?.onApplied();
    return MADE;
  }

  /** Waits for an answer. */
  async #await(answer: ReturnType<Ask>): ReturnType<Ask> {
    this.#isAsking = true;
    this.#wasAsked = true;
    for (const check of this.#checks) void check();
    const timed = this.#watch?.leaveOut(answer) ?? answer;
    return timed.finally(() => (this.#isAsking = false));
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
        : this.#api.change(apply, (result) => result.ok || result.error.kept.length > 0));
      if (applied.ok) return undefined;
      if (applied.error.kind !== 'locked' || attempt === LOCK_ATTEMPTS || this.#next !== undefined)
        return applied.error;
      if (attempt === 1) this.#parts.print('Waiting for a request or session that uses what changes …');
      await sleep(LOCK_PAUSE_MS);
    }
  }

  async #seed(project: Project): Promise<void> {
    const { dev } = await this.#sessions.open();
    const problem = await runSeeds(dev, project);
    if (problem !== undefined) return this.#refuse(renderSeedFailure(problem, 'The next save runs seed/ again.'));
    this.#isSeedDue = false;
    await this.#parts.databases.record('seed');
  }

  #showUnchangeable({ unchangeable }: Completion): void {
    if (unchangeable !== this.#unchangeable && unchangeable !== undefined)
      this.#parts.print(`${escapeLine(unchangeable)} cannot be changed in place: --fresh recreates the database.`);
    this.#unchangeable = unchangeable;
  }

  /** Reads the development database unless it is known and nobody has changed it. */
  async #readDev(): Promise<KnownDatabase> {
    const { dev } = await this.#sessions.open();
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
      await this.#sessions.renewIfWorn();
    } catch {
      // The next update connects again, and reports if that fails.
      await this.#sessions.close();
    }
  }

  #record(project: Project, files: FilesState, dev: KnownDatabase): void {
    const { delta, workspace } = this.#parts;
    this.#dev = dev;
    const objects = files.schema.facts.facts().map(({ id }) => delta.encode(id));
    this.#objects = new Set([...objects, ...files.catalog.facts.keys()]);
    this.#completer.noteApplied(files.catalog);
    const state = { files: digestOf(project), mark: dev.mark, objects: [...this.#objects], shown: [...this.#shown] };
    workspace.writeState(state);
  }

  /** A role may be all that has changed, or belong to other changes. */
  #addRoles(outcome: string): string {
    if (this.#rolesNote === undefined || !this.#changed.has(ROLES_FILE) || outcome === MADE) return outcome;
    if (outcome === NO_CHANGE) return escapeLine(this.#rolesNote);
    return this.#rolesNote.startsWith('+') ? `${escapeLine(this.#rolesNote)}, ${outcome}` : outcome;
  }

  /** Says once for each table of the files that it has no route because it lies in another schema. */
  #showUnserved({ schema: files }: Project, { schema }: FilesState): void {
    const served = this.#api?.schemas() ?? [];
    if (served.length === 0) return;
    const tables = findUnserved(files, schema, served);
    for (const table of tables)
      if (!this.#unserved.has(table.name)) this.#parts.print(escapeLine(describeUnserved(table)));
    this.#unserved = new Map(tables.map((table) => [table.name, table]));
  }

  /** A file of `seed/` has run already. */
  async #noteSeeds(project: Project): Promise<void> {
    const marks = await readSeedMarks(project);
    const before = this.#seeds;
    this.#seeds = marks;
    const changed =
      before === undefined ? [] : [...marks.keys()].filter((file) => marks.get(file) !== before.get(file));
    if (changed.length > 0)
      this.#parts.print(
        `${nameFiles(changed)}: not run, because seed/ runs once. Start with --reseed to empty the tables and run it again.`,
      );
  }

  #report(problems: readonly Problem[]): void {
    const explained = problems.map((problem) => this.#explainComma(problem));
    this.#parts.print(`${explained.map(renderProblem).join('\n')}\nThe previous schema stays in use.`);
    this.#parts.show({ kind: 'broken', problems: explained.map(describeProblem) });
  }

  #explainComma(problem: Problem): Problem {
    const text = problem.sqlstate === SYNTAX_ERROR ? this.#texts.get(problem.file ?? '') : undefined;
    const hint = text === undefined ? undefined : describeCommaInComment(text);
    return hint === undefined ? problem : { ...problem, hint: [problem.hint, hint].filter(Boolean).join('\n') };
  }

  #refuse(reason: string): void {
    this.#parts.print(reason);
    this.#parts.show({ kind: 'unapplied', reason });
  }

  #noteChanged(project: Project): void {
    const texts = textsOf(project);
    const names = new Set([...texts.keys(), ...this.#texts.keys()]);
    for (const name of names) if (texts.get(name) !== this.#texts.get(name)) this.#changed.add(name);
    this.#texts = texts;
  }
}
