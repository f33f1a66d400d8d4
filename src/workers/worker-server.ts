// A worker: serves the connections that the primary process hands over and follows its instructions.
import type { Socket } from 'node:net';
import { PRODUCT } from '../contract/product.ts';
import type { LogOutput } from '../observe/logger.ts';
import type { ServingCounts } from '../observe/serving-counts.ts';
import { Tally } from '../observe/http-metrics.ts';
import type { ServiceExtension } from '../service/database/create-pool.ts';
import { RuntimeWatch } from '../service/supervision/runtime-statistics.ts';
import { WorkerService } from './worker-service.ts';
import { drain } from '../http/exchange/drain.ts';
import type { LimitName } from '../http/limits/limits.ts';
import { createHttpServer, type HttpServer } from '../http/exchange/node-http.ts';
import {
  type Answer,
  type Question,
  shareConfig,
  type WorkerCounts,
  type WorkerMessage,
  type WorkerSetup,
} from './messages.ts';

export interface WorkerServerOptions {
  readonly setup: WorkerSetup;
  readonly output: LogOutput;
  readonly send: (message: WorkerMessage) => void;
  readonly extensions: readonly ServiceExtension[];
}

export class WorkerServer {
  readonly service: WorkerService;
  readonly primary: RemoteExtensions;
  readonly #setup: WorkerSetup;
  readonly #send: (message: WorkerMessage) => void;
  readonly #http: HttpServer;
  readonly #refusals = new Tally<LimitName>();
  readonly #runtimeWatch: RuntimeWatch | undefined;
  /** Changes are applied in the order in which they arrive. */
  #work: Promise<unknown> = Promise.resolve();

  /** Throws if the setup comes from another version. */
  constructor({ setup, output, send, extensions }: WorkerServerOptions) {
    if (setup.version !== PRODUCT.version)
      throw new Error(`a worker of ${PRODUCT.version} cannot serve ${setup.version}`);
    this.#setup = setup;
    this.#send = send;
    this.primary = new RemoteExtensions((id, extension, question) => send({ kind: 'ask', id, extension, question }));
    this.#runtimeWatch = setup.hasRuntimeMetrics ? new RuntimeWatch() : undefined;
    this.service = new WorkerService({
      config: shareConfig(setup.state.config, setup.share),
      environment: setup.environment,
      output,
      extensions,
      reportsShared: setup.share.index === 0,
      askPrimary: this.primary.ask,
      onLoss: () => send({ kind: 'loss' }),
      onRecovered: () => send({ kind: 'recovered' }),
      onFatal: (reason) => send({ kind: 'fatal', reason }),
    });
    this.#http = createHttpServer(this.service.serving.requests, {
      limits: this.service.serving.state,
      onLimit: (name) => this.#refusals.count(name),
      countPermitWaiters: () => this.service.serving.waitingForPermit,
    });
    // The server never listens itself; the event starts Node's check of request head timeouts.
    this.#http.server.emit('listening');
  }

  /** Resolves when the worker can take connections. */
  async start(): Promise<void> {
    const { config, roles, catalog, retryAt } = this.#setup.state;
    this.service.configure(shareConfig(config, this.#setup.share), roles);
    this.service.waitUntil(retryAt);
    if (catalog !== undefined) this.#work = this.service.publishCatalog(catalog);
    await this.#work;
  }

  /** @param socket undefined if the client disconnected in transit */
  take(socket: Socket | undefined): void {
    this.#send({ kind: 'received' });
    if (socket === undefined) return;
    // HTTP servers set this on sockets that they accept, and decide how to answer half-closed ones.
    socket.allowHalfOpen = true;
    if (this.#http.connections.count < this.service.config.serverMaxConnections)
      this.#http.server.emit('connection', socket);
    else {
      this.#refusals.count('server-max-connections');
      socket.destroy();
    }
  }

  async answer(id: number, question: Question): Promise<void> {
    this.#send({ kind: 'done', id, answer: await this.#findAnswer(question) });
  }

  announceEnd(): void {
    this.#http.connections.announceEnd();
  }

  /** Resolves when the last connection is closed. @returns the number of requests that were cut off */
  async end(milliseconds: number): Promise<number> {
    const { server, connections } = this.#http;
    this.announceEnd();
    this.service.serving.end();
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
        return this.#applyInTurn(() =>
          this.service.configure(shareConfig(question.config, this.#setup.share), question.roles),
        );
      case 'publishCatalog':
        return this.#applyInTurn(() => this.service.publishCatalog(question.catalog));
    }
  }

  async #applyInTurn(change: () => void | Promise<void>): Promise<Answer> {
    // A failed change does not prevent the next one.
    this.#work = this.#work.then(change, change);
    await this.#work;
    return {};
  }

  #count(): WorkerCounts {
    const { series, inFlight, errors } = this.service.serving.requests.metrics;
    const counts: ServingCounts = {
      ...this.service.serving.counters,
      metrics: { series, inFlight, errors: { list: errors.list } },
      refusals: { entries: this.#refusals.entries },
      runtime: this.#runtimeWatch?.statistics,
    };
    return { counts, timeOrigin: performance.timeOrigin };
  }
}

/** A worker's side of the questions that its extensions ask those of the primary process. */
class RemoteExtensions {
  readonly #send: (id: number, extension: string, question: unknown) => void;
  readonly #pending: Map<number, (answer: unknown) => void> = new Map();
  #lastId = 0;
  #isAbandoned = false;

  /** @param send sends a question, whose answer is passed to `settle` */
  constructor(send: (id: number, extension: string, question: unknown) => void) {
    this.#send = send;
  }

  /** @returns undefined if the primary is gone */
  readonly ask = (extension: string, question: unknown): Promise<unknown> => {
    if (this.#isAbandoned) return Promise.resolve(undefined);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#send(id, extension, question);
    });
  };

  settle(id: number, answer: unknown): void {
    this.#pending.get(id)?.(answer);
    this.#pending.delete(id);
  }

  /** Call when the primary is gone. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const resolve of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }
}
