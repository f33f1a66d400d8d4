// A service and its two HTTP servers: started in the order of `operating.md` §10.5, ended in that of §11.4.
import { checkSource } from '../auth/check-source.ts';
import type { AppConfig } from '../config/app-config.ts';
import { PRODUCT } from '../contract/product.ts';
import type { StatusDocument } from '../contract/status-document.ts';
import { Tally } from '../observe/http-metrics.ts';
import { buildStatus } from '../observe/status.ts';
import { readExplorerFiles } from '../runtime/explorer-files.ts';
import { RuntimeWatch } from '../runtime/supervision/runtime-statistics.ts';
import { Service, type ServiceOptions } from '../runtime/service.ts';
import { createAdminHandler } from './admin-handler.ts';
import { createApiHandler } from './api-handler.ts';
import { drain } from './drain.ts';
import type { LimitName } from './limits.ts';
import { listen, type Listening, type ListenPlace } from './listen.ts';
import { createHttpServer, type HttpServer } from './node-http.ts';
import { findPortSharing, type PortSharing, SHARING_UNSUPPORTED } from './port-sharing.ts';
import { renderServiceMetrics } from './render-metrics.ts';
import { isSocketFile } from './socket-file.ts';

export interface RowhouseServerOptions extends ServiceOptions {
  /** Adds metrics of the runtime to those of the service. */
  readonly hasRuntimeMetrics: boolean;
}

export class RowhouseServer {
  readonly service: Service;
  readonly #config: AppConfig;
  readonly #api: HttpServer;
  readonly #admin: HttpServer;
  readonly #refusals = new Tally<LimitName>();
  readonly #runtimeWatch: RuntimeWatch | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly #startedAt = performance.now();
  #apiListening: Listening | undefined;
  #adminListening: Listening | undefined;
  #isStopping = false;

  constructor(options: RowhouseServerOptions) {
    const { config } = options;
    this.#config = config;
    this.service = new Service(options);
    this.#runtimeWatch = options.hasRuntimeMetrics ? new RuntimeWatch() : undefined;
    const httpOptions = {
      limits: () => this.service.config,
      onLimit: (name: LimitName) => this.#refusals.count(name),
    };
    const api = createApiHandler(this.service);
    this.#api = createHttpServer(api, httpOptions);
    this.#admin = createHttpServer(
      createAdminHandler({
        isLive: () => this.#isLive(),
        isReady: () => this.service.isReady(),
        renderMetrics: () => renderServiceMetrics(this.service, this.#refusals, this.#runtimeWatch),
        dumpSchemaCache: () => this.service.dumpSchemaCache(),
        findPage: () => (this.service.config.serverExplorer ? readExplorerFiles() : undefined),
        describeStatus: () => this.#describeStatus(),
        refuseSource: (request) => {
          const error = checkSource(request, this.service.config.serverAllowedHosts);
          return error && api.refuseConnection(error);
        },
        onCrash: (error) => api.onCrash(error),
        onConnectionError: (error) => api.onConnectionError(error),
      }),
      httpOptions,
    );
  }

  /** `0.0.0.0:3000`, `[::1]:3000` or the path of a socket; undefined until it listens. */
  get apiAddress(): string | undefined {
    return this.#apiListening?.address;
  }

  get adminAddress(): string | undefined {
    return this.#adminListening?.address;
  }

  /** Resolves when the API is being served, or when that has become impossible (`onFatal`) or unwanted (`stop`). */
  async start(): Promise<void> {
    const { service } = this;
    service.logger.observe({ kind: 'starting' });
    const sharing = this.#config.serverReuseport ? await findPortSharing() : undefined;
    if (this.#config.serverReuseport && sharing === undefined)
      return service.end({ kind: 'cannotListen', server: 'API', reason: SHARING_UNSUPPORTED });
    const adminPlace = findAdminPlace(this.#config);
    if (adminPlace !== undefined) this.#adminListening = await this.#listen('Admin', this.#admin, adminPlace);
    if (adminPlace !== undefined && this.#adminListening === undefined) return;
    await service.start();
    if (!service.isRunning) return;
    this.#apiListening = await this.#listen('API', this.#api, findApiPlace(this.#config, sharing));
  }

  /** Lets the requests under way finish, for `server-shutdown-grace` at most. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const seconds = this.service.config.serverShutdownGrace;
    const deadline = performance.now() + seconds * 1000;
    const ended = [end(this.#api, this.#apiListening, deadline), end(this.#admin, this.#adminListening, deadline)];
    const [requests = 0] = await Promise.all(ended);
    if (requests > 0) this.service.logger.observe({ kind: 'shutdownCutOff', requests, seconds });
    await this.service.stop();
  }

  async #listen(name: 'API' | 'Admin', http: HttpServer, place: ListenPlace): Promise<Listening | undefined> {
    const bound = await listen(http.server, place);
    if (!bound.ok) {
      this.service.end({ kind: 'cannotListen', server: name, reason: explain(bound.error, name, place) });
      return undefined;
    }
    http.server.on('error', (error) => this.#noticeServerError(name, http, error));
    if (this.#isStopping) {
      await end(http, bound.value, 0);
      return undefined;
    }
    this.service.logger.observe({ kind: 'listening', server: name, address: bound.value.address });
    return bound.value;
  }

  /** A server that could not accept one connection goes on with the next. */
  #noticeServerError(name: 'API' | 'Admin', { server }: HttpServer, error: Error): void {
    const { logger } = this.service;
    if (server.listening || name === 'API') logger.observe({ kind: 'connectionFailed', reason: error.message });
    else this.service.end({ kind: 'adminCrashed', reason: error.message });
  }

  #isLive(): boolean {
    const { serverUnixSocket } = this.#config;
    return this.#api.server.listening && (serverUnixSocket === undefined || isSocketFile(serverUnixSocket));
  }

  async #describeStatus(): Promise<StatusDocument> {
    const { counters, requests, status } = this.service;
    const { databaseVersion, ...facts } = status;
    const now = { epoch: Date.now(), monotonic: performance.now() };
    return buildStatus({
      ...facts,
      product: PRODUCT,
      versions: { node: process.version, postgres: databaseVersion },
      uptimeMs: now.monotonic - this.#startedAt,
      now,
      isLive: this.#isLive(),
      problems: await this.service.findProblems(),
      counters,
      metrics: requests.metrics,
      refusals: this.#refusals,
    });
  }
}

function findApiPlace(config: AppConfig, sharing: PortSharing | undefined): ListenPlace {
  const { serverUnixSocket: path, serverUnixSocketMode: mode } = config;
  if (path !== undefined) return { kind: 'socket', path, mode };
  return { kind: 'port', host: config.serverHost, port: config.serverPort, sharing };
}

function findAdminPlace(config: AppConfig): ListenPlace | undefined {
  const { adminServerUnixSocket: path, adminServerUnixSocketMode: mode, adminServerPort: port } = config;
  if (path !== undefined) return { kind: 'socket', path, mode };
  return port === undefined ? undefined : { kind: 'port', host: config.adminServerHost, port, sharing: undefined };
}

function explain(error: string, name: 'API' | 'Admin', place: ListenPlace): string {
  if (place.kind !== 'port' || !error.includes('EADDRINUSE')) return error;
  return `${error}. Choose another port with ${name === 'API' ? 'server-port' : 'admin-server-port'}.`;
}

/** Resolves when the last connection is closed. @returns requests that were cut off */
async function end(http: HttpServer, listening: Listening | undefined, deadline: number): Promise<number> {
  const { server, connections } = http;
  await listening?.leave(server, () => connections.announceEnd());
  const requests = await drain(connections, deadline);
  // Ends what else Node does for a server.
  server.close();
  return requests;
}
