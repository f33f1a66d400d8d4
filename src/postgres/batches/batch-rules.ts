// Which scripts may go out in one write, how many of them, and which are asked again. Pure: what `read-dispatcher.ts` and
// `read-batch.ts` decide by (`docs/decisions/batches.md`).
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';

/** Scripts in one write. */
export const MAX_READS = 16;
/** Milliseconds that a read may be expected to take; one that takes longer goes alone. */
export const READ_MS = 5;
/** Milliseconds that the reads of one batch may be expected to take together. */
const BATCH_MS = 20;
/** Batches under way at once, as long as none is slow. */
const MAX_BATCHES = 2;
/** Reads under way that are so few that nothing is gained where others wait for them. */
const FEW_READS = 4;

/** Milliseconds that one script runs. */
export interface BatchTimes {
  /** Then its batch does not count any more. */
  readonly slow: number;
  /** Then those behind it are asked for on another session as well. */
  readonly stuck: number;
}

export const BATCH_TIMES: BatchTimes = { slow: 2, stuck: 5 };

/**
 * Whether others may be behind the script before its end is known: it is one implicit transaction that only reads, and what
 * it may leave in the session is cleaned before its Sync. A call of a volatile function is not behind others, which could
 * make it wait, since it must not be asked twice.
 */
export function mayShare(script: TransactionScript): boolean {
  const { access, isolation, end, leftovers, isRepeatable, segments } = script;
  const [{ preRequest, main, verify }] = segments;
  const isRead = access === 'read only' && preRequest === undefined && (leftovers !== 'all' || isRepeatable);
  const isOneWrite = isolation === undefined && end === 'commit' && verify === undefined;
  return isRead && isOneWrite && main.delivery.kind !== 'explain' && main.delivery.kind !== 'ndjson';
}

/** @returns how many of the reads that wait make the next batch, by the milliseconds that each is expected to take */
export function countBatch(expected: readonly number[]): number {
  let sum = 0;
  for (const [index, milliseconds] of expected.entries()) {
    sum += milliseconds;
    if (index === MAX_READS || (index > 0 && sum > BATCH_MS)) return index;
  }
  return expected.length;
}

/** What is under way, without the batches whose script has been running for long. */
export interface UnderWay {
  readonly batches: number;
  readonly reads: number;
}

/** Whether one more batch may be sent. */
export function maySend({ batches, reads }: UnderWay): boolean {
  return batches < MAX_BATCHES || reads < FEW_READS;
}

/** Whether the connection failed, not the script. A read that has been tried once may run on another one. */
export function isConnectionLost(error: ApiError): boolean {
  return error.kind === 'connectionLost' || (error.kind === 'database' && error.connectionFault === 'ended');
}
