// A service with its two HTTP servers: started in the order of `operating.md` §10.5, ended in that of §11.4.
import { checkSource } from '../auth/check-source.ts';
import type { AppConfig } from '../config/table/app-config.ts';
import { PRODUCT } from '../contract/product.ts';
import type { StatusDocument } from '../contract/status-document.ts';
import { Tally } from '../observe/http-metrics.ts';
import { buildStatus } from '../observe/status.ts';
import { findExplorerFiles } from '../service/explorer-files.ts';
import { RuntimeWatch } from '../service/supervision/runtime-statistics.ts';
import { Service, type ServiceOptions } from '../service/service.ts';
import { addCounts, NO_COUNTS, type ServingCounts } from '../observe/serving-counts.ts';
import { createAdminHandler } from '../http/admin/admin-handler.ts';
import { type ApiFront, createFront, createOwnFront, type Front } from '../http/api-front.ts';
import { addRoutes, type ExtraRoute } from '../http/exchange/extra-routes.ts';
import type { LimitName } from '../http/limits/limits.ts';
import { listen, type Listening, type ListenPlace } from '../http/listen/listen.ts';
import type { HttpHandler } from '../http/exchange/http-handler.ts';
import { createHttpServer, type HttpServerOptions } from '../http/exchange/node-http.ts';
import { findPortSharing, type PortSharing, SHARING_UNSUPPORTED } from '../http/listen/port-sharing.ts';
import { renderServiceMetrics } from '../http/admin/render-metrics.ts';
import { isSocketFile } from '../http/listen/socket-file.ts';
import { EXTENSIONS } from './extensions.ts';
import { chooseWorkers, type WorkerChoice } from '../workers/count-workers.ts';
import { createWorkerFront, type WorkerFront } from '../workers/worker-front.ts';

export interface RowhouseServerOptions extends Omit<ServiceOptions, 'workerChannel' | 'hasConsole' | 'extensions'> {
  /** Whether to add runtime metrics to those of the service. */
  readonly hasRuntimeMetrics: boolean;
  /** Routes before those of the API; worker processes have none. */
  readonly routes?: ((config: () => AppConfig) => readonly ExtraRoute[]) | undefined;
  /** Puts something before the handler of all requests; worker processes have nothing there. */
  readonly guard?: ((handler: HttpHandler) => HttpHandler) | undefined;
  /** Undefined: there is no SQL console, as with several workers. */
  readonly console?: ((service: Service) => ExtraRoute) | undefined;
}

export class RowhouseServer {
  readonly service: Service;
  readonly #config: AppConfig;
  readonly #api: ApiFront;
  readonly #admin: Front;
  readonly #refusals = new Tally<LimitName>();
  readonly #runtimeWatch: RuntimeWatch | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly #startedAt = performance.now();
  readonly #workers: WorkerChoice;
  #apiListening: Listening | undefined;
  #adminListening: Listening | undefined;
  #isStopping = false;

  constructor(options: RowhouseServerOptions) {
    const { config } = options;
    this.#config = config;
    this.#workers = chooseWorkers(config);
    const others = this.#createWorkers(options);
    const console = others === undefined ? options.console : undefined;
    const hasConsole = console !== undefined;
    this.service = new Service({
      ...options,
      extensions: EXTENSIONS,
      hasConsole,
      workerChannel: others?.workerChannel,
    });
    this.#runtimeWatch = options.hasRuntimeMetrics ? new RuntimeWatch() : undefined;
    const httpOptions = {
      limits: this.service.serving.state,
      onLimit: (name: LimitName) => this.#refusals.count(name),
    };
    const requests = options.guard?.(this.service.serving.requests) ?? this.service.serving.requests;
    const api = addRoutes(requests, options.routes?.(() => this.service.config) ?? []);
    this.#api =
      others?.front ??
      createOwnFront(
        this.service,
        createHttpServer(addRoutes(api, console === undefined ? [] : [console(this.service)]), {
          ...httpOptions,
          countPermitWaiters: () => this.service.serving.waitingForPermit,
        }),
      );
    this.#admin = this.#createAdmin(api, httpOptions);
  }

  /** `0.0.0.0:3000`, `[::1]:3000` or the path of a socket; undefined until the API listens. */
  get apiAddress(): string | undefined {
    return this.#apiListening?.address;
  }

  get adminAddress(): string | undefined {
    return this.#adminListening?.address;
  }

  /** Resolves when the API is being served, has failed (`onFatal`) or is stopped (`stop`). */
  async start(): Promise<void> {
    const { service } = this;
    service.logger.observe({ kind: 'starting' });
    const { count, cores } = this.#workers;
    if (cores !== undefined) service.logger.observe({ kind: 'workersChosen', count, cores, pool: this.#config.dbPool });
    const sharing = this.#config.serverReuseport ? await findPortSharing() : undefined;
    if (this.#config.serverReuseport && sharing === undefined)
      return service.end({ kind: 'cannotListen', server: 'API', reason: SHARING_UNSUPPORTED });
    const adminPlace = findAdminPlace(this.#config);
    if (adminPlace !== undefined) this.#adminListening = await this.#listen('Admin', this.#admin, adminPlace);
    if (adminPlace !== undefined && this.#adminListening === undefined) return;
    await service.start();
    if (service.isRunning) await this.#api.open();
    if (!service.isRunning) return;
    this.#apiListening = await this.#listen('API', this.#api, findApiPlace(this.#config, sharing));
  }

  /** Lets requests in progress finish within `server-shutdown-grace`. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const seconds = this.service.config.serverShutdownGrace;
    const deadline = performance.now() + seconds * 1000;
    this.service.serving.end();
    const [requests] = await Promise.all([
      this.#api.end(this.#apiListening, deadline),
      this.#admin.end(this.#adminListening, deadline),
    ]);
    if (requests > 0) this.service.logger.observe({ kind: 'shutdownCutOff', requests, seconds });
    await this.service.stop();
  }

  async #listen(name: 'API' | 'Admin', front: Front, place: ListenPlace): Promise<Listening | undefined> {
    const { server } = front;
    const bound = await listen(server, place);
    if (!bound.ok) {
      this.service.end({ kind: 'cannotListen', server: name, reason: explain(bound.error, name, place) });
      return undefined;
    }
    server.on('error', (error) => this.#noticeServerError(name, server, error));
    if (this.#isStopping) {
      await front.end(bound.value, 0);
      return undefined;
    }
    this.service.logger.observe({ kind: 'listening', server: name, address: bound.value.address });
    return bound.value;
  }

  /** A server that fails to accept one connection continues with the next. */
  #noticeServerError(name: 'API' | 'Admin', server: Front['server'], error: Error): void {
    const { logger } = this.service;
    if (server.listening || name === 'API') logger.observe({ kind: 'connectionFailed', reason: error.message });
    else this.service.end({ kind: 'adminCrashed', reason: error.message });
  }

  #isLive(): boolean {
    const { serverUnixSocket } = this.#config;
    const isServed = this.#api.server.listening && this.#api.isServing;
    return isServed && (serverUnixSocket === undefined || isSocketFile(serverUnixSocket));
  }

  /** Returns why the server is not ready, in sentences. */
  async #findProblems(): Promise<readonly string[]> {
    const problems = await this.service.health.findProblems();
    return problems.length > 0 ? problems : this.#api.findProblems();
  }

  /** Returns the counts of all processes. */
  async #count(): Promise<ServingCounts> {
    const own = { ...NO_COUNTS, refusals: this.#refusals, runtime: this.#runtimeWatch?.statistics };
    return addCounts(own, await this.#api.count());
  }

  async #describeStatus(): Promise<StatusDocument> {
    const { health } = this.service;
    const { databaseVersion, ...facts } = health.status;
    const { pool, jwtCache, metrics, refusals } = await this.#count();
    const problems = await this.#findProblems();
    const now = { epoch: Date.now(), monotonic: performance.now() };
    return buildStatus({
      ...facts,
      product: PRODUCT,
      versions: { node: process.version, postgres: databaseVersion },
      uptimeMs: now.monotonic - this.#startedAt,
      now,
      isLive: this.#isLive(),
      problems,
      counters: { ...health.counters, pool, jwtCache },
      workers: this.#api.describeWorkers(),
      metrics,
      refusals,
    });
  }

  #createAdmin(api: HttpHandler, httpOptions: Pick<HttpServerOptions, 'limits' | 'onLimit'>): Front {
    return createFront(
      createHttpServer(
        createAdminHandler({
          isLive: () => this.#isLive(),
          isReady: async () => (await this.#findProblems()).length === 0,
          renderMetrics: async () => renderServiceMetrics(this.service, await this.#count()),
          dumpSchemaCache: () => this.service.health.dumpSchemaCache(),
          findPage: () => (this.service.config.serverExplorer ? findExplorerFiles() : undefined),
          describeStatus: () => this.#describeStatus(),
          refuseSource: (request) => {
            const error = checkSource(request, this.service.config.serverAllowedHosts);
            return error && api.refuseConnection(error);
          },
          onCrash: (error) => api.onCrash(error),
          onConnectionError: (error) => api.onConnectionError(error),
        }),
        { ...httpOptions, countPermitWaiters: () => 0 },
      ),
    );
  }

  /** @returns undefined if this process answers requests itself */
  #createWorkers({ config, environment, output, hasRuntimeMetrics }: RowhouseServerOptions): WorkerFront | undefined {
    const { count } = this.#workers;
    if (count === 1) return undefined;
    return createWorkerFront({
      count,
      config,
      environment,
      output,
      hasRuntimeMetrics,
      service: () => this.service,
      onDrop: () => this.#refusals.count('server-max-connections'),
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
