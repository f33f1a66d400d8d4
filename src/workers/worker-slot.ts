// A place for one worker: a worker that ends is replaced, immediately or, if that happens repeatedly, after a pause.
import { retryDelay } from '../service/scheduling/waiting.ts';
import { WorkerProcess, type WorkerEnd, type WorkerReport, type WorkerProcessOptions } from './worker-process.ts';

export interface WorkerSlotOptions extends Pick<WorkerProcessOptions, 'output' | 'onFree'> {
  readonly onReport: (worker: WorkerProcess, report: WorkerReport) => void;
  /** @param seconds until the next worker is started */
  readonly onEnd: (worker: WorkerProcess, end: WorkerEnd, seconds: number) => void;
}

/** A worker that ends sooner after its start counts as having failed to start. */
const EARLY_MS = 10_000;

export class WorkerSlot {
  readonly #options: WorkerSlotOptions;
  #worker: WorkerProcess;
  #startedAt = 0;
  /** Consecutive workers that failed to start. */
  #earlyEnds = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WorkerSlotOptions) {
    this.#options = options;
    this.#worker = this.#launch();
  }

  /** The current worker, or the last one. */
  get worker(): WorkerProcess {
    return this.#worker;
  }

  /** Number of consecutive workers that ended soon after their start. */
  get earlyEnds(): number {
    return this.#earlyEnds;
  }

  /** Stops replacing workers. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #launch(): WorkerProcess {
    this.#startedAt = performance.now();
    const { output, onFree, onReport } = this.#options;
    const worker: WorkerProcess = new WorkerProcess({
      output,
      onFree,
      onReport: (report) => onReport(worker, report),
      onEnd: (end) => this.#replace(worker, end),
    });
    return worker;
  }

  #replace(worker: WorkerProcess, end: WorkerEnd): void {
    const isEarly = performance.now() - this.#startedAt < EARLY_MS;
    this.#earlyEnds = isEarly ? this.#earlyEnds + 1 : 0;
    const seconds = this.#earlyEnds < 2 ? 0 : retryDelay(this.#earlyEnds - 2);
    this.#options.onEnd(worker, end, seconds);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => (this.#worker = this.#launch()), seconds * 1000);
  }
}
