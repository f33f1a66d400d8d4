// Manages the workers of a server as one: passes on configuration and catalog, distributes connections, and adds up
// counts.
import type { Socket } from 'node:net';
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import { PRODUCT } from '../contract/product.ts';
import type { WorkerStatus } from '../contract/status-document.ts';
import type { LogOutput } from '../observe/logger.ts';
import type { Observation } from '../observe/observation.ts';
import type { WorkerLink } from '../serve/extension.ts';
import { addCounts, keepCounters, NO_COUNTS, type ServingCounts, shiftTimes } from '../observe/serving-counts.ts';
import { countAnswered } from '../observe/status.ts';
import type { WorkerChannel } from '../service/worker-channel.ts';
import { createPause } from '../service/scheduling/waiting.ts';
import { packCatalog, type ReceivedCatalog } from '../service/schema-cache/serialized-catalog.ts';
import type { Question, WorkerSetup, WorkerState } from './messages.ts';
import type { WorkerEnd, WorkerReport, WorkerProcess } from './worker-process.ts';
import { WorkerSlot } from './worker-slot.ts';

/** How long a reload waits for a worker. */
const RELOAD_TIMEOUT_MS = 10_000;
/** How long metrics and probes wait for a worker. */
const ANSWER_TIMEOUT_MS = 1000;
/** Consecutive failed starts of a worker that are tolerated before any worker has served. */
const MAX_STARTS = 3;

export class WorkerGroup implements WorkerChannel {
  readonly #options: WorkerGroupOptions;
  readonly #slots: readonly WorkerSlot[];
  #state: WorkerState;
  /** Whether the state is known, so that launched workers are set up immediately. */
  #isOpen = false;
  #isEnding = false;
  #hasServed = false;
  #turn = -1;
  readonly #counts: Map<WorkerProcess, ServingCounts> = new Map();
  /** Counts of workers that have ended. */
  #past = NO_COUNTS;
  /** Workers that have been launched and may be set up. */
  readonly #launched: Set<WorkerProcess> = new Set();
  /** Workers that have been set up and get every change. */
  readonly #informed: Set<WorkerProcess> = new Set();
  #onReady: (() => void) | undefined;
  readonly #kill = (): void => {
    for (const { worker } of this.#slots) worker.kill();
  };

  /** Starts the worker processes. */
  constructor(options: WorkerGroupOptions) {
    this.#options = options;
    this.#state = { config: options.config, roles: new Map(), catalog: undefined, retryAt: 0 };
    this.#slots = Array.from({ length: options.count }, (_, index) => this.#createSlot(index));
    process.once('exit', this.#kill);
  }

  /** Whether at least one worker serves requests. */
  get isServing(): boolean {
    return this.#slots.some(({ worker }) => worker.isReady);
  }

  get pids(): readonly number[] {
    return this.#slots.map(({ worker }) => worker.pid);
  }

  /** Call when the state is known. Resolves when all workers serve requests, or when that has become impossible. */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#slots.forEach(({ worker }, index) => {
      if (this.#launched.has(worker)) this.#setUp(worker, index);
    });
    while (!this.#isEnding && !this.#slots.every(({ worker }) => worker.isReady))
      await new Promise<void>((resolve) => (this.#onReady = resolve));
  }

  /** Returns the next worker in turn that can take a connection. */
  findFree(): WorkerProcess | undefined {
    for (let tried = 0; tried < this.#slots.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#slots.length;
      const worker = this.#slots[this.#turn]?.worker;
      if (worker?.isFree === true) return worker;
    }
    return undefined;
  }

  async configure(config: AppConfig, roles: SettingsByRole): Promise<void> {
    this.#state = { ...this.#state, config, roles };
    await this.#askAll({ kind: 'configure', config, roles });
  }

  async publishCatalog(rows: ReceivedCatalog): Promise<void> {
    const catalog = await packCatalog(rows, createPause());
    this.#state = { ...this.#state, catalog, retryAt: 0 };
    await this.#askAll({ kind: 'publishCatalog', catalog });
  }

  noticeWaiting(seconds: number): void {
    const retryAt = Date.now() + seconds * 1000;
    this.#state = { ...this.#state, retryAt };
    for (const worker of this.#informed) worker.send({ kind: 'wait', retryAt });
  }

  /** Returns why some workers do not serve requests, in sentences. */
  async findProblems(): Promise<readonly string[]> {
    const { dbChannelEnabled, dbPoolAcquisitionTimeout } = this.#state.config;
    // Without a listener, each worker queries the database through its pool.
    const timeoutMs = ANSWER_TIMEOUT_MS + (dbChannelEnabled ? 0 : dbPoolAcquisitionTimeout * 1000);
    const problems = await Promise.all(
      this.#slots.map(async ({ worker }, index) => {
        if (!worker.isReady) return [`Worker ${index + 1} is being started.`];
        const answer = await worker.ask({ kind: 'findProblems' }, timeoutMs);
        return answer?.problems ?? [`Worker ${index + 1} does not respond.`];
      }),
    );
    return [...new Set(problems.flat())];
  }

  /** Returns the counts of all workers, including those that have ended. */
  async count(): Promise<ServingCounts> {
    await Promise.all(
      this.#slots.map(async ({ worker }) => {
        const answer = await worker.ask({ kind: 'count' }, ANSWER_TIMEOUT_MS);
        if (answer?.counted !== undefined)
          this.#counts.set(
            worker,
            shiftTimes(answer.counted.counts, answer.counted.timeOrigin - performance.timeOrigin),
          );
      }),
    );
    return [...this.#counts.values()].reduce(addCounts, this.#past);
  }

  /** Returns the last known status. */
  describe(): readonly WorkerStatus[] {
    return this.#slots.map(({ worker }) => {
      const { metrics } = this.#counts.get(worker) ?? NO_COUNTS;
      const { pid, isReady } = worker;
      return { pid, isReady, inFlight: metrics.inFlight, answered: countAnswered(metrics) };
    });
  }

  announceEnd(): void {
    for (const { worker } of this.#slots) worker.send({ kind: 'announceEnd' });
  }

  /** Stops replacing workers. */
  close(): void {
    this.#isEnding = true;
    for (const slot of this.#slots) slot.close();
    this.#onReady?.();
  }

  /** Resolves when no worker is left. @returns the number of requests that were cut off */
  async stop(deadline: number): Promise<number> {
    this.close();
    const cutOff = await Promise.all(this.#slots.map(({ worker }) => worker.stop(deadline)));
    process.off('exit', this.#kill);
    return cutOff.reduce((sum, requests) => sum + requests, 0);
  }

  #createSlot(index: number): WorkerSlot {
    const { output, onFree } = this.#options;
    return new WorkerSlot({
      output,
      onFree,
      onReport: (worker, report) => this.#handleReport(worker, report, index),
      onEnd: (worker, end, seconds) => this.#noticeEnd(worker, end, { index, seconds }),
    });
  }

  #handleReport(worker: WorkerProcess, report: WorkerReport, index: number): void {
    switch (report.kind) {
      case 'launched':
        this.#launched.add(worker);
        if (this.#isOpen) this.#setUp(worker, index);
        return;
      case 'ready':
        return this.#noticeReady(worker, index);
      case 'ask':
        return worker.send({
          kind: 'answered',
          id: report.id,
          answer: this.#options.answer(report.extension, report.question, worker),
        });
      case 'loss':
        return this.#options.onLoss();
      case 'recovered':
        return this.#options.onRecovered();
      case 'fatal':
        return this.#options.onFatal(report.reason);
    }
  }

  #setUp(worker: WorkerProcess, index: number): void {
    const { count, environment, hasRuntimeMetrics } = this.#options;
    const share = { index, count };
    const setup: WorkerSetup = {
      version: PRODUCT.version,
      share,
      environment,
      hasRuntimeMetrics,
      state: this.#state,
    };
    this.#informed.add(worker);
    worker.send({ kind: 'setUp', setup });
  }

  #noticeReady(worker: WorkerProcess, index: number): void {
    if (this.#hasServed) this.#options.observe({ kind: 'workerReplaced', worker: index + 1, pid: worker.pid });
    this.#hasServed ||= this.#slots.every((slot) => slot.worker.isReady);
    this.#onReady?.();
    this.#options.onFree();
  }

  #noticeEnd(worker: WorkerProcess, { cause, connection }: WorkerEnd, next: { index: number; seconds: number }): void {
    const { observe, onFatal, onUndelivered, onWorkerEnd } = this.#options;
    this.#launched.delete(worker);
    this.#informed.delete(worker);
    onWorkerEnd(worker);
    this.#past = addCounts(this.#past, keepCounters(this.#counts.get(worker) ?? NO_COUNTS));
    this.#counts.delete(worker);
    if (connection !== undefined) onUndelivered(connection);
    if (this.#isEnding) return;
    const { index, seconds } = next;
    observe({ kind: 'workerEnded', worker: index + 1, pid: worker.pid, cause, seconds });
    if (!this.#hasServed && (this.#slots[index]?.earlyEnds ?? 0) >= MAX_STARTS) {
      this.close();
      onFatal({ kind: 'workersUnstartable', cause });
    }
  }

  async #askAll(question: Question): Promise<void> {
    await Promise.all([...this.#informed].map((worker) => worker.ask(question, RELOAD_TIMEOUT_MS)));
  }
}

/** What a group of workers needs from the process that starts them. */
export interface WorkerGroupOptions {
  readonly count: number;
  readonly config: AppConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  readonly hasRuntimeMetrics: boolean;
  readonly observe: (observation: Observation) => void;
  readonly answer: (extension: string, question: unknown, worker: WorkerLink) => unknown;
  readonly onWorkerEnd: (worker: WorkerLink) => void;
  /** Called when a request has found the database unreachable. */
  readonly onLoss: () => void;
  /** Called when the database has answered a request although it was considered unreachable. */
  readonly onRecovered: () => void;
  /** Called when the server cannot continue. */
  readonly onFatal: (reason: Observation) => void;
  /** Called when a worker can take the next connection. */
  readonly onFree: () => void;
  /** Called with a connection that has not reached its worker. */
  readonly onUndelivered: (socket: Socket) => void;
}
