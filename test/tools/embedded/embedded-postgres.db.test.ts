import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { renderEmbeddedError } from '../../../tools/embedded/cluster/embedded-error.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { useFolder } from '../../support/use.ts';
import { listen } from '../../support/listen.ts';

const FAST = { fsync: 'off', full_page_writes: 'off' };
const running = new Set<EmbeddedPostgres>();

const parent = useFolder();
const dataFolder: string = path.join(parent, 'data');

afterAll(async () => {
  await Promise.all([...running].map((postgres) => postgres.stop()));
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataFolder, password: 'correct horse', settings: FAST, ...options });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  running.add(started.value);
  return started.value;
}

async function stop(postgres: EmbeddedPostgres): Promise<void> {
  await postgres.stop();
  running.delete(postgres);
}

async function readOne(uri: string, sql: string): Promise<unknown> {
  return await withConnection(uri, async (client) => {
    const { rows } = await client.query<{ readonly value: unknown }>(sql);
    return rows[0]?.value;
  });
}

/** Expects that PostgreSQL answers, and rejects the password of the URI. */
async function expectRejected(uri: string): Promise<void> {
  const refusal = { name: 'ConnectError', message: expect.stringMatching(/ rejected the password of postgres\.$/u) };
  await expect(readOne(uri, 'select 1 as value')).rejects.toMatchObject(refusal);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie counts as dead; its command line is empty.
    return !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

test.runIf(process.platform === 'linux')('backends keep the memory of a statement for the next one', async () => {
  const postgres = await start({ dataFolder: path.join(parent, 'heap') });
  const variables = readFileSync(`/proc/${postgres.pid}/environ`, 'utf8').split('\0');
  expect(variables).toEqual(
    expect.arrayContaining(['MALLOC_TRIM_THRESHOLD_=33554432', 'MALLOC_MMAP_THRESHOLD_=16777216']),
  );
  await stop(postgres);
});

describe('clusters without a password are copies of a kept one', () => {
  let temporary: string;
  let count = 0;
  beforeAll(() => {
    temporary = path.join(parent, 'temporary');
    mkdirSync(temporary, { mode: 0o711 });
    vi.stubEnv('TMPDIR', temporary);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  /** @returns what `initdb` has given the cluster, and copies have in common */
  async function identify(password?: string): Promise<unknown> {
    const postgres = await start({ dataFolder: path.join(parent, `copy${(count += 1)}`), password });
    const identifier = await readOne(postgres.uri, 'select system_identifier::text as value from pg_control_system()');
    await stop(postgres);
    return identifier;
  }

  const findKept = (): readonly string[] => readdirSync(temporary).map((name) => path.join(temporary, name));

  test('the second equals the first, but not one with a password', async () => {
    const first = await identify();
    expect(findKept()).toEqual([expect.stringMatching(/\/rowhouse-cluster-[\da-f]{16}$/u)]);
    expect(await identify()).toBe(first);
    expect(await identify('correct horse')).not.toBe(first);
  });

  test.each([
    ['lacks a file, since systems remove old ones', (kept: string) => rmSync(path.join(kept, 'cluster/PG_VERSION'))],
    ['lacks an empty folder', (kept: string) => rmdirSync(path.join(kept, 'cluster/pg_notify'))],
    ['does not say how many files it has', (kept: string) => rmSync(path.join(kept, 'count'))],
  ])('one that %s is replaced', async (_, damage) => {
    const before = await identify();
    damage(findKept()[0]!);
    const after = await identify();
    expect(after).not.toBe(before);
    expect(await identify()).toBe(after);
  });

  test.skipIf(process.platform === 'win32')('one to which other users can write is not used', async () => {
    const before = await identify();
    chmodSync(findKept()[0]!, 0o777);
    expect(await identify()).not.toBe(before);
    expect(findKept()).toHaveLength(1);
  });
});

test('a new cluster listens on the loopback interface and requires the password', async () => {
  const postgres = await start();
  expect(await readOne(postgres.uri, `select current_setting('listen_addresses') as value`)).toBe('127.0.0.1');
  await expectRejected(postgres.uri.replace('correct%20horse', 'wrong'));
  await stop(postgres);
  expect(isAlive(postgres.pid)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'only the owner can access the Unix socket, which requires the same password',
  async () => {
    const postgres = await start();
    const { socketFolder = '' } = postgres;
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
    const local = new URL(postgres.uri);
    local.hostname = encodeURIComponent(socketFolder);
    expect(await readOne(local.href, 'select inet_client_addr() is null as value')).toBe(true);
    local.password = 'wrong';
    await expectRejected(local.href);
    await stop(postgres);
  },
);

test.skipIf(process.platform === 'win32')('no socket is created if its path would be too long', async () => {
  const postgres = await start({ dataFolder: path.join(parent, 'deep'.repeat(25)) });
  expect(postgres.socketFolder).toBeUndefined();
  expect(await readOne(postgres.uri, `select current_setting('unix_socket_directories') as value`)).toBe('');
  await stop(postgres);
});

test('PostgreSQL does not run as root, and only its user can read its files', () => {
  const cluster = statSync(path.join(dataFolder, 'pgdata'));
  const self = process.getuid?.() ?? 0;
  expect(cluster.uid).not.toBe(0);
  expect(self === 0 || cluster.uid === self).toBe(true);
  expect(cluster.mode & 0o777).toBe(0o700);
});

test('data survives a restart', async () => {
  const first = await start();
  await withConnection(first.uri, (client) => client.query(`create table kept as select 'still here' as value`));
  await stop(first);
  const second = await start();
  expect(await readOne(second.uri, 'select value from kept')).toBe('still here');
  await stop(second);
});

test('the cluster recovers after PostgreSQL was killed', async () => {
  const first = await start();
  await withConnection(first.uri, (client) => client.query('create table survived as select 42 as value'));
  process.kill(first.pid, 'SIGKILL');
  const second = await start();
  expect(await readOne(second.uri, 'select value from survived')).toBe(42);
  await stop(second);
  running.delete(first);
});

test('a stale lock file with the pid of an unrelated process is ignored', async () => {
  const lock = path.join(dataFolder, 'pgdata', 'postmaster.pid');
  writeFileSync(
    lock,
    [process.pid, path.join(dataFolder, 'pgdata'), 1, 5432, '', '127.0.0.1', '', 'ready', ''].join('\n'),
  );
  const postgres = await start();
  expect(await readOne(postgres.uri, 'select value from survived')).toBe(42);
  await stop(postgres);
});

test('a folder in use by a running PostgreSQL is an error', async () => {
  const first = await start();
  const second = await startEmbeddedPostgres({ dataFolder });
  expect(second).toEqual({ ok: false, error: { kind: 'folderInUse', folder: dataFolder, pid: first.pid } });
  expect(await readOne(first.uri, 'select value from survived')).toBe(42);
  await stop(first);
});

test('the start waits for a PostgreSQL that is shutting down', async () => {
  const first = await start();
  const [second] = await Promise.all([start(), sleep(300).then(() => stop(first))]);
  expect(await readOne(second.uri, 'select value from survived')).toBe(42);
  await stop(second);
});

test('a port in use is reported', async () => {
  const server = net.createServer();
  const port = await listen(server);
  expect(await startEmbeddedPostgres({ dataFolder, port })).toEqual({ ok: false, error: { kind: 'portInUse', port } });
  server.close();
});

test('data of another major version is an error', async () => {
  const version = path.join(dataFolder, 'pgdata', 'PG_VERSION');
  const needed = readFileSync(version, 'utf8').trim();
  writeFileSync(version, '9\n');
  expect(await startEmbeddedPostgres({ dataFolder })).toEqual({
    ok: false,
    error: { kind: 'versionMismatch', folder: dataFolder, found: '9', needed },
  });
  writeFileSync(version, `${needed}\n`);
});

test('a folder that cannot be created is an error', async () => {
  const file = path.join(parent, 'file');
  writeFileSync(file, '');
  const folder = path.join(file, 'data');
  expect(await startEmbeddedPostgres({ dataFolder: folder })).toMatchObject({
    ok: false,
    error: { kind: 'folderUnusable', folder },
  });
});

test('of two starts on one new folder, one succeeds and the other reports the folder as in use', async () => {
  const shared = path.join(parent, 'shared');
  const both = await Promise.all([1, 2].map(() => startEmbeddedPostgres({ dataFolder: shared, settings: FAST })));
  const winners = both.flatMap((result) => (result.ok ? [result.value] : []));
  const errors = both.flatMap((result) => (result.ok ? [] : [result.error.kind]));
  await Promise.all(winners.map((postgres) => postgres.stop()));
  expect(errors).toEqual(['folderInUse']);
  expect(winners).toHaveLength(1);
});

/** Spawns a process that starts a temporary PostgreSQL, prints its pid and runs `then`. */
function startElsewhere(folder: string, then: string): ChildProcessByStdio<null, Readable, null> {
  const module = fileURLToPath(new URL('../../../tools/embedded/cluster/embedded-postgres.ts', import.meta.url));
  const script = `
    const { runnerImport } = await import('vite');
    const { module } = await runnerImport(${JSON.stringify(module)}, { configFile: false, logLevel: 'silent' });
    const options = { dataFolder: ${JSON.stringify(folder)}, isTemporary: true };
    const { value: postgres } = await module.startEmbeddedPostgres(options);
    console.log(postgres.pid);
    ${then}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function readPid(starter: ChildProcessByStdio<null, Readable, null>): Promise<number> {
  const [line]: readonly unknown[] = await once(starter.stdout, 'data');
  return Number(String(line));
}

test('killing the starting process stops PostgreSQL and removes a temporary folder', async () => {
  const temporary = path.join(parent, 'killed');
  const starter = startElsewhere(temporary, 'setInterval(() => {}, 1000);');
  const pid = await readPid(starter);
  expect(isAlive(pid)).toBe(true);
  starter.kill('SIGKILL');
  await expect.poll(() => isAlive(pid) || existsSync(temporary), { timeout: 60_000 }).toBe(false);
});

test('a process does not exit before `stop` has completed', async () => {
  const temporary = path.join(parent, 'stopped');
  const starter = startElsewhere(temporary, `await postgres.stop(); console.log('done');`);
  const exit = once(starter, 'exit');
  const pid = await readPid(starter);
  expect(await exit).toEqual([0, null]);
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(temporary)).toBe(false);
});
