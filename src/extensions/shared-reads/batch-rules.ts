// Decides which reads may share a send, how many of them, and which may be retried. Used by `read-dispatcher.ts` and
// `read-batch.ts` (`docs/decisions/batches.md`).
import { isStream } from '../../contract/body-stream.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

/** Scripts in one send. */
export const MAX_READS = 16;
/** Expected milliseconds above which a read is sent alone. */
export const READ_MS = 5;
/** Limit on the total expected milliseconds of the reads in a batch. */
const BATCH_MS = 20;
/** Batches in flight at once, unless one is slow. */
const MAX_BATCHES = 2;
/** With fewer reads in flight, delaying others would gain nothing. */
const FEW_READS = 4;
/** Assumed milliseconds of a read whose response is long. */
export const LONG_MS = 1000;

/** Milliseconds that a script runs. */
export interface BatchTimes {
  /** A batch whose current script runs longer no longer counts as in flight. */
  readonly slow: number;
  /** Reads behind a script that runs longer are hedged: sent on another session as well. */
  readonly stuck: number;
}

export const BATCH_TIMES: BatchTimes = { slow: 2, stuck: 5 };

/**
 * Whether other scripts may follow in the same send before the outcome of this one is known. It must be a single implicit
 * read-only transaction that cleans up before its Sync. A call of a volatile function does not qualify: it would wait for
 * the scripts before it, and it would be repeated if the connection breaks.
 */
export function mayShare(script: TransactionScript): boolean {
  const { access, isolation, end, leftovers, mayRunConcurrently, segments, continue: follow } = script;
  const [{ preRequest, passed, main, verify, budget }] = segments;
  const isRead = access === 'read only' && preRequest === undefined && (leftovers !== 'all' || mayRunConcurrently);
  const isEndKnown = end === 'commit' && verify === undefined && budget === undefined && follow === undefined;
  return (
    isRead &&
    isolation === undefined &&
    passed === undefined &&
    isEndKnown &&
    main.delivery.kind !== 'explain' &&
    main.delivery.kind !== 'ndjson'
  );
}

/** Returns how many waiting reads form the next batch, given the expected milliseconds of each. */
export function countBatch(expected: readonly number[]): number {
  let sum = 0;
  for (const [index, milliseconds] of expected.entries()) {
    sum += milliseconds;
    if (index === MAX_READS || (index > 0 && sum > BATCH_MS)) return index;
  }
  return expected.length;
}

/** Batches and reads in flight, without batches whose current script is slow. */
export interface InFlight {
  readonly batches: number;
  readonly reads: number;
}

/** Whether one more batch may be sent. */
export function maySend({ batches, reads }: InFlight): boolean {
  return batches < MAX_BATCHES || reads < FEW_READS;
}

/** Whether a response is too long to share a connection. */
export function isLong(results: readonly ScriptResult[]): boolean {
  for (const result of results) if (result.kind === 'outcome' && isStream(result.outcome.body)) return true;
  return false;
}

/**
 * Whether the batch failed rather than the script: its connection was lost, or the response is long, cannot be streamed
 * over a shared connection and is too long to buffer. The read may then be retried alone.
 */
export function isBatchFault(error: ApiError): boolean {
  if (error.kind === 'overloaded') return true;
  return error.kind === 'connectionLost' || (error.kind === 'database' && error.connectionFault === 'ended');
}

const HEDGED_SHARE = 1 / 10;
/** Largest number of repeated reads saved up for the next slow script, and the number at the start. */
const MAX_HEDGES = 64;

/**
 * Limits how many reads are sent a second time: on average a tenth of those answered in batches, plus up to 64 saved
 * up. A database that is slow overall must not get twice the work.
 */
export class HedgeBudget {
  #budget: number = MAX_HEDGES;

  noteAnswer(): void {
    this.#budget = Math.min(MAX_HEDGES, this.#budget + HEDGED_SHARE);
  }

  /** @returns how many of `count` reads may be sent again */
  take(count: number): number {
    const granted = Math.min(count, Math.floor(this.#budget));
    this.#budget -= granted;
    return granted;
  }
}

const ROUND_TRIP_WEIGHT = 1 / 256;

/**
 * Estimates the round trip to the database from the times between a write and its first reply. Follows the shortest
 * time; longer times raise the estimate slowly, since latency may change.
 */
export class RoundTrip {
  #milliseconds: number | undefined;

  /** Returns 0 while unknown. */
  get milliseconds(): number {
    return this.#milliseconds ?? 0;
  }

  note(milliseconds: number): void {
    const former = this.#milliseconds ?? milliseconds;
    this.#milliseconds = Math.min(milliseconds, former + ROUND_TRIP_WEIGHT * (milliseconds - former));
  }
}
