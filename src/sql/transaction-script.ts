// One transaction as the database will run it: the SQL stage's result, one script per request.
import type { DbOutcome, IsolationLevel, MainStatement, Statement } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';

export interface TransactionScript {
  readonly access: 'read only' | 'read write';
  readonly isolation: IsolationLevel | undefined;
  /** Its first parameter is the search path, under which the later statements are prepared. */
  readonly settings: Statement;
  readonly preRequest: Statement | undefined;
  readonly main: MainStatement;
  /** `EXPLAIN (FORMAT JSON)` of the count query, for planned and estimated totals. */
  readonly plannedCount: Statement | undefined;
  readonly end: 'commit' | 'rollback';
  /** Judges the outcome before the transaction may end; an error rolls back (singular, max-affected, PUT). */
  readonly verify: ((outcome: DbOutcome) => ApiError | undefined) | undefined;
}
