// A worker: serves the connections that the primary process hands over, and does what it is told.
import type { Socket } from 'node:net';
import { PRODUCT } from '../contract/product.ts';
import type { LogOutput } from '../observe/logger.ts';
import type { ServingCounts } from '../observe/serving-counts.ts';
import { Tally } from '../observe/http-metrics.ts';
import { shareConfig } from './share-config.ts';
import { RuntimeWatch } from '../service/supervision/runtime-statistics.ts';
import { WorkerService } from './worker-service.ts';
import { createApiHandler } from '../http/exchange/api-handler.ts';
import { drain } from '../http/exchange/drain.ts';
import type { LimitName } from '../http/limits/limits.ts';
import { createHttpServer, type HttpServer } from '../http/exchange/node-http.ts';
import type { Answer, Question, WorkerCounts, WorkerMessage, WorkerSetup } from './messages.ts';

export interface WorkerServerOptions {
  readonly setup: WorkerSetup;
  readonly output: LogOutput;
  /** Tells the primary. */
  readonly tell: (message: WorkerMessage) => void;
}

export class WorkerServer {
  readonly service: WorkerService;
  readonly #setup: WorkerSetup;
  readonly #tell: (message: WorkerMessage) => void;
  readonly #http: HttpServer;
  readonly #refusals = new Tally<LimitName>();
  readonly #runtimeWatch: RuntimeWatch | undefined;
  /** What is told is done in the order in which it is told. */
  #work: Promise<unknown> = Promise.resolve();

  /** Throws for a set-up by another version. */
  constructor({ setup, output, tell }: WorkerServerOptions) {
    if (setup.version !== PRODUCT.version)
      throw new Error(`a worker of ${PRODUCT.version} cannot serve ${setup.version}`);
    this.#setup = setup;
    this.#tell = tell;
    this.#runtimeWatch = setup.hasRuntimeMetrics ? new RuntimeWatch() : undefined;
    this.service = new WorkerService({
      config: shareConfig(setup.state.config, setup.share),
      environment: setup.environment,
      output,
      reportsReplicas: setup.share.index === 0,
      onLoss: () => tell({ kind: 'loss' }),
      onBack: () => tell({ kind: 'back' }),
      onFatal: (reason) => tell({ kind: 'fatal', reason }),
    });
    this.#http = createHttpServer(createApiHandler(this.service), {
      limits: () => this.service.config,
      onLimit: (name) => this.#refusals.count(name),
      countTurnWaiters: () => this.service.waitingForTurn,
    });
    // It never listens itself; from here on Node checks how long heads take.
    this.#http.server.emit('listening');
  }

  /** Resolves when it can take connections. */
  async start(): Promise<void> {
    const { config, roles, catalog, retryAt } = this.#setup.state;
    this.service.configure(shareConfig(config, this.#setup.share), roles);
    this.service.waitUntil(retryAt);
    if (catalog !== undefined) this.#work = this.service.publishCatalog(catalog);
    await this.#work;
  }

  /** @param socket undefined where the client has gone on the way */
  take(socket: Socket | undefined): void {
    this.#tell({ kind: 'taken' });
    if (socket === undefined) return;
    // As an HTTP server has those that it accepts itself: it decides what a half-closed one gets.
    socket.allowHalfOpen = true;
    if (this.#http.connections.count < this.service.config.serverMaxConnections)
      this.#http.server.emit('connection', socket);
    else {
      this.#refusals.count('server-max-connections');
      socket.destroy();
    }
  }

  async answer(id: number, question: Question): Promise<void> {
    this.#tell({ kind: 'done', id, answer: await this.#findAnswer(question) });
  }

  announceEnd(): void {
    this.#http.connections.announceEnd();
  }

  /** Resolves when the last connection is closed. @returns requests that were cut off */
  async end(milliseconds: number): Promise<number> {
    const { server, connections } = this.#http;
    this.announceEnd();
    const cutOff = await drain(connections, performance.now() + milliseconds);
    server.close();
    await this.service.stop();
    return cutOff;
  }

  async #findAnswer(question: Question): Promise<Answer> {
    switch (question.kind) {
      case 'findProblems':
        return { problems: await this.service.findProblems() };
      case 'count':
        return { counted: this.#count() };
      case 'configure':
        return this.#inTurn(() =>
          this.service.configure(shareConfig(question.config, this.#setup.share), question.roles),
        );
      case 'publishCatalog':
        return this.#inTurn(() => this.service.publishCatalog(question.catalog));
    }
  }

  async #inTurn(change: () => void | Promise<void>): Promise<Answer> {
    // What one change has met is no reason to leave out the next.
    this.#work = this.#work.then(change, change);
    await this.#work;
    return {};
  }

  #count(): WorkerCounts {
    const { series, inFlight, errors } = this.service.requests.metrics;
    const counts: ServingCounts = {
      ...this.service.counters,
      metrics: { series, inFlight, errors: { list: errors.list } },
      refusals: { entries: this.#refusals.entries },
      runtime: this.#runtimeWatch?.statistics,
    };
    return { counts, timeOrigin: performance.timeOrigin };
  }
}
