// The environment of one page: a database, usually the demo, a server over it with the configuration of `--demo`, a
// folder for files that the reader saves, and the processes that the page starts.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSqlFile } from '../../tools/embedded/script/load-sql.ts';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { withConnection, withDatabase } from '../../tools/embedded/script/sql-session.ts';
import { type RunningServer, startServer } from '../../src/index.ts';
import { toProgramOptions, toVariables, type Options } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { findFreePort } from '../support/server-process.ts';
import { signToken } from '../../tools/token/issue-token.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = path.join(ROOT, 'dist/cli/main.js');
const SECRET = 'the secret of the demo, which nobody needs to know';
/** The demo. */
const DEMO: PageDatabase = { sql: readFileSync(path.join(ROOT, 'tools/demo/demo.sql'), 'utf8'), options: {} };
const QUIET = { writeOut: () => {}, writeError: () => {} };
/** For commands that exit on their own. */
const COMMAND_TIMEOUT_MS = 60_000;
const ROLES = `select rolname as name from pg_roles where rolname !~ '^pg_'`;

/** What a page finds when it starts. */
export interface PageDatabase {
  readonly sql: string;
  /** Added to those of `--demo`. */
  readonly options: Options;
}

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class PageStage {
  /** Inside the sources, so that programs of the page can import `rowhouse` and its dependencies. */
  readonly folder: string = path.join(ROOT, '.rowhouse/docs', randomBytes(6).toString('hex'));
  /** The token that the banner of the demo prints. */
  readonly token: string = signToken({ role: 'demo_user', resident_id: 1 }, SECRET);
  readonly #adminUri: string;
  readonly #database = `page_${randomBytes(6).toString('hex')}`;
  readonly #sql: string;
  #options: Options;
  #adminPort = 0;
  #rolesBefore: readonly string[] = [];
  #server: RunningServer | undefined;
  #own: { readonly child: ChildProcess; readonly port: number; readonly adminPort: number } | undefined;

  /** @param adminUri database `postgres` of a PostgreSQL whose only other roles were created by pages */
  constructor(adminUri: string, { sql, options }: PageDatabase = DEMO) {
    this.#adminUri = adminUri;
    this.#sql = sql;
    this.#options = options;
  }

  get uri(): string {
    return withDatabase(this.#adminUri, this.#database);
  }

  async open(): Promise<void> {
    this.#adminPort = await findFreePort();
    mkdirSync(this.folder, { recursive: true });
    await withConnection(this.#adminUri, async (client) => {
      await client.query(`create database ${this.#database} template template0`);
      await client.query(`alter database ${this.#database} set timezone to 'UTC'`);
    });
    await withConnection(this.uri, (client) => client.query(this.#sql));
    this.#rolesBefore = await this.#listRoles();
  }

  async close(): Promise<void> {
    await this.#server?.stop();
    await this.#endOwn();
    const made = (await this.#listRoles()).filter((role) => !this.#rolesBefore.includes(role));
    await withConnection(this.#adminUri, async (client) => {
      await client.query(`drop database ${this.#database} with (force)`);
      if (made.length > 0)
        await client.query(`drop role ${made.map((role) => client.escapeIdentifier(role)).join(', ')}`);
    });
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** True unless the page has started a server itself. */
  get isDemo(): boolean {
    return this.#own === undefined;
  }

  /** Adds options of the page's server to those of the demo. */
  async setOptions(options: Options): Promise<void> {
    this.#options = { ...this.#options, ...options };
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Runs SQL like `rowhouse sql`. The next request sees the changes. */
  async runSql(text: string): Promise<void> {
    const file = path.join(this.folder, 'block.sql');
    writeFileSync(file, text);
    const loaded = await loadSqlFile(this.uri, file);
    if (!loaded.ok) throw new Error(renderEmbeddedError(loaded.error));
    await this.setOptions({});
  }

  /** Returns a function that maps `localhost:3000`, and `localhost:3001` for the admin server, to the actual port. */
  async locate(): Promise<(host: string) => number> {
    if (this.#own === undefined) this.#server ??= await this.#start();
    const ports = this.#own ?? {
      port: portOf(this.#server?.apiAddress),
      adminPort: portOf(this.#server?.adminAddress),
    };
    return (host) => {
      if (host === 'localhost:3000') return ports.port;
      if (host === 'localhost:3001') return ports.adminPort;
      throw new Error(`pages must use localhost:3000, or localhost:3001 for the admin server, not ${host}`);
    };
  }

  /** Replaces the addresses in a program that uses the page's server. */
  async point(text: string): Promise<string> {
    const locate = await this.locate();
    return text.replaceAll(/\blocalhost:300[01]\b/gu, (host) => `localhost:${locate(host)}`);
  }

  /** @param args arguments of `rowhouse` or of `node` */
  async run(program: 'rowhouse' | 'node', args: readonly string[], variables: NodeJS.ProcessEnv): Promise<Run> {
    const child = this.#spawn(program === 'node' ? args : [MAIN, ...args], {
      // A server that the page starts takes its configuration from the page as well.
      ...(program === 'rowhouse' &&
        this.#own === undefined &&
        !hasOwnDatabase(args) &&
        toVariables(this.#allOptions())),
      ...variables,
    });
    const run = collect(child);
    const killer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(killer);
    return { ...run(), code };
  }

  /** Starts `rowhouse` with the page's arguments, on free ports, and keeps it running until the page ends. */
  async serve(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
    await this.#endOwn();
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    const ports = { SVC_SERVER_PORT: String(port), SVC_ADMIN_SERVER_PORT: String(adminPort) };
    const child = this.#spawn([MAIN, ...args], { ...variables, ...ports });
    const run = collect(child);
    this.#own = { child, port, adminPort };
    const isReady = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`the server exited: ${run().stderr}`);
      const response = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => undefined);
      return response?.status === 200;
    };
    await until(isReady, { seconds: 120, why: () => run().stderr });
  }

  async #start(): Promise<RunningServer> {
    return await startServer({ options: toProgramOptions(this.#allOptions()), environment: {}, output: QUIET });
  }

  #allOptions(): Options {
    const uri = new URL(this.uri);
    uri.username = 'authenticator';
    return {
      'db-uri': uri.href,
      'db-schemas': 'api',
      'db-anon-role': 'demo_anon',
      'jwt-secret': SECRET,
      'server-host': '127.0.0.1',
      'server-port': 0,
      'admin-server-port': this.#adminPort,
      ...this.#options,
    };
  }

  #spawn(args: readonly string[], variables: NodeJS.ProcessEnv): ChildProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC_|PGRST_|PG|ROWHOUSE_|VITEST)/u.test(name));
    const own = { ROWHOUSE_DATA: path.join(this.folder, 'data') };
    const env = { ...Object.fromEntries(inherited), ...own, ...variables };
    return spawn(process.execPath, args, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async #endOwn(): Promise<void> {
    const child = this.#own?.child;
    this.#own = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  async #listRoles(): Promise<readonly string[]> {
    const { rows } = await withConnection(this.#adminUri, (client) => client.query<{ readonly name: string }>(ROLES));
    return rows.map(({ name }) => name);
  }
}

/** Returns true if the command brings its own database. */
function hasOwnDatabase(args: readonly string[]): boolean {
  return args[0] === 'sql' || args[0] === 'dev' || args.includes('--demo');
}

function portOf(address: string | undefined): number {
  return Number(/\d+$/u.exec(address ?? '')?.[0]);
}

function collect(child: ChildProcess): () => { readonly stdout: string; readonly stderr: string } {
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  return () => ({ ...written });
}
