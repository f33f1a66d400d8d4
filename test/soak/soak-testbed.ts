// A private PostgreSQL, which can be restarted in place, and the built server in front of it.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderEmbeddedError } from '../../tools/embedded/cluster/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { until } from '../support/until.ts';
import { findFreePort, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { ANON, LOGIN, PUBLICATION, renderSoakSchema, SECRET } from './soak-schema.ts';

const PROBE = path.resolve('test/soak/heap-probe.js');
const POOL = 10;
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'logical' };

export class SoakTestbed {
  readonly server: ServerProcess;
  readonly pool: number = POOL;
  readonly heapFile: string;
  readonly #folder: string;
  #postgres: EmbeddedPostgres;

  private constructor(folder: string, postgres: EmbeddedPostgres, server: ServerProcess) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.server = server;
    this.heapFile = heapFileIn(folder);
  }

  static async start(): Promise<SoakTestbed> {
    const folder = path.join(os.tmpdir(), `rowhouse-soak-${randomBytes(6).toString('hex')}`);
    const postgres = await startDatabase(folder, await findFreePort());
    try {
      await withConnection(postgres.uri, (client) => client.query(renderSoakSchema()));
      return new SoakTestbed(folder, postgres, await startServer(folder, postgres.port));
    } catch (error) {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Superuser connection. */
  get databaseUri(): string {
    return this.#postgres.uri;
  }

  get serverPid(): number {
    return this.server.pid ?? 0;
  }

  sql(text: string): Promise<unknown> {
    return withConnection(this.databaseUri, (client) => client.query(text));
  }

  /** Resolves once the server is ready again, with the milliseconds since the database was back. */
  async restartDatabase(): Promise<number> {
    await this.#postgres.stop();
    this.#postgres = await startDatabase(this.#folder, this.#postgres.port);
    const start = performance.now();
    await until(() => this.#isReady(), { seconds: 60 });
    return performance.now() - start;
  }

  /** Opens as many sessions as the pool allows. */
  async fillPool(): Promise<void> {
    const nap = `http://127.0.0.1:${this.server.port}/rpc/nap`;
    const body = JSON.stringify({ seconds: 0.3 });
    const headers = { 'Content-Type': 'application/json', Connection: 'close' };
    await Promise.all(
      Array.from({ length: POOL }, async () => (await fetch(nap, { method: 'POST', headers, body })).text()),
    );
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.#postgres.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #isReady(): Promise<boolean> {
    const headers = { Connection: 'close' };
    const answer = await fetch(`http://127.0.0.1:${this.server.adminPort}/ready`, { headers }).catch(() => undefined);
    // A response that is not read keeps its connection until it is collected.
    await answer?.text();
    return answer?.status === 200;
  }
}

function heapFileIn(folder: string): string {
  return path.join(folder, 'heap');
}

async function startDatabase(dataFolder: string, port: number): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataFolder, port, settings: SETTINGS });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  return started.value;
}

function startServer(folder: string, databasePort: number): Promise<ServerProcess> {
  const probe = pathToFileURL(PROBE);
  probe.searchParams.set('file', heapFileIn(folder));
  return startServerProcess(
    {
      'db-uri': `postgresql://${LOGIN}@127.0.0.1:${databasePort}/postgres`,
      'db-schemas': 'api',
      'db-anon-role': ANON,
      'db-pool': POOL,
      'live-publication': PUBLICATION,
      'db-pool-max-idletime': 3600,
      'jwt-secret': SECRET,
      'log-level': 'crit',
    },
    { nodeArguments: ['--expose-gc', '--import', probe.href] },
  );
}
