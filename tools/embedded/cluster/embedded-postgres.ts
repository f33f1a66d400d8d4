// Starts an embedded PostgreSQL on a data folder: finds the binaries, initializes the cluster, launches it on the
// loopback interface and watches it. Used by the demo and the tests.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, Socket } from 'node:net';
import { spawn } from 'node:child_process';
import { initializeCluster } from './initialize-cluster.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { launchPostmaster, type Postmaster, type PostmasterPlan } from './launch-postmaster.ts';
import { resolveBinaries } from './postgres-binaries.ts';
import { awaitRelease } from './postmaster-file.ts';
import { resolveProcessUser } from './process-user.ts';

export interface EmbeddedOptions {
  /** Created if missing. Contains the cluster (`pgdata`) and the log of the last run (`postgres.log`). */
  readonly dataFolder: string;
  /** Defaults to `free`, any unused port. */
  readonly port?: number | 'free';
  /** Password of the superuser `postgres`, set on creation. Without one, all local connections are trusted. */
  readonly password?: string | undefined;
  /** PostgreSQL parameters. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Binaries to use in place of the installed package. */
  readonly binFolder?: string | undefined;
  /** Removes the data folder when the database stops, even if this process is killed. */
  readonly isTemporary?: boolean;
}

export interface EmbeddedPostgres {
  /** Superuser connection to the database `postgres`. */
  readonly uri: string;
  readonly port: number;
  /** Folder of the Unix socket; undefined if it cannot have one. */
  readonly socketFolder: string | undefined;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

const START_TRIES = 5;
const RETRY_PAUSE_MS = 200;

export async function startEmbeddedPostgres(
  options: EmbeddedOptions,
): Promise<Result<EmbeddedPostgres, EmbeddedError>> {
  const dataFolder = path.resolve(options.dataFolder);
  const clusterFolder = path.join(dataFolder, 'pgdata');
  const user = resolveProcessUser(clusterFolder);
  if (!user.ok) return user;
  const binaries = await resolveBinaries(options.binFolder, user.value);
  if (!binaries.ok) return binaries;
  const place = { dataFolder, clusterFolder, user: user.value };
  const initialized = await initializeCluster({ ...place, binaries: binaries.value, password: options.password });
  if (!initialized.ok) return initialized;
  const occupant = await awaitRelease(clusterFolder);
  if (occupant !== undefined) return fail({ kind: 'folderInUse', folder: dataFolder, pid: occupant.pid });
  const socketFolder = await findSocketFolder(clusterFolder);
  const launched = await launchOnPort(options.port ?? 'free', {
    ...place,
    socketFolder,
    binFolder: binaries.value.binFolder,
    logFile: path.join(dataFolder, 'postgres.log'),
    settings: options.settings ?? {},
  });
  return launched.ok ? ok({ ...watch(launched.value, dataFolder, options), socketFolder }) : launched;
}

interface Launched {
  readonly postmaster: Postmaster;
  readonly port: number;
}

async function launchOnPort(
  requestedPort: number | 'free',
  plan: Omit<PostmasterPlan, 'port'>,
): Promise<Result<Launched, EmbeddedError>> {
  for (let tries = 1; ; tries += 1) {
    const port = requestedPort === 'free' ? await findFreePort() : requestedPort;
    const launched = await launchPostmaster({ ...plan, port });
    if (launched.ok) return ok({ postmaster: launched.value, port });
    if (tries === START_TRIES || !isTransient(launched.error, requestedPort)) return launched;
    await sleep(RETRY_PAUSE_MS);
  }
}

// Another process may take a free port before PostgreSQL does, and sessions may briefly outlive a killed PostgreSQL.
function isTransient(error: EmbeddedError, requestedPort: number | 'free'): boolean {
  if (error.kind === 'portInUse') return requestedPort === 'free';
  return error.kind === 'startFailed' && error.details.includes('shared memory block');
}

function watch(
  { postmaster, port }: Launched,
  dataFolder: string,
  options: EmbeddedOptions,
): Omit<EmbeddedPostgres, 'socketFolder'> {
  const watchdog = startWatchdog(postmaster.pid, options.isTemporary ? dataFolder : undefined);
  const dismissed = postmaster.ended.then(() => watchdog.dismiss());
  const credentials = options.password === undefined ? 'postgres' : `postgres:${encodeURIComponent(options.password)}`;
  return {
    uri: `postgres://${credentials}@127.0.0.1:${port}/postgres`,
    port,
    pid: postmaster.pid,
    async stop() {
      await postmaster.stop();
      await dismissed;
      if (options.isTemporary) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string')
    throw new Error('expected a TCP server to have an address and a port');
  return address.port;
}

// Checks whether PostgreSQL can create its Unix socket in the folder of its cluster. The server prefers it, because it
// is cheaper than TCP and accessible only to the owner of the folder.

/** The shortest limit of all systems, without the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET_FILE_NAME = '/.s.PGSQL.65535';

/** @returns undefined if a connection string cannot contain the path, or the file system does not support sockets */
async function findSocketFolder(clusterFolder: string): Promise<string | undefined> {
  const isUsable =
    process.platform !== 'win32' &&
    Buffer.byteLength(clusterFolder + SOCKET_FILE_NAME) <= MAX_SOCKET_PATH_BYTES &&
    !clusterFolder.includes(',') &&
    (await supportsSockets(clusterFolder));
  return isUsable ? clusterFolder : undefined;
}

/** PostgreSQL would not start if it could not create its socket. */
function supportsSockets(folder: string): Promise<boolean> {
  const address = path.join(folder, '.s.probe');
  rmSync(address, { force: true });
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(address, () => server.close(() => resolve(true)));
  });
}

// Stops the database when this process is killed (SIGKILL, out of memory): a shell that reads from a pipe until the
// other end closes.

interface Watchdog {
  /** Call this when the database has stopped. Resolves once the shell has exited. */
  dismiss(): Promise<void>;
}

// A line dismisses the watchdog; end of file means this process died. Fast shutdown first, immediate after 1 second.
const SCRIPT = `
read -r line && exit 0
kill -INT "$1"
tries=0
while kill -0 "$1" && [ $tries -lt 10 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -QUIT "$1"
[ -z "$2" ] || { sleep 0.2; rm -rf "$2"; }
`;

/** @param folderToRemove removed when the database is stopped. Does nothing on Windows, which has no such shell. */
function startWatchdog(pid: number, folderToRemove: string | undefined): Watchdog {
  if (process.platform === 'win32') return { dismiss: () => Promise.resolve() };
  // Detached, because Ctrl-C signals the whole process group, and the server stops its database itself.
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'rowhouse-watchdog', String(pid), folderToRemove ?? ''], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  shell.stdin.on('error', () => undefined);
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  const ended = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
    shell.once('error', () => resolve());
  });
  return {
    async dismiss() {
      // This process must outlive the shell, or the shell would be orphaned.
      shell.ref();
      shell.stdin.end('\n');
      await ended;
    },
  };
}
