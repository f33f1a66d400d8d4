// The entry points of the library: start a server, or a service for a host application's server.
import type { IncomingMessage } from 'node:http';
import { type ProgramOptions, printProgramOptions } from '../config/resolve/program-options.ts';
import { Tally } from '../observe/http-metrics.ts';
import type { LogOutput } from '../observe/logger.ts';
import { LineOutput } from '../service/logging/line-output.ts';
import { createConfigReader, overrideOptions } from '../service/configuration/read-config.ts';
import { Service, type ServiceOptions } from '../service/service.ts';
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from '../http/adapters/fetch.ts';
import { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from '../http/adapters/node-handler.ts';
import type { LimitName } from '../http/limits/limits.ts';
import { countService, renderServiceMetrics } from '../http/admin/render-metrics.ts';
import { EXTENSIONS } from './extensions.ts';
import { RowhouseServer } from './rowhouse-server.ts';
import { UnsentBytes } from '../http/limits/unsent-bytes.ts';

export interface StartOptions {
  /** For example `{ dbSchemas: ['api'], dbPool: 20 }`; takes precedence over environment and file. */
  readonly options?: ProgramOptions;
  readonly configFile?: string;
  /** Defaults to the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Destination of log lines; defaults to the output and error streams of the process. */
  readonly output?: LogOutput;
  /** Called after the start, if an error occurs that no retry can fix; nothing is served afterwards. */
  readonly onFailure?: (message: string) => void;
}

export interface RunningService {
  /**
   * Reloads configuration and schema. Resolves when the new schema cache is in use. Rejects with the reason if that
   * fails; the old cache then stays in use, and retries follow.
   */
  reloadSchemaCache(): Promise<void>;
  /** Reloads the configuration. An invalid one is logged, and the old one stays in use. */
  reloadConfig(): Promise<void>;
  /** Closes all database connections. A server lets requests in progress finish first. */
  stop(): Promise<void>;
}

export interface RunningServer extends RunningService {
  /** `0.0.0.0:3000`, `[::1]:3000`, or the path of a socket. */
  readonly apiAddress: string;
  /** Undefined if there is no admin server. */
  readonly adminAddress: string | undefined;
}

export interface MountableService extends RunningService {
  /**
   * Creates a handler for `fetch`-style servers, which takes a `Request` and returns a `Response`. Throws for an
   * invalid `basePath`.
   */
  createFetchHandler(options?: FetchHandlerOptions): FetchHandler;
  /** Creates a handler for `node:http`, Express and compatible servers. Throws for an invalid `basePath`. */
  createNodeHandler<Incoming extends IncomingMessage>(options?: NodeHandlerOptions<Incoming>): NodeHandler<Incoming>;
  /** Returns all metrics in the Prometheus text format, for a route of the host application. */
  renderMetrics(): string;
}

/**
 * Serves the API over HTTP. Throws if the configuration is invalid, the address is in use or credentials are rejected.
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const failure: Failure = { message: undefined, onLater: undefined };
  const server = new RowhouseServer({ ...prepare(options, failure), hasRuntimeMetrics: false });
  const stop = (): Promise<void> => server.stop();
  await server.start();
  const { apiAddress, adminAddress } = server;
  await throwIfFailed(failure, stop);
  if (apiAddress === undefined) throw new Error('the server was stopped before it started serving');
  passOn(failure, stop, options);
  return { ...describe(server.service, stop), apiAddress, adminAddress };
}

/** Serves the API without a socket, through handlers in another server. Throws like `startServer`. */
export async function startService(options: StartOptions = {}): Promise<MountableService> {
  const failure: Failure = { message: undefined, onLater: undefined };
  const service = new Service({ ...prepare(options, failure), extensions: EXTENSIONS, isMounted: true });
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

/** An error that no retry can fix. Makes the start fail, or is passed to `onFailure` later. */
interface Failure {
  message: string | undefined;
  onLater: ((message: string) => void) | undefined;
}

/** A program that calls the library expects to stay one process. */
const OWN_DEFAULTS = { 'server-workers': '1' };

function prepare(options: StartOptions, failure: Failure): Omit<ServiceOptions, 'extensions'> {
  const { environment = process.env, configFile: file } = options;
  const printedOptions = printProgramOptions(options.options ?? {});
  if (!printedOptions.ok) throw new Error(printedOptions.error);
  const readConfig = createConfigReader(
    overrideOptions({ file, environment, defaults: OWN_DEFAULTS }, printedOptions.value),
  );
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
