// Opens a project for tests: joins its cluster, copies the template, and loads the API of the copy.
import path from 'node:path';
import type { Statement } from '../../src/contract/transaction.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import { errorOf } from '../project/folder/problem.ts';
import { type Project, readProject } from '../project/folder/read-project.ts';
import { isFolder } from '../command-line/operands.ts';
import { createHeldApi, createNamesFinder } from './api/held-api.ts';
import { loadContext } from './api/load-context.ts';
import { type ClientApi, createClient } from './api/test-client.ts';
import { TestDatabases } from './cluster/databases.ts';
import { joinCluster } from './cluster/join-cluster.ts';
import { readSequences, restoreSequences, type SequenceState } from './cluster/sequences.ts';
import { readMutationRun } from './cluster/mutation-run.ts';
import { nameTemplate, provideTemplate } from './cluster/template.ts';
import { HeldTransaction, probeOnce, runAll } from './session/held-transaction.ts';
import { createUseLog, noteRequest, noteScripts, type NoteUse, type UseLog } from './session/note-uses.ts';
import { type OwnerStatement, readStatements } from './session/owner-statements.ts';
import type { Row } from './session/json-rows.ts';
import { readModes } from './session/savepoint-bounds.ts';
import { noteTransaction } from './session/session-transactions.ts';
import { openSuperuser, runSql } from './sql/run-sql.ts';
import type { HttpRequest } from '../../src/contract/http.ts';
import { renderArrayLiteral } from '../../src/sql/text/array-literal.ts';
import {
  type AssumableRoles,
  describeRefusedRole,
  FIND_ASSUMABLE,
  findCreatedRoles,
  readAssumableRoles,
} from '../project/folder/project-roles.ts';
import type { As, TestProject, TestSession } from './contract/types.ts';
import type { RequestContext } from '../../src/serve/request-context.ts';
import type { VisibleNamesFinder } from '../../src/service/schema-cache/visible-names-finder.ts';

/**
 * Opens the project of the nearest folder that contains `schema/`, from `dir` upwards. The first time, and after a file has
 * changed, it makes the database; later it copies it.
 *
 * @param dir defaults to the working directory
 * @throws what is wrong with the files, the configuration or the embedded PostgreSQL
 */
export async function openProject(dir: string = process.cwd()): Promise<TestProject> {
  const root = findRoot(path.resolve(dir));
  const former = opened.get(root) ?? Promise.resolve(undefined);
  const project = former.catch(() => undefined).then((previous) => reopen(root, previous));
  opened.set(root, project);
  return project;
}

/** Two sessions of one test may wait for each other. */
const LOCK_TIMEOUT = 'options=-c%20lock_timeout%3D4s';

/** Opens a connection for the transaction of a test. */
function openHeld(uri: string): Promise<Session> {
  return openSuperuser(`${uri}?${LOCK_TIMEOUT}`);
}

/** Those of this process, for the next file of tests. */
const opened: Map<string, Promise<OpenedProject>> = new Map();

/** Keeps the project of an earlier call unless a file has changed. */
async function reopen(root: string, previous: OpenedProject | undefined): Promise<OpenedProject> {
  const read = await readProject(root);
  if (!read.ok) throw errorOf(read.error);
  const project = read.value;
  watchFiles(project);
  const mutation = readMutationRun(root);
  const template = mutation?.template ?? (await nameTemplate(project));
  if (previous?.template === template && previous.isUsable) return previous;
  await previous?.close();
  const member = await joinCluster(mutation?.root ?? root);
  const kept = mutation === undefined ? await provideTemplate(member, project, template) : undefined;
  const databases = await TestDatabases.open(member, kept ?? { name: template });
  const copy = await databases.takeRolledBack();
  const { uri } = copy;
  const context = await loadContext(project, uri, kept);
  const connection = await openHeld(uri);
  const sequences = copy.sequences ?? (await readSequences(connection));
  if (copy.sequences === undefined) await databases.noteSequences(copy, sequences);
  const modes = await readModes(connection);
  const assumable = await findAssumable(connection, project);
  for (const session of [member.session, connection]) session.keepProcess(false);
  return new OpenedProject({
    project,
    template,
    databases,
    uri,
    context,
    member: member.session,
    connection,
    sequences,
    modes,
    assumable,
    uses: createUseLog(mutation),
  });
}

/** Has `node --test --watch` run the file of tests again after a save of SQL, as after one of a module that it imports. */
function watchFiles({ root, schema, roles, seeds, configFile }: Project): void {
  if (process.env['WATCH_REPORT_DEPENDENCIES'] === undefined || process.send === undefined) return;
  const own = [...schema.map((file) => file.path), ...(roles === undefined ? [] : [roles.path]), ...seeds];
  const files = own.map((file) => path.join(root, file));
  process.send({ 'watch:require': [...files, ...(configFile === undefined ? [] : [configFile])] });
}

async function findAssumable(connection: Session, { roles }: Project): Promise<AssumableRoles | undefined> {
  if (roles === undefined) return undefined;
  const rows = await runSql(connection, FIND_ASSUMABLE, [renderArrayLiteral(findCreatedRoles(roles))]);
  return readAssumableRoles(rows.map(([login, role]) => ({ login: login ?? '', role: role ?? '' })));
}

function findRoot(dir: string): string {
  for (let folder = dir; ; folder = path.dirname(folder)) {
    if (isFolder(path.join(folder, 'schema'))) return folder;
    if (path.dirname(folder) === folder) throw new Error(`Neither ${dir} nor a folder above it has a folder schema/.`);
  }
}

interface ProjectPlace {
  readonly project: Project;
  readonly template: string;
  readonly databases: TestDatabases;
  /** Of the copy whose tests are rolled back. */
  readonly uri: string;
  readonly context: RequestContext;
  readonly member: Session;
  /** Of the first session. */
  readonly connection: Session;
  /** As the template has them. */
  readonly sequences: SequenceState;
  /** Of its constraints. */
  readonly modes: readonly Statement[];
  /** Roles that the server can have in production; undefined if `roles.sql` creates no login role. */
  readonly assumable: AssumableRoles | undefined;
  readonly uses: UseLog | undefined;
}

class OpenedProject implements TestProject {
  readonly root: string;
  readonly template: string;
  readonly #place: ProjectPlace;
  readonly #names: VisibleNamesFinder;
  /** Connections that no session uses now. They do not keep the process running. */
  readonly #idle: Session[];
  /** Finds names beside the transactions of tests; undefined: it was not needed yet. */
  #side: Session | undefined;
  #openSessions = 0;
  /** Settles when the sequences are as the template has them. */
  #restored: Promise<void> = Promise.resolve();

  constructor(place: ProjectPlace) {
    this.root = place.project.root;
    this.template = place.template;
    this.#place = place;
    this.#idle = [place.connection];
    this.#names = createNamesFinder(place.context, () => this.#openSide());
  }

  /** Whether the cluster still runs. */
  get isUsable(): boolean {
    return this.#place.member.loss === undefined;
  }

  /** Open sessions keep their connections. */
  async close(): Promise<void> {
    const side = this.#side === undefined ? [] : [this.#side];
    await Promise.all(
      [...this.#idle.splice(0), ...side, this.#place.member].map((session) => {
        session.keepProcess(true);
        return session.close();
      }),
    );
  }

  async #openSide(): Promise<Session> {
    this.#side = await openSuperuser(this.#place.uri);
    this.#side.keepProcess(false);
    return this.#side;
  }

  test(body: (as: As, session: TestSession) => unknown): () => Promise<void> {
    const note = this.#place.uses?.();
    return async () => {
      const session = await this.#begin(note);
      try {
        await body(session.as, session);
      } finally {
        await session.end();
      }
    };
  }

  begin(): Promise<TestSession> {
    return this.#begin(this.#place.uses?.());
  }

  async #begin(note: NoteUse | undefined): Promise<TestSession> {
    const { uri, sequences, modes } = this.#place;
    const connection = this.#idle.pop() ?? (await openHeld(uri));
    connection.keepProcess(true);
    if (this.#openSessions === 0) this.#restored = restoreSequences(connection, sequences);
    this.#openSessions += 1;
    try {
      await this.#restored;
      return this.#createHeldSession(connection, await HeldTransaction.begin(connection, modes), note);
    } catch (error) {
      this.#openSessions -= 1;
      connection.destroy('the session could not begin');
      throw error;
    }
  }

  #createHeldSession(connection: Session, transaction: HeldTransaction, note: NoteUse | undefined): TestSession {
    const session = createSession({
      api: createHeldApi(this.#place.context, { transaction, runner: noteScripts(transaction, note) }, this.#names),
      runAsOwner: (statements) => transaction.runAsOwner(statements),
      refuse: (request) => this.#refuse(request),
      end: async () => {
        this.#openSessions -= 1;
        if (!(await transaction.end())) return connection.destroy('the test has left it in another state');
        connection.keepProcess(false);
        this.#idle.push(connection);
      },
    });
    noteTransaction(session, { transaction, schemas: this.#place.context.config.dbSchemas });
    return session;
  }

  /** The superuser of the tests may assume every role. @returns why the server could not answer the request in production */
  #refuse({ mount, headers }: HttpRequest): string | undefined {
    const { assumable, context } = this.#place;
    const hasToken = headers.some(([name]) => name.toLowerCase() === 'authorization');
    const session = mount?.session;
    const anonymous = hasToken ? undefined : context.config.dbAnonRole;
    const role = typeof session === 'object' ? session.role : anonymous;
    if (assumable === undefined || role === undefined || assumable.roles.has(role)) return undefined;
    return describeRefusedRole(role, assumable);
  }

  async commit(): Promise<TestSession> {
    const { project, databases, member, context, uses } = this.#place;
    const note = uses?.();
    member.keepProcess(true);
    try {
      const { startTestService } = await import('./api/test-service.ts');
      const uri = await databases.create();
      const service = await startTestService(project, uri);
      const connection = await openSuperuser(uri);
      const api: ClientApi = {
        send: (request) => {
          if (note !== undefined) noteRequest(request, context.config, note);
          return service.serving.requests.handle(request, CLIENT);
        },
        explain: async (answered) => {
          const { explainRequest } = await import('../access/why/explain-request.ts');
          return probeOnce(connection, (runs) => explainRequest(answered, service.serving.state.snapshot(), runs));
        },
      };
      return createSession({
        api,
        runAsOwner: (statements) => runAll(connection, statements),
        refuse: (request) => this.#refuse(request),
        end: async () => {
          await Promise.all([service.stop(), connection.close()]);
          await databases.remove(uri);
          member.keepProcess(false);
        },
      });
    } catch (error) {
      member.keepProcess(false);
      throw error;
    }
  }
}

/** Of the requests of tests. */
const CLIENT = { address: undefined, httpVersion: '1.1' };

interface SessionParts {
  readonly api: ClientApi;
  readonly runAsOwner: (statements: readonly OwnerStatement[]) => Promise<readonly Row[]>;
  /** @returns why a request is not sent */
  readonly refuse: (request: HttpRequest) => string | undefined;
  readonly end: () => Promise<void>;
}

function createSession({ api, runAsOwner, refuse, end }: SessionParts): TestSession {
  let ended: Promise<void> | undefined;
  const hasEnded = 'The session of the test has ended.';
  const guarded: ClientApi = {
    send: async (request) => {
      const reason = ended === undefined ? refuse(request) : hasEnded;
      if (reason !== undefined) throw new Error(reason);
      return api.send(request);
    },
    explain: async (answered) => {
      if (ended !== undefined) throw new Error(hasEnded);
      return api.explain(answered);
    },
  };
  const as: As = Object.assign((identity: Parameters<As>[0]) => createClient(guarded, identity), {
    nobody: createClient(guarded, undefined),
    owner: async (texts: TemplateStringsArray, ...values: readonly unknown[]) => {
      if (ended !== undefined) throw new Error(hasEnded);
      return [...(await runAsOwner(readStatements(texts, values)))];
    },
  });
  const endOnce = (): Promise<void> => (ended ??= end());
  return { as, end: endOnce, [Symbol.asyncDispose]: endOnce };
}
