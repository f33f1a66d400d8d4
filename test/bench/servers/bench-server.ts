// Runs the built server in a separate process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePort } from '../../support/server-process.ts';
import { JWT_SECRET } from '../bench-case.ts';
import { ROLE } from './bench-database.ts';

export interface BenchServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface MonitoredServer extends BenchServer {
  /** Serves the metrics. */
  readonly adminPort: number;
}

/** Milliseconds; beside a load, a start takes long. */
const READY_TIMEOUT = 120_000;

export interface Ports {
  readonly port: number;
  readonly adminPort: number;
}

export interface BenchServerOptions {
  /** Folder for a CPU profile, written at the end. */
  readonly profileFolder?: string | undefined;
  /** Entry point of a built server; defaults to this one. */
  readonly main?: string;
  /** Environment variables in addition to those of every measurement. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startBenchServer(
  databaseUri: string,
  { profileFolder, main = path.resolve('dist/cli/main.js'), environment }: BenchServerOptions = {},
): Promise<MonitoredServer> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profileFolder)}`];
  const child = spawn(process.execPath, [...profiling, main], {
    env: {
      PATH: process.env['PATH'],
      ...serverVariables({ databaseUri, port, adminPort }),
      SVC_JWT_CACHE_MAX_ENTRIES: '1000',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return awaitServer(child, { port, adminPort });
}

/** Adopts a process that is starting to serve; ends it if it does not become ready. */
export async function awaitServer(child: ChildProcess, { port, adminPort }: Ports): Promise<MonitoredServer> {
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  if (child.pid !== undefined && (await isReady(child, adminPort))) return { port, adminPort, pid: child.pid, stop };
  if (child.pid !== undefined) await stop();
  throw new Error('the server did not become ready', { cause: failure });
}

/** Options of every measured server, in the names that all servers of the grammar share. */
export function serverOptions({
  databaseUri,
  port,
  adminPort,
}: Ports & { readonly databaseUri: string }): Record<string, string> {
  return {
    'db-uri': databaseUri,
    'db-schemas': 'public',
    'db-anon-role': ROLE,
    'jwt-secret': JWT_SECRET,
    'server-host': '127.0.0.1',
    'server-port': String(port),
    'admin-server-port': String(adminPort),
  };
}

/** The same options as environment variables. */
export function serverVariables(settings: Ports & { readonly databaseUri: string }): Record<string, string> {
  const options = Object.entries(serverOptions(settings));
  return {
    ...Object.fromEntries(
      options.map(([name, value]) => [`SVC_${name.toUpperCase().replaceAll('-', '_')}`, value] as const),
    ),
    SVC_SERVER_WORKERS: '1',
  };
}

/** @param texts such as `NAME=VALUE` */
export function readVariables(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map(readVariable));
}

function readVariable(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`expected NAME=VALUE, not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function isReady(child: ChildProcess, adminPort: number): Promise<boolean> {
  const end = Date.now() + READY_TIMEOUT;
  while (Date.now() < end && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => undefined);
    if (response?.status === 200) return true;
    await setTimeout(50);
  }
  return false;
}
