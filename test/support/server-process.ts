// Runs the built server in a separate process, as an operator would, on free loopback ports.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workerOptions } from './workers.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const READY_TIMEOUT = 120_000;
/** Longer than `server-shutdown-grace`. */
const STOP_TIMEOUT = 90_000;

export type ServerOptions = Readonly<Record<string, string | number | boolean | null>>;

export interface ServerProcess {
  readonly pid: number | undefined;
  readonly port: number;
  readonly adminPort: number;
  /** Everything written so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface LaunchOptions {
  /** A command that runs the server, such as `['prlimit', '--nofile=60']`. */
  readonly wrapper?: readonly string[];
  /** Arguments of Node.js, before the program. */
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of the program, such as `['dev']`. */
  readonly programArguments?: readonly string[];
  /** Entry point of a built server; defaults to that of this checkout. */
  readonly main?: string | undefined;
  /** Ports of a stopped server that this one replaces. */
  readonly ports?: Pick<ServerProcess, 'port' | 'adminPort'>;
}

/** @param options options by name; `null` unsets an option */
export async function startServerProcess(
  options: ServerOptions,
  { wrapper = [], nodeArguments = [], environment = {}, programArguments = [], main = MAIN, ports }: LaunchOptions = {},
): Promise<ServerProcess> {
  const { port, adminPort } = ports ?? { port: await findFreePort(), adminPort: await findFreePort() };
  const all = {
    'server-host': '127.0.0.1',
    ...workerOptions(),
    ...options,
    'server-port': port,
    'admin-server-port': adminPort,
  };
  const [command = process.execPath, ...parameters] = [
    ...wrapper,
    process.execPath,
    ...nodeArguments,
    main,
    ...programArguments,
  ];
  const env = { ...toEnvironment(all), ...environment };
  const child = spawn(command, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  try {
    await waitUntilReady(child, adminPort);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}\n${written.stderr}`, { cause: error });
  }
  return { pid: child.pid, port, adminPort, output: () => ({ ...written }), stop: () => stop(child) };
}

function toEnvironment(options: ServerOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:SVC_|PGRST_|PG|DATABASE_URL$|PORT$)/u.test(name),
  );
  const own = Object.entries(options)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [`SVC_${name.replaceAll(/[^A-Za-z0-9]/gu, '_').toUpperCase()}`, String(value)]);
  return Object.fromEntries([...inherited, ...own]);
}

async function waitUntilReady(child: ChildProcess, adminPort: number): Promise<void> {
  const end = Date.now() + READY_TIMEOUT;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`the server exited at startup with code ${child.exitCode}`);
    if (await isReady(adminPort)) return;
    await setTimeout(25);
  }
  throw new Error(`the server was not ready within ${READY_TIMEOUT} ms`);
}

/** Leaves no connection open: a server that stops waits half a second for requests on idle connections. */
async function isReady(adminPort: number): Promise<boolean> {
  const probe = get({ host: '127.0.0.1', port: adminPort, path: '/ready', agent: false });
  try {
    const [response] = (await once(probe, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  const exit = once(child, 'exit');
  const killer = globalThis.setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
  await exit;
  clearTimeout(killer);
  return child.exitCode;
}

/**
 * Below the range for outgoing connections: such a connection could take the port before the server does. Above every port
 * that `fetch` and browsers refuse, the last of which is 10080 (https://fetch.spec.whatwg.org/#port-blocking).
 */
const [LOWEST_PORT, HIGHEST_PORT] = [10_081, 32_000];

/** Returns a port of the loopback interface that no other program listens on. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
