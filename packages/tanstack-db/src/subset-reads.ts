// The reads of a collection that loads subsets on demand. A subset that another one contains has no read of its own.
import { type LoadSubsetOptions, LoadSubsetOperationAbortedError } from '@tanstack/db';
import type { Live, LiveError } from '@rowhouse/live';
import { contains, type Subset } from './subset.ts';
import type { SyncedRows } from './synced-rows.ts';

interface Demand {
  readonly subset: Subset;
  read: SubsetRead;
}

export interface SubsetReadsOptions {
  readonly live: Live;
  readonly rows: SyncedRows;
  readonly toSubset: (options: LoadSubsetOptions) => Subset;
  readonly onError: (error: LiveError | undefined) => void;
}

export class SubsetReads {
  readonly #options: SubsetReadsOptions;
  readonly #reads = new Set<SubsetRead>();
  /** A subset may be loaded again before it is unloaded. */
  readonly #demands = new Map<LoadSubsetOptions, Demand[]>();

  constructor(options: SubsetReadsOptions) {
    this.#options = options;
  }

  /** Resolves when the rows are there. */
  load(options: LoadSubsetOptions): Promise<void> {
    const subset = this.#options.toSubset(options);
    const isFresh = options.refetch === true;
    const found = [...this.#reads].find((read) => read.canServe(subset));
    const read = found === undefined || isFresh ? this.#open(subset, isFresh) : found;
    const demand = { subset, read };
    read.demands.add(demand);
    this.#demands.set(options, [...(this.#demands.get(options) ?? []), demand]);
    return untilAborted(read.loaded, options.signal);
  }

  unload(options: LoadSubsetOptions): void {
    const [demand, ...others] = this.#demands.get(options) ?? [];
    if (demand === undefined) return;
    if (others.length > 0) this.#demands.set(options, others);
    else this.#demands.delete(options);
    const { read } = demand;
    read.demands.delete(demand);
    if (read.demands.size === 0) this.#close(read);
    else if (![...read.demands].some(({ subset }) => subset.path === read.subset.path)) this.#narrow(read);
  }

  async refetch(): Promise<void> {
    await Promise.all([...this.#reads].map((read) => read.refetch()));
  }

  close(): void {
    for (const read of this.#reads) read.stop();
    this.#reads.clear();
    this.#demands.clear();
  }

  #open(subset: Subset, isFresh = false): SubsetRead {
    const read = new SubsetRead(subset, this.#options, isFresh);
    this.#reads.add(read);
    read.loaded.then(
      () => this.#absorb(read),
      () => this.#reads.delete(read),
    );
    return read;
  }

  #close(read: SubsetRead): void {
    this.#reads.delete(read);
    read.stop();
    this.#options.rows.drop(read);
  }

  /** Ends the reads of subsets that this one contains. */
  #absorb(read: SubsetRead): void {
    if (!this.#reads.has(read) || read.isLeaving) return;
    for (const other of this.#reads)
      if (other !== read && !other.isLeaving && contains(read.subset, other.subset)) this.#move(other, read);
  }

  #move(from: SubsetRead, to: SubsetRead): void {
    for (const demand of from.demands) {
      demand.read = to;
      to.demands.add(demand);
    }
    from.demands.clear();
    this.#close(from);
  }

  /** What the read has more than the subsets that are left is unloaded: they get reads of their own. */
  #narrow(read: SubsetRead): void {
    read.isLeaving = true;
    for (const demand of read.demands) {
      const own = [...this.#reads].find((other) => other.canServe(demand.subset)) ?? this.#open(demand.subset);
      void own.loaded.then(
        () => {
          if (!read.demands.delete(demand)) return;
          demand.read = own;
          own.demands.add(demand);
          if (read.demands.size === 0) this.#close(read);
        },
        () => undefined,
      );
    }
  }
}

/** It owns the rows that it has sent. */
class SubsetRead {
  readonly subset: Subset;
  readonly demands: Set<Demand> = new Set<Demand>();
  readonly loaded: Promise<void>;
  /** Whether it ends as soon as others have replaced it. */
  isLeaving = false;
  readonly #options: SubsetReadsOptions;
  readonly #stopped = new AbortController();

  constructor(subset: Subset, options: SubsetReadsOptions, isFresh: boolean) {
    this.subset = subset;
    this.#options = options;
    this.loaded = new Promise((resolve, reject) => {
      const { live, rows, onError } = options;
      live.watch(subset.path, {
        signal: this.#stopped.signal,
        fresh: isFresh,
        onRows: (sent) => {
          onError(undefined);
          Promise.resolve(rows.replace(this, sent)).then(() => resolve(), reject);
        },
        onChange: (change) => void rows.apply(this, change),
        onError: (error) => {
          onError(error);
          if (!error.isFinal) return;
          reject(error);
          // What may not be read any more is not shown.
          if (error.status !== 400) rows.drop(this);
        },
      });
    });
    // Who waits for it gets the error.
    this.loaded.catch(() => undefined);
  }

  canServe(subset: Subset): boolean {
    return !this.isLeaving && contains(this.subset, subset);
  }

  refetch(): Promise<void> {
    return refetchRead(this.#options.live, this.subset.path, this.#stopped.signal);
  }

  stop(): void {
    this.#stopped.abort();
  }
}

/** Reads all rows again. Those who watch the read get them first. */
export function refetchRead(live: Live, path: string, stopped: AbortSignal): Promise<void> {
  const done = new AbortController();
  const rows = new Promise<void>((resolve, reject) => {
    live.watch(path, { signal: done.signal, fresh: true, onRows: () => resolve(), onError: reject });
    stopped.addEventListener('abort', () => resolve(), { signal: done.signal });
  });
  return rows.finally(() => done.abort());
}

async function untilAborted(loaded: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return loaded;
  const left = new AbortController();
  const aborted = new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => reject(new LoadSubsetOperationAbortedError()), { signal: left.signal });
  });
  return Promise.race([loaded, aborted]).finally(() => left.abort());
}
