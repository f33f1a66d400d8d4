// Runs the built server as a process of its own, as an operator would, on free loopback ports.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workerOptions } from './workers.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const READY_TIMEOUT = 120_000;
/** Beyond `server-shutdown-grace`. */
const STOP_TIMEOUT = 90_000;

export type ServerOptions = Readonly<Record<string, string | number | boolean | null>>;

export interface ServerProcess {
  readonly pid: number | undefined;
  readonly port: number;
  readonly adminPort: number;
  /** What it has written so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface RefusalContext {
  /** A command that runs the one behind it: `['prlimit', '--nofile=60']`. */
  readonly wrapper?: readonly string[];
  /** Before the program's name. */
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Those of a server that is gone, whose place it takes. */
  readonly ports?: Pick<ServerProcess, 'port' | 'adminPort'>;
}

/** @param options by their configuration names; null leaves one unset */
export async function startServerProcess(
  options: ServerOptions,
  { wrapper = [], nodeArguments = [], environment = {}, ports }: RefusalContext = {},
): Promise<ServerProcess> {
  const { port, adminPort } = ports ?? { port: await findFreePort(), adminPort: await findFreePort() };
  const all = {
    'server-host': '127.0.0.1',
    ...workerOptions(),
    ...options,
    'server-port': port,
    'admin-server-port': adminPort,
  };
  const [command, ...parameters] = [...wrapper, process.execPath, ...nodeArguments, MAIN];
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
    if (child.exitCode !== null) throw new Error(`the server ended at start with code ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => undefined);
    if (response?.status === 200) return;
    await setTimeout(25);
  }
  throw new Error(`the server was not ready in ${READY_TIMEOUT} ms`);
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

/** From below those that systems give to outgoing connections: such a connection may take the place before its server. */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000];

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
