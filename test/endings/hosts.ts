// The servers of the suite: a separate process, a process with workers, and a server mounted in a program, each with
// its transports.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type FetchHandler, startService } from '../../src/index.ts';
import { listen } from '../support/listen.ts';
import type { Harbor } from '../support/harbor.ts';
import {
  type Answer,
  type Options,
  type RequestParts,
  SECRET,
  sendRequest,
  toProgramOptions,
} from '../support/local-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { type Conversation, type Question, SocketConversation } from './conversation.ts';
import { FetchConversation } from './fetch-conversation.ts';

export interface Host {
  ask(target: string, parts?: RequestParts): Promise<Answer>;
  readonly port: number;
  /** Only for mounted servers. */
  readonly fetchHandler: FetchHandler | undefined;
  metrics(): Promise<string>;
  /** Resident memory in megabytes. */
  memory(): Promise<number>;
  stop(): Promise<unknown>;
}

export interface Stage {
  readonly name: string;
  readonly pool: number;
  readonly workers: number;
  readonly isMounted: boolean;
  readonly options: Options;
  readonly transports: readonly Transport[];
}

export interface Transport {
  readonly name: string;
  /** Number of expected responses. */
  readonly count: number;
  readonly version: '1.0' | '1.1' | 'fetch';
}

/** Send and body timeout of every stage, in seconds. */
const TIMEOUT = 1;
/** Maximum size of a buffered body in bytes. */
export const MAX_BODY = 8_000_000;

const KEPT: Transport = { name: 'HTTP/1.1', count: 1, version: '1.1' };
const PIPELINED: Transport = { name: 'two pipelined', count: 2, version: '1.1' };
const OLD: Transport = { name: 'HTTP/1.0', count: 1, version: '1.0' };
const FETCH: Transport = { name: 'Fetch', count: 1, version: 'fetch' };
const OWN = { workers: 1, isMounted: false, options: {} };
const AT_ONCE = { ...OWN, options: { 'server-max-connection-requests': 4 }, transports: [PIPELINED] };
const MOUNTED = { workers: 1, isMounted: true, options: {}, transports: [KEPT, PIPELINED, FETCH] };

export const STAGES: readonly Stage[] = [
  { name: 'ten connections', pool: 10, ...OWN, transports: [KEPT, PIPELINED, OLD] },
  { name: 'one connection', pool: 1, ...OWN, transports: [KEPT, PIPELINED, OLD] },
  { name: 'ten connections, four requests at a time', pool: 10, ...AT_ONCE },
  { name: 'one connection, four requests at a time', pool: 1, ...AT_ONCE },
  { name: 'mounted, ten connections', pool: 10, ...MOUNTED },
  { name: 'mounted, one connection', pool: 1, ...MOUNTED },
  { name: 'two workers of five connections', pool: 10, ...OWN, workers: 2, transports: [KEPT] },
  { name: 'two workers of one connection', pool: 2, ...OWN, workers: 2, transports: [KEPT] },
];

/** Returns the number of concurrent streams per process: half of its share of the connections. */
export function permitsOf({ pool, workers }: Stage): number {
  return Math.floor(pool / workers / 2);
}

/** @param application the application name of its sessions */
export function startHost(stage: Stage, harbor: Harbor, application: string): Promise<Host> {
  const options = {
    'db-uri': `${harbor.uri}?sslmode=disable&application_name=${application}`,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-channel-enabled': false,
    'db-pool': stage.pool,
    // A pipelined request may have to wait for a hundred megabytes on a busy machine.
    'db-pool-acquisition-timeout': 30,
    // The main process of workers keeps its idle connection, so that every connection can be accounted for.
    'db-pool-max-idletime': 3600,
    'jwt-secret': SECRET,
    'log-level': 'error',
    'server-send-timeout': TIMEOUT,
    'server-body-timeout': TIMEOUT,
    'server-max-body-size': MAX_BODY,
    'server-shutdown-grace': 1,
    ...stage.options,
  };
  return stage.isMounted ? mount(options) : startProcess({ ...options, 'server-workers': stage.workers });
}

/** @param before the request that is pipelined before the last one */
export function converse(
  { host, transport: { version, count } }: { readonly host: Host; readonly transport: Transport },
  question: Question,
  before?: Question,
): Conversation {
  if (version !== 'fetch') return new SocketConversation({ port: host.port, version, count }, question, before);
  if (host.fetchHandler === undefined) throw new Error('the host has no handler');
  return new FetchConversation(host.fetchHandler, question);
}

async function startProcess(options: Options): Promise<Host> {
  const server = await startServerProcess(options);
  const { port, adminPort } = server;
  return {
    port,
    fetchHandler: undefined,
    ask: (target, parts) => sendRequest({ host: '127.0.0.1', port, path: target }, parts),
    metrics: async () => (await sendRequest({ host: '127.0.0.1', port: adminPort, path: '/metrics' })).text,
    memory: () => readMemory(server.pid ?? 0),
    stop: () => server.stop(),
  };
}

async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
}

async function mount(options: Options): Promise<Host> {
  const output = { writeOut: () => {}, writeError: () => {} };
  const service = await startService({ options: toProgramOptions(options), environment: {}, output });
  const server = createServer(service.createNodeHandler());
  const port = await listen(server);
  return {
    port,
    fetchHandler: service.createFetchHandler(),
    ask: (target, parts) => sendRequest({ host: '127.0.0.1', port, path: target }, parts),
    metrics: () => Promise.resolve(service.renderMetrics()),
    memory: () => Promise.resolve(process.memoryUsage.rss() / 1e6),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await service.stop();
    },
  };
}
