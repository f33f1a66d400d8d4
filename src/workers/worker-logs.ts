// Passes the log of the database on to the workers that watch rows.
import type { LogFeedOptions } from '../service/streams/log-feed.ts';
import { LogRelay } from '../service/streams/log-relay.ts';
import type { WorkerProcess, WorkerReport } from './worker-process.ts';

export class WorkerLogs {
  readonly #relay: LogRelay;
  /** Names of the slots that each worker has opened. */
  readonly #slots: Map<WorkerProcess, Set<string>> = new Map();

  constructor(log: Pick<LogFeedOptions, 'open' | 'observe'>) {
    this.#relay = new LogRelay(log);
  }

  receive(worker: WorkerProcess, { slot, request }: Extract<WorkerReport, { kind: 'log' }>): void {
    const slots = this.#slots.get(worker) ?? new Set();
    this.#slots.set(worker, slots);
    if (request === 'open') slots.add(slot);
    if (request === 'close') slots.delete(slot);
    void this.#relay.receive(slot, request, (event) => worker.send({ kind: 'log', slot, event }));
  }

  /** Call when the worker has ended. */
  remove(worker: WorkerProcess): void {
    for (const slot of this.#slots.get(worker) ?? []) void this.#relay.remove(slot);
    this.#slots.delete(worker);
  }
}
