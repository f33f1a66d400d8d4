// One transaction as the database will run it: the SQL stage's result, with a segment for each request in it.
import type { Freshness } from '../contract/log-position.ts';
import type { DbOutcome, IsolationLevel, Leftovers, MainStatement, Statement } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RowBatches } from '../request/payload/row-batch.ts';

/** Rows that arrive while they are inserted: the main statement runs once for each batch of them. */
export interface ArrivingRows {
  readonly batches: RowBatches;
  /** Which parameter of these statements, from 0, has the rows: those of the first batch. */
  readonly parameter: number;
  /** What inserts all batches but the first, where nothing but the number of rows is to be known; it gives none. */
  readonly insertion: Statement | undefined;
  /** The same where the rows come as an array for each column: its first parameters. */
  readonly columnInsertion: Statement | undefined;
}

/** What one request does in the transaction. */
export interface Segment {
  /** Its first parameter is the search path, under which the later statements are prepared. */
  readonly settings: Statement;
  readonly preRequest: Statement | undefined;
  readonly main: MainStatement;
  /** `EXPLAIN (FORMAT JSON)` of the count query, for planned and estimated totals. */
  readonly plannedCount: Statement | undefined;
  /** Checks the outcome before the transaction may end; an error rolls back (singular, max-affected, PUT). */
  readonly verify: ((outcome: DbOutcome) => ApiError | undefined) | undefined;
}

export interface TransactionScript {
  readonly access: 'read only' | 'read write';
  readonly isolation: IsolationLevel | undefined;
  /** The role that the settings switch to, for which the later statements are planned. */
  readonly role: string;
  readonly end: 'commit' | 'rollback';
  /** What is to be cleaned up afterwards. */
  readonly leftovers: Leftovers;
  /** Whether it may run twice, and the first answer count: it only reads, and no volatile function runs in it. */
  readonly isRepeatable: boolean;
  /** The body may be sent while it is being received from the database. */
  readonly mayStream: boolean;
  /** A read that a replica may run; absent: the primary runs it. */
  readonly freshness?: Freshness;
  /** A write whose position in the write-ahead log is asked for after its commit. */
  readonly returnsPosition?: true;
  readonly arriving?: ArrivingRows | undefined;
  /** In the order in which they run. */
  readonly segments: readonly [Segment, ...Segment[]];
}

export interface ArrivingScript extends TransactionScript {
  readonly arriving: ArrivingRows;
}
