// The library's way in: a server of its own, or a service for somebody else's server.
import type { IncomingMessage } from 'node:http';
import { type ProgramOptions, printProgramOptions } from '../config/resolve/program-options.ts';
import { Tally } from '../observe/http-metrics.ts';
import type { LogOutput } from '../observe/logger.ts';
import { LineOutput } from '../service/logging/line-output.ts';
import { overrideOptions } from '../service/configuration/override-options.ts';
import { createConfigReader } from '../service/configuration/read-config.ts';
import { Service, type ServiceOptions } from '../service/service.ts';
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from '../http/adapters/fetch.ts';
import { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from '../http/adapters/node-handler.ts';
import type { LimitName } from '../http/limits/limits.ts';
import { countService, renderServiceMetrics } from '../http/admin/render-metrics.ts';
import { RowhouseServer } from './rowhouse-server.ts';
import { UnsentBytes } from '../http/limits/unsent-bytes.ts';

export interface StartOptions {
  /** As in `{ dbSchemas: ['api'], dbPool: 20 }`; they go before environment and file. */
  readonly options?: ProgramOptions;
  /** A configuration file. */
  readonly configFile?: string;
  /** Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where log lines go. Default: the output and error streams of the process. */
  readonly output?: LogOutput;
  /** Called when no retry can mend what went wrong after the start; nothing is served any more. */
  readonly onFailure?: (message: string) => void;
}

export interface RunningService {
  /**
   * Reads configuration and database again. Resolves when the new schema cache serves, and rejects with the reason if that
   * fails: requests then see the old one, and further attempts follow.
   */
  reloadSchemaCache(): Promise<void>;
  /** Reads the configuration again. An invalid one is logged, and the old one stays. */
  reloadConfig(): Promise<void>;
  /** Closes every connection to the database. A server lets the requests under way finish first. */
  stop(): Promise<void>;
}

export interface RunningServer extends RunningService {
  /** `0.0.0.0:3000`, `[::1]:3000`, or the path of a socket. */
  readonly apiAddress: string;
  /** Undefined without an admin server. */
  readonly adminAddress: string | undefined;
}

export interface MountableService extends RunningService {
  /** For `fetch`-style servers: a `Request` comes in, a `Response` goes out. Throws for a wrong `basePath`. */
  createFetchHandler(options?: FetchHandlerOptions): FetchHandler;
  /** For `node:http`, Express and what is made like them. Throws for a wrong `basePath`. */
  createNodeHandler<Incoming extends IncomingMessage>(options?: NodeHandlerOptions<Incoming>): NodeHandler<Incoming>;
  /** What has been counted, in the text format of Prometheus: a program's own route may answer with it. */
  renderMetrics(): string;
}

/** Serves over HTTP. Throws for an invalid configuration, an address in use, and refused credentials. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const failure: Failure = { message: undefined, onLater: undefined };
  const server = new RowhouseServer({ ...prepare(options, failure), hasRuntimeMetrics: false });
  const stop = (): Promise<void> => server.stop();
  await server.start();
  const { apiAddress, adminAddress } = server;
  await throwIfFailed(failure, stop);
  if (apiAddress === undefined) throw new Error('the server was stopped before it served');
  passOn(failure, stop, options);
  return { ...describe(server.service, stop), apiAddress, adminAddress };
}

/** Serves without a socket of its own, through handlers within another server. Throws as `startServer` does. */
export async function startService(options: StartOptions = {}): Promise<MountableService> {
  const failure: Failure = { message: undefined, onLater: undefined };
  const service = new Service({ ...prepare(options, failure), isMounted: true });
  const stop = (): Promise<void> => service.stop();
  await service.start();
  await throwIfFailed(failure, stop);
  passOn(failure, stop, options);
  return {
    ...describe(service, stop),
    ...mount(service),
  };
}

function mount(service: Service): Omit<MountableService, keyof RunningService> {
  const refusals = new Tally<LimitName>();
  const onLimit = (name: LimitName): void => refusals.count(name);
  const unsent = new UnsentBytes();
  const admit = (authenticate: unknown): void => {
    if (authenticate === undefined) service.takeTokens();
  };
  return {
    createFetchHandler: (options) => {
      admit(options?.authenticate);
      return createFetchHandler(service, { options, onLimit, unsent });
    },
    createNodeHandler: (options) => {
      admit(options?.authenticate);
      return createNodeHandler(service, { options, onLimit, unsent });
    },
    renderMetrics: () => renderServiceMetrics(service, countService(service, refusals)),
  };
}

/** What no retry can mend: during the start it makes the start fail, later it is passed on. */
interface Failure {
  message: string | undefined;
  onLater: ((message: string) => void) | undefined;
}

function prepare(options: StartOptions, failure: Failure): ServiceOptions {
  const { environment = process.env, configFile: file } = options;
  const stated = printProgramOptions(options.options ?? {});
  if (!stated.ok) throw new Error(stated.error);
  const readConfig = createConfigReader(overrideOptions({ file, environment }, stated.value));
  const config = readConfig(new Map(), undefined);
  if (!config.ok) throw new Error(config.error.message);
  const output = options.output ?? new LineOutput(process.stdout, process.stderr);
  const onFatal = (message: string): void => {
    failure.message = message;
    failure.onLater?.(message);
  };
  return { config: config.value, readConfig, environment, output, onFatal };
}

async function throwIfFailed({ message }: Failure, stop: () => Promise<void>): Promise<void> {
  if (message === undefined) return;
  await stop();
  throw new Error(message);
}

function passOn(failure: Failure, stop: () => Promise<void>, { onFailure }: StartOptions): void {
  failure.onLater = (message) => {
    void stop();
    onFailure?.(message);
  };
}

function describe(service: Service, stop: () => Promise<void>): RunningService {
  return {
    reloadSchemaCache: async () => {
      const reloaded = await service.reloadSchemaCache();
      if (!reloaded.ok) throw new Error(reloaded.error);
    },
    reloadConfig: () => service.reloadConfig(),
    stop,
  };
}
