// Counts what a request costs the built server: calls of our functions, bytes that they allocate, and promises. Unlike
// times, these are the same on every machine and under any load.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { findFreePort } from '../../support/server-process.ts';
import { until } from '../../support/until.ts';
import { type BenchCase, CASES, renderRequests } from '../bench-case.ts';
import { type BenchDatabase, startBenchDatabase } from '../servers/bench-database.ts';
import { awaitServer, type MonitoredServer, serverVariables } from '../servers/bench-server.ts';

/** Per request. */
export interface Counts {
  readonly calls: number;
  /** Of our functions and of the builtin functions that they call. */
  readonly bytes: number;
  /** An `await` counts as one. */
  readonly promises: number;
}

export type CountsByCase = Readonly<Record<string, Counts>>;

export interface CountedCase {
  readonly name: string;
  readonly requests: readonly string[];
  readonly status: number;
  /** Number of requests that arrive at once, each on a connection of its own. */
  readonly atOnce: number;
  /** The part of a recorded count by which another may differ. */
  readonly tolerance: number;
}

/** The server under test and the connections to it. */
interface Counter {
  readonly child: ChildProcess;
  readonly sockets: readonly Socket[];
}

const NAMES: ReadonlySet<string> = new Set([
  'row by key',
  'row with token',
  'page with count',
  'embeds',
  'insert',
  'update',
  'function',
  'root',
]);
const MOST_AT_ONCE = 8;
export const COUNTED_CASES: readonly CountedCase[] = [
  ...CASES.filter(({ name }) => NAMES.has(name)).map((bench) => toCountedCase(bench, 1)),
  ...CASES.filter(({ name }) => name === 'row by key').map((bench) => toCountedCase(bench, MOST_AT_ONCE)),
];

/** Numbers of turns. After the warm-up, nothing is compiled or cached any more. */
const WARM_UP = 150;
const COUNTED = 50;
const PROBE = path.resolve('test/bench/counts/probe.js');
const MAIN = path.resolve('dist/cli/main.js');
/** What optimized code calls and allocates depends on when it was optimized. */
const EXACT = ['--no-opt', '--no-lazy-feedback-allocation'];

/** @param clusterUri connection string of a superuser; undefined: a private PostgreSQL is started */
export async function countRequests(clusterUri: string | undefined): Promise<CountsByCase> {
  const database = await startBenchDatabase({ clusterUri, isGenerated: true });
  try {
    return await countOn(database);
  } finally {
    await database.stop();
  }
}

async function countOn(database: BenchDatabase): Promise<CountsByCase> {
  const { server, child } = await startProbedServer(database.uri);
  try {
    const counts: Record<string, Counts> = {};
    for (const counted of COUNTED_CASES) {
      // The server closes connections that send nothing for long.
      const sockets = Array.from({ length: counted.atOnce }, () => connect(server.port, '127.0.0.1'));
      counts[counted.name] = await countCase(counted, { child, sockets });
      for (const socket of sockets) socket.destroy();
    }
    return counts;
  } finally {
    await server.stop();
  }
}

function toCountedCase(bench: BenchCase, atOnce: number): CountedCase {
  const common = { requests: renderRequests(bench), status: bench.status, atOnce };
  if (atOnce === 1) return { ...common, name: bench.name, tolerance: 0.03 };
  // In how many pieces the database's responses arrive depends on time.
  return { ...common, name: `${bench.name}, ${atOnce} at once`, tolerance: 0.1 };
}

interface ProbedServer {
  readonly server: MonitoredServer;
  readonly child: ChildProcess;
}

async function startProbedServer(databaseUri: string): Promise<ProbedServer> {
  const ports = { port: await findFreePort(), adminPort: await findFreePort() };
  const child = spawn(process.execPath, [...EXACT, '--import', PROBE, MAIN], {
    env: { PATH: process.env['PATH'], ...serverVariables({ databaseUri, ...ports }) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return { server: await awaitServer(child, ports), child };
}

async function countCase(counted: CountedCase, counter: Counter): Promise<Counts> {
  const perRequest = (total: number): number => Math.round(total / COUNTED / counted.atOnce);
  await send(counted, WARM_UP, counter);
  await order(counter, 'startCalls');
  await send(counted, COUNTED, counter);
  const { calls, promises } = await order(counter, 'stopCalls');
  await order(counter, 'startBytes');
  await send(counted, COUNTED, counter);
  const { bytes } = await order(counter, 'stopBytes');
  return { calls: perRequest(calls), bytes: perRequest(bytes), promises: perRequest(promises) };
}

async function order({ child }: Counter, name: string): Promise<Counts> {
  child.send(name);
  const [report] = (await once(child, 'message')) as [Counts];
  return report;
}

async function send(
  { requests, status, atOnce }: CountedCase,
  turns: number,
  { child, sockets }: Counter,
): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const responses = sockets.map((socket) => receive(socket, status));
    // The server must not see the first request before the last one has arrived.
    if (atOnce > 1) await pause(child);
    for (const [index, socket] of sockets.entries()) socket.write(requests[(turn + index) % requests.length] ?? '');
    if (atOnce > 1) child.kill('SIGCONT');
    await Promise.all(responses);
  }
}

/** Stops the process: a signal takes effect some time after it is sent. */
async function pause(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  if (process.platform === 'linux')
    await until(async () => / T /u.test(await readFile(`/proc/${child.pid}/stat`, 'utf8')));
}

/** Waits for a whole response. */
async function receive(socket: Socket, status: number): Promise<void> {
  let text = '';
  do {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
  } while (!isComplete(text));
  if (!text.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`unexpected response: ${text.slice(0, 500)}`);
}

function isComplete(text: string): boolean {
  const headLength = text.indexOf('\r\n\r\n') + 4;
  const [, bodyLength = '0'] = /^content-length: (\d+)\r$/imu.exec(text) ?? [];
  return headLength >= 4 && text.length >= headLength + Number(bodyLength);
}
