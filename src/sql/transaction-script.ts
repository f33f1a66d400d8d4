// A transaction as the database runs it: the result of the SQL stage, with one segment per request.
import type {
  DbOutcome,
  IsolationLevel,
  Leftovers,
  MainStatement,
  ScriptResults,
  Statement,
} from '../contract/transaction.ts';
import type { LogPosition } from '../contract/log-position.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RowBatches } from '../request/payload/row-batch.ts';

/** How fresh a read must be: every healthy replica qualifies, or only those that have reached a position. */
export type Freshness = 'any' | LogPosition;

/** Rows that are inserted while they arrive: the main statement runs once per batch. */
export interface ArrivingRows {
  readonly batches: RowBatches;
  /** Index of the parameter for the rows. The statements bind those of the first batch. */
  readonly parameter: number;
  /** Inserts all batches after the first and returns nothing, if only the number of rows matters. */
  readonly insertion: Statement | undefined;
  /** The same for rows that are passed as one array per column, in the first parameters. */
  readonly columnInsertion: Statement | undefined;
}

/** The planner's estimate of a statement. */
export interface CostEstimate {
  /** Cost units of PostgreSQL's planner. */
  readonly cost: number;
  readonly rows: number;
}

/** What the main statement of a segment may cost (`beyond.md` §1.2). */
export interface Budget {
  readonly maxCost: number;
  /** The text to estimate, with the parameters of the main statement; an `EXPLAIN ANALYZE` runs the one it explains. */
  readonly text: string;
  /** Whether the estimate is the same for all values. */
  readonly isConstant: boolean;
  /** Runs instead of a main statement that exceeds the budget, because it does not count all rows. */
  readonly uncounted: MainStatement | undefined;
  readonly exceededBy: (estimate: CostEstimate) => ApiError;
}

/** The part of a transaction that one request runs. */
export interface Segment {
  /** The first parameter is the search path, under which the later statements are prepared. */
  readonly settings: Statement;
  /** Pass settings on to other servers, which run parts of the statements. The transaction then has a BEGIN. */
  readonly passed?: readonly Statement[];
  readonly preRequest: Statement | undefined;
  /**
   * Whether the pre-request statement returns the settings `response.headers` and `response.status`, because the main
   * statement may be run by another server, which does not have them.
   */
  readonly returnsSettings?: true;
  readonly main: MainStatement;
  /** `EXPLAIN (FORMAT JSON)` of the count query, for planned and estimated totals. */
  readonly plannedCount: Statement | undefined;
  /** Checks the outcome before the transaction ends; an error rolls it back (singular, max-affected, PUT). */
  readonly verify: ((outcome: DbOutcome) => ApiError | undefined) | undefined;
  /** Whether the outcome lacks rows that other transactions have just inserted; the script is then repeated once. */
  readonly isIncomplete?: ((outcome: DbOutcome) => boolean) | undefined;
  /** Index of the request in its batch, which an error of the database then carries. */
  readonly request?: number | undefined;
  /** Without it, the main statement may cost anything. */
  readonly budget?: Budget | undefined;
  /** Whether the settings of the segment before remain in force, and its pre-request function has run. */
  readonly isContinued?: true;
}

/** Limits the bytes of all results together. */
export interface ResultLimit {
  readonly bytes: number;
  /** Reserves memory for so many bytes in all. @returns false if there is not enough */
  readonly reserve?: (bytes: number) => boolean;
  /** @param request index of the request in its batch */
  readonly exceededBy: (request: number | undefined) => ApiError;
}

/** Decides what follows the results of a script: its next part, or nothing, which ends the transaction. */
export type Continue = (results: ScriptResults) => Promise<Result<TransactionScript | undefined, ApiError>>;

export interface TransactionScript {
  readonly access: 'read only' | 'read write';
  readonly isolation: IsolationLevel | undefined;
  /** The role that the settings switch to. Later statements are planned for it. */
  readonly role: string;
  readonly end: 'commit' | 'rollback';
  /** What must be cleaned up afterwards. */
  readonly leftovers: Leftovers;
  /** Whether two copies may run at once, with the first result used: it only reads and calls no volatile function. */
  readonly mayRunConcurrently: boolean;
  /** Whether the body may be sent while it is received from the database. */
  readonly mayStream: boolean;
  /** The freshness that a read requires of a replica; absent: the primary runs it. */
  readonly freshness?: Freshness;
  /** Runs first in the transaction, which fails with it. */
  readonly precondition?: Statement;
  /** Queried after the commit. The outcomes contain its row. */
  readonly afterCommit?: Statement | undefined;
  readonly arriving?: ArrivingRows | undefined;
  /**
   * Called with the results of all segments before the transaction ends. The next part may differ in its segments and
   * leftovers only, and continues as well. Must give the same part for the same results, because the script may be repeated from its start.
   */
  readonly continue?: Continue;
  readonly resultLimit?: ResultLimit;
  /**
   * Set on the parts of a script whose statements are estimated before they run. They are sent unnamed, because the plan
   * of a named one may be another than the one that was estimated.
   */
  readonly isEstimated?: true;
  /** In execution order. */
  readonly segments: readonly [Segment, ...Segment[]];
}

export interface ArrivingScript extends TransactionScript {
  readonly arriving: ArrivingRows;
}
