// Runs a server in this process and keeps its log in memory: for tests that need neither signals nor an exit code.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as send, type RequestOptions } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { ProgramOptions } from '../../src/config/resolve/program-options.ts';
import { createConfigReader, type ReadConfig } from '../../src/service/configuration/read-config.ts';
import { RowhouseServer } from '../../src/server/rowhouse-server.ts';
import { findFreePort } from './server-process.ts';
import { workerOptions } from './workers.ts';
import type { Harbor } from './harbor.ts';
import { until } from './until.ts';
import { signToken } from '../../tools/token/issue-token.ts';
import { use } from './use.ts';

export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

export type Options = Readonly<Record<string, string | number | boolean | null>>;

export interface Launch {
  /** Contents of the configuration file. */
  readonly file?: string;
  /** If `false`, `startLocalServer` returns before the server is ready. */
  readonly isAwaited?: boolean;
  readonly hasRuntimeMetrics?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

const TIME = /^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}: /u;

/** @param options options by name, merged over the common ones; `null` unsets an option */
export async function startLocalServer(
  harbor: Pick<Harbor, 'uri' | 'anon'>,
  options: Options = {},
  { file, isAwaited = true, hasRuntimeMetrics = false }: Launch = {},
): Promise<LocalServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rowhouse-server-'));
  const configFile = path.join(folder, 'server.conf');
  if (file !== undefined) await writeFile(configFile, file);
  const environment = toVariables({ ...(await commonOptions(harbor)), ...options });
  const readConfig = createConfigReader({ file: file === undefined ? undefined : configFile, environment });
  const config = readConfig(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  const local = new LocalServer({ config: config.value, readConfig, configFile, hasRuntimeMetrics });
  const start = local.server.start();
  if (isAwaited) {
    await start;
    const { dbChannelEnabled } = config.value;
    await until(() => !dbChannelEnabled || local.fatal !== undefined || local.count(/Listener connected/u) > 0);
  }
  return local;
}

export type StartServer = (options?: Options, launch?: Launch) => Promise<LocalServer>;

/** The servers are stopped after the test that starts them, or after the file. */
export function useServers(harbor: Harbor): StartServer {
  return (options, launch) => use(startLocalServer(harbor, options, launch));
}

async function commonOptions(harbor: Pick<Harbor, 'uri' | 'anon'>): Promise<Options> {
  return {
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-config': false,
    'jwt-secret': SECRET,
    'server-host': '127.0.0.1',
    'server-port': 0,
    'admin-server-port': await findFreePort(),
    ...workerOptions(),
  };
}

interface LocalParts {
  readonly config: AppConfig;
  readonly readConfig: ReadConfig;
  readonly configFile: string;
  readonly hasRuntimeMetrics: boolean;
}

export class LocalServer {
  readonly server: RowhouseServer;
  readonly out: string[] = [];
  /** Log lines without their timestamps. */
  readonly err: string[] = [];
  readonly #configFile: string;
  readonly #adminPort: number | undefined;
  #fatal: string | undefined;

  constructor({ config, readConfig, configFile, hasRuntimeMetrics }: LocalParts) {
    this.#configFile = configFile;
    this.#adminPort = config.adminServerPort;
    this.server = new RowhouseServer({
      config,
      readConfig,
      environment: {},
      output: {
        writeOut: (line) => this.out.push(line),
        writeError: (line) => this.err.push(line.replace(TIME, '')),
      },
      onFatal: (message) => (this.#fatal = message),
      hasRuntimeMetrics,
    });
  }

  get port(): number {
    return Number(/\d+$/u.exec(this.server.apiAddress ?? '')?.[0]);
  }

  /** The error that stopped the service, if any. */
  get fatal(): string | undefined {
    return this.#fatal;
  }

  get(target: string, parts?: RequestParts): Promise<Answer> {
    return sendRequest({ host: '127.0.0.1', port: this.port, path: target }, parts);
  }

  async json(target: string, parts?: RequestParts): Promise<unknown> {
    return JSON.parse((await this.get(target, parts)).text) as unknown;
  }

  admin(target: string, parts?: RequestParts): Promise<Answer> {
    return sendRequest({ host: '127.0.0.1', port: this.#adminPort, path: target }, parts);
  }

  async metric(name: string): Promise<number | undefined> {
    const { text } = await this.admin('/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`svc_${name} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  /** Returns the number of matching lines in the error log. */
  count(pattern: RegExp): number {
    return this.err.filter((line) => pattern.test(line)).length;
  }

  async logged(pattern: RegExp, times = 1): Promise<void> {
    const why = (): string => `${times} lines like ${pattern} in\n${this.err.join('\n')}`;
    await until(() => this.count(pattern) >= times, { why });
  }

  /** Rewrites the configuration file and reloads it. */
  async reconfigure(file: string): Promise<void> {
    await writeFile(this.#configFile, file);
    await this.server.service.reloadConfig();
  }

  /** Reloads the schema cache and waits until it is loaded. */
  async reload(): Promise<void> {
    const before = this.count(/^Schema cache loaded in /u);
    void this.server.service.reloadSchemaCache();
    await this.logged(/^Schema cache loaded in /u, before + 1);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(path.dirname(this.#configFile), { recursive: true, force: true });
  }
}

export function toVariables(options: Options): Record<string, string> {
  const stated = Object.entries(options).filter(([, value]) => value !== null);
  return Object.fromEntries(stated.map(([name, value]) => [variableOf(name), String(value)]));
}

/** Converts options by name to the form `startServer` takes, for tests that set the same options in several ways. */
export function toProgramOptions(options: Options): ProgramOptions {
  const stated = Object.entries(options).filter(([, value]) => value !== null);
  const own = stated.filter(([name]) => !name.startsWith(SETTINGS));
  const settings = stated.filter(([name]) => name.startsWith(SETTINGS));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [camelCase(name), String(value)])),
    appSettings: Object.fromEntries(settings.map(([name, value]) => [name.slice(SETTINGS.length), String(value)])),
  };
}

const SETTINGS = 'app.settings.';

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

function variableOf(name: string): string {
  if (name.startsWith('app.settings.')) return `SVC_APP_SETTINGS_${name.slice('app.settings.'.length)}`;
  return `SVC_${name.replaceAll('-', '_').toUpperCase()}`;
}

export function sendRequest(place: RequestOptions, parts: RequestParts = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, signal } = parts;
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent: false, ...place, method, headers, ...(signal && { signal }) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, text, headers: incoming.headers });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export function bearer(claims: Readonly<Record<string, unknown>>, secret: string = SECRET): Record<string, string> {
  return { Authorization: `Bearer ${signToken(claims, secret)}` };
}

export function post(value: unknown): RequestParts {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}
