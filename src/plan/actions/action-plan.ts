// What will be done for a request, fully decided: the plan stage's result, from which the SQL and the response follow.
import type { Column, Relation, Routine } from '../../catalog/schema-cache.ts';
import type { OpenApiMode, OpenApiVersion } from '../../config/table/app-config.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { IsolationLevel, Leftovers, Pieces } from '../../contract/transaction.ts';
import type { Mutation } from '../../request/api-request.ts';
import type { RowBatches } from '../../request/payload/row-batch.ts';
import type { IgnoredText } from '../../request/query/query-params.ts';
import type { RowRange } from '../../request/range.ts';
import type { Condition, ReadPlan } from '../levels/read-plan.ts';
import type { RowSource } from '../levels/row-source.ts';
import type { LegacyName } from '../levels/select-tree.ts';
import type { DeliveryPlan } from './delivery-plan.ts';

/** Where the total of `Content-Range` comes from (`reading.md` §9.4). */
export type CountPlan =
  | { readonly kind: 'none' }
  /** All rows are on the page. */
  | { readonly kind: 'page' }
  | { readonly kind: 'exact' }
  | { readonly kind: 'planned' }
  /** Exact up to the threshold, the planner's estimate beyond; no threshold: the larger of both. */
  | { readonly kind: 'estimated'; readonly threshold: number | undefined };

/** What the outcome must satisfy before the transaction may stay (`writing.md` §1 step 18). */
export type OutcomeCheck =
  | { readonly kind: 'putKey' }
  | { readonly kind: 'singular' }
  | { readonly kind: 'maxAffected'; readonly maximum: bigint };

/** Common to everything that runs a transaction. */
export interface TransactionPlan {
  readonly schema: string;
  readonly access: 'read only' | 'read write';
  readonly end: 'commit' | 'rollback';
  /** Whether a read has to see every write that was answered before. */
  readonly consistency: 'strong' | undefined;
  /** In the form PostgreSQL takes. */
  readonly timezone: string | undefined;
  /** Value of `Content-Profile` where a body answers; undefined: no such header. */
  readonly contentProfile: string | undefined;
  /** Value of `Preference-Applied`. */
  readonly preferencesApplied: string | undefined;
  /** Text of the query string that did not count. */
  readonly ignoredText: readonly IgnoredText[];
}

/** Common to what answers with rows. */
export interface RowsPlan extends TransactionPlan {
  readonly checks: readonly OutcomeCheck[];
  /** Value of `Content-Type`. */
  readonly contentType: string;
  readonly delivery: DeliveryPlan;
  readonly count: CountPlan;
  readonly range: RowRange;
  readonly isHead: boolean;
  readonly legacyNames: readonly LegacyName[];
}

export interface ReadAction extends RowsPlan {
  readonly kind: 'read';
  readonly leftovers: Leftovers;
  readonly read: ReadPlan;
  readonly contentLocation: string;
}

/** What is left to know of it once its statements are rendered. */
export type RenderedRead = Omit<ReadAction, 'read'>;

/** A column of the payload and how its JSON value becomes a column value. */
export interface PayloadColumn {
  readonly column: Column;
  /** Json → domain conversion. */
  readonly reader: QualifiedName | undefined;
}

export interface PayloadPlan {
  readonly bytes: Pieces;
  readonly isArray: boolean;
  readonly columns: readonly PayloadColumn[];
  /** Absent keys take the column's default (`Prefer: missing=default`). */
  readonly appliesDefaults: boolean;
  /** Where the rows are read while they are inserted: `bytes` are those of the first batch. */
  readonly batches: RowBatches | undefined;
}

export interface ConflictPlan {
  readonly target: readonly string[];
  readonly resolution: 'merge' | 'ignore';
  /** Whether a row was inserted decides the status. */
  readonly isCounted: boolean;
}

export interface MutateAction extends RowsPlan {
  readonly kind: 'mutate';
  readonly leftovers: Leftovers;
  readonly mutation: Mutation;
  readonly relation: Relation;
  readonly payload: PayloadPlan | undefined;
  /** Rows to change; for PUT the conditions on the payload's keys. */
  readonly where: readonly Condition[];
  readonly conflict: ConflictPlan | undefined;
  /** What RETURNING gives; undefined: nothing but the number of rows. */
  readonly returning: RowSource | undefined;
  /** Key columns of `Location`, in the order in which they show; empty: no such header. */
  readonly locationKey: readonly string[];
  readonly returnPreference: 'minimal' | 'headers-only' | 'representation';
  /** How the returned rows show. */
  readonly read: ReadPlan;
}

/** How a function gets its arguments (`writing.md` §14.4). */
export type ArgumentsPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly bytes: Pieces; readonly isArray: boolean; readonly names: readonly string[] }
  | { readonly kind: 'text'; readonly values: readonly ArgumentValue[] }
  | { readonly kind: 'body'; readonly bytes: Pieces; readonly type: 'json' | 'jsonb' | 'text' | 'xml' | 'bytea' };

export interface ArgumentValue {
  readonly name: string;
  /** All values of a variadic parameter, else one. */
  readonly values: readonly string[];
}

export interface CallAction extends RowsPlan {
  readonly kind: 'call';
  readonly routine: Routine;
  readonly arguments: ArgumentsPlan;
  readonly read: ReadPlan;
  /** The relation whose rows the function returns, if it is one's. */
  readonly rowType: Relation | undefined;
  /** What is taken from the call. */
  readonly source: RowSource;
  readonly isolation: IsolationLevel | undefined;
  /** The function's settings that become the transaction's. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

export interface DescribeAction extends TransactionPlan {
  readonly kind: 'describe';
  readonly mode: Exclude<OpenApiMode, 'disabled'>;
  /** The version of OpenAPI, or the document for programs that offer the schema to people. */
  readonly document: OpenApiVersion | 'schema';
  readonly contentType: string;
  readonly isHead: boolean;
}

export interface InfoAction {
  readonly kind: 'info';
  /** Value of `Allow`. */
  readonly allow: string;
}

/** The page for browsers at `/`. */
export interface PageAction {
  readonly kind: 'page';
  readonly isHead: boolean;
}

/** What runs statements and answers with rows. */
export type RowsAction = ReadAction | MutateAction | CallAction;
export type PlannedRows = RenderedRead | MutateAction | CallAction;

export type ActionPlan = ReadAction | MutateAction | CallAction | DescribeAction | InfoAction | PageAction;
