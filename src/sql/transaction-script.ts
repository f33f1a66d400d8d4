// One transaction as the database will run it: the SQL stage's result, one script per request.
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

export interface TransactionScript {
  readonly access: 'read only' | 'read write';
  readonly isolation: IsolationLevel | undefined;
  /** Whom the settings make the later statements run as, and for whom they are planned. */
  readonly role: string;
  /** Its first parameter is the search path, under which the later statements are prepared. */
  readonly settings: Statement;
  readonly preRequest: Statement | undefined;
  readonly main: MainStatement;
  /** `EXPLAIN (FORMAT JSON)` of the count query, for planned and estimated totals. */
  readonly plannedCount: Statement | undefined;
  /** A body that comes while it is sent is as good as a whole one. */
  readonly mayStream: boolean;
  readonly end: 'commit' | 'rollback';
  /** What is to be cleaned up afterwards. */
  readonly leftovers: Leftovers;
  /** Whether it may run twice, and the first answer count: it only reads, and no volatile function runs in it. */
  readonly isRepeatable: boolean;
  /** Checks the outcome before the transaction may end; an error rolls back (singular, max-affected, PUT). */
  readonly verify: ((outcome: DbOutcome) => ApiError | undefined) | undefined;
  readonly arriving?: ArrivingRows | undefined;
  /** A read that a replica may run; absent: the primary runs it. */
  readonly freshness?: Freshness;
  /** A write whose place in the write-ahead log is asked for behind its commit. */
  readonly isPositioned?: true;
}

export interface ArrivingScript extends TransactionScript {
  readonly arriving: ArrivingRows;
}
