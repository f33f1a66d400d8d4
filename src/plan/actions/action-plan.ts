// The result of planning: everything that is decided for a request. The SQL and the response follow from it.
import type { Column, IndexKey, Relation, Routine } from '../../catalog/schema-cache.ts';
import type { OpenApiMode, OpenApiVersion } from '../../config/table/app-config.ts';
import type { SpelledArrayDelivery } from '../../contract/delivery.ts';
import type { HeaderList } from '../../contract/http.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { DbOutcome, IsolationLevel, Leftovers, Pieces } from '../../contract/transaction.ts';
import type { Mutation, WriteCondition } from '../../request/api-request.ts';
import type { RowBatches } from '../../request/payload/row-batch.ts';
import type { IgnoredText, PageDirection } from '../../request/query/query-params.ts';
import type { RowRange } from '../../request/range.ts';
import type { Condition, ReadPlan } from '../levels/read-plan.ts';
import type { RowSource } from '../levels/row-source.ts';
import type { LegacyName } from '../levels/select-tree.ts';
import type { EventSubject } from '../negotiation/negotiate.ts';
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

/** A condition on the outcome; if it fails, the transaction is rolled back (`writing.md` §1 step 18). */
export type OutcomeCheck =
  | { readonly kind: 'condition'; readonly condition: ConditionPlan }
  | { readonly kind: 'putKey' }
  | { readonly kind: 'singular' }
  /** The statement names the column whose stored JSON is no array in `DbOutcome.location`. */
  | { readonly kind: 'storedArrays' }
  /** The statement describes its elements in `DbOutcome.location` (`sql/writes/render-elements.ts`). */
  | { readonly kind: 'elements' }
  | { readonly kind: 'maxAffected'; readonly maximum: bigint };

/** A condition on the row that is written (`beyond.md` §1.7). */
export type ConditionPlan = Exclude<WriteCondition, { kind: 'unsupported' }> & {
  /** Whether `DbOutcome.location` says how many rows were given and matched. */
  readonly isReported: boolean;
};

/** Fields of every action that runs a transaction. */
export interface TransactionPlan {
  readonly schema: string;
  readonly access: 'read only' | 'read write';
  readonly end: 'commit' | 'rollback';
  readonly preferredIsolation: IsolationLevel | undefined;
  /** `strong`: a read must see every write acknowledged before it. */
  readonly consistency: 'strong' | undefined;
  /** Whether the response reports the position of the write in the write-ahead log. */
  readonly reportsPosition?: true;
  /** In PostgreSQL's notation. */
  readonly timezone: string | undefined;
  /** Value of `Content-Profile` on responses with a body; undefined: no such header. */
  readonly contentProfile: string | undefined;
  /** Of every response that follows the preferences, even if it is an error. */
  readonly preferenceHeaders: HeaderList;
  /** Text of the query string that was ignored. */
  readonly ignoredText: readonly IgnoredText[];
}

/** Fields of every action that responds with rows. */
export interface RowsPlan extends TransactionPlan {
  readonly checks: readonly OutcomeCheck[];
  /** Value of `Content-Type`. */
  readonly contentType: string;
  readonly delivery: DeliveryPlan;
  readonly count: CountPlan;
  readonly range: RowRange;
  readonly isHead: boolean;
  readonly legacyNames: readonly LegacyName[];
  /** Set if the response is a stream of events. */
  readonly events?: EventSubject;
}

export interface ReadAction extends RowsPlan {
  readonly kind: 'read';
  readonly leftovers: Leftovers;
  readonly read: ReadPlan;
  /** Undefined unless the rows are read in keyset pages. */
  readonly paging: PagingPlan | undefined;
  /** Undefined if no URL identifies the rows. */
  readonly contentLocation: string | undefined;
  /** Whether it also reads the version of its one row, for the entity tag. */
  readonly isVersioned: boolean;
  /** Whether its estimated cost is the same for all values. */
  readonly isCostConstant: boolean;
}

/** A keyset page, which an extension plans, renders and links to its neighbors. */
export interface PagingPlan {
  readonly relation: Pick<Relation, 'name' | 'computedColumns'>;
  /** The relation, then each term of the order, as JSON values: what a token is bound to. */
  readonly order: readonly (readonly unknown[])[];
  /** The place where the page begins, or ends if it lies before it; undefined: the first page. */
  readonly position: PagePosition | undefined;
  /** The query string of links, without a token; undefined: no links. */
  readonly linkQuery: string | undefined;
}

/** A place in the order of a level (`beyond.md` §1.6). */
export interface PagePosition {
  readonly direction: PageDirection;
  /** The text of the value of each term of the order. */
  readonly values: readonly (string | null)[];
  /** Whether the row at the position is part of the page. */
  readonly isInclusive: boolean;
}

/** The part of a read that is still needed after its statements are rendered. */
export type RenderedRead = Omit<ReadAction, 'read'>;

/** A column of the payload and how its JSON value becomes a column value. */
export interface PayloadColumn {
  readonly column: Column;
  /** Json → domain conversion. */
  readonly reader: QualifiedName | undefined;
  /** Undefined: the value replaces the stored one. */
  readonly operation: OperationPlan | undefined;
}

/** How the value of a PATCH is combined with the stored one (`beyond.md` §2.6). */
export interface OperationPlan {
  readonly kind: 'add' | 'appendArray' | 'appendJson' | 'removeFromArray' | 'removeFromJson' | 'merge';
  readonly operandType: string;
  /** Levels of objects to merge. */
  readonly depth: number;
}

/** A key of the elements of a PATCH that find their rows by `match`. */
export interface ElementColumn extends PayloadColumn {
  /** In the body. */
  readonly key: string;
  /** Whether elements without the key exist, for which the column stays as it is. */
  readonly isOptional: boolean;
}

/** How elements find their rows, and what they change (`beyond.md` §2.3). */
export interface ElementsPlan {
  readonly match: readonly PayloadColumn[];
  /** Several keys may stand for one column. */
  readonly changes: readonly ElementColumn[];
  /** Whether every element must match a row. */
  readonly isComplete: boolean;
}

export interface PayloadPlan {
  readonly bytes: Pieces;
  readonly isArray: boolean;
  readonly columns: readonly PayloadColumn[];
  /** Absent keys take the column's default (`Prefer: missing=default`). */
  readonly appliesDefaults: boolean;
  /** Batches of streamed rows, read while earlier ones are inserted; `bytes` then holds the first batch. */
  readonly batches: RowBatches | undefined;
  /** Set if each element finds its rows by itself; `columns` then contains the changed ones. */
  readonly elements?: ElementsPlan | undefined;
}

/** What PostgreSQL finds the unique index by. */
export interface ConflictTarget {
  readonly keys: readonly IndexKey[];
  /** The condition of a partial index. */
  readonly predicate: string | undefined;
  readonly hasEqualNulls: boolean;
}

export interface ConflictPlan {
  /** A unique index, or `any` constraint. */
  readonly target: ConflictTarget | 'any';
  /** Columns that a merge changes; undefined: all that are sent. */
  readonly merged: readonly string[] | undefined;
  /** `keep` returns existing rows as they are. */
  readonly resolution: 'merge' | 'ignore' | 'keep';
  /** A merge changes only rows whose values in these columns are those of the payload. */
  readonly unchanged?: readonly string[] | undefined;
  /** Whether the statement counts the rows that a merge inserts: if there are any, the status is 201. */
  readonly isCounted: boolean;
}

/**
 * Where the old row of a change comes from (`beyond.md` §5.1): `none`, every row is new; `deleted`, the write returns it;
 * `merged`, DO UPDATE saves it; `returned`, PostgreSQL returns both; `locked`, it is read before the update and found by
 * its key.
 */
export type OldRows =
  | { readonly kind: 'none' | 'deleted' | 'merged' | 'returned' }
  | { readonly kind: 'locked'; readonly key: readonly string[] };

export interface MutateAction extends RowsPlan {
  readonly kind: 'mutate';
  readonly leftovers: Leftovers;
  readonly mutation: Mutation;
  readonly relation: Relation;
  readonly payload: PayloadPlan | undefined;
  /** Rows to change; for PUT the conditions on the payload's keys. */
  readonly where: readonly Condition[];
  readonly conflict: ConflictPlan | undefined;
  readonly condition: ConditionPlan | undefined;
  /** The output of RETURNING; undefined: only the number of rows. */
  readonly returning: RowSource | undefined;
  /** Key columns of `Location`, in the order of the header; empty: no such header. */
  readonly locationKey: readonly string[];
  readonly returnPreference: 'minimal' | 'headers-only' | 'representation';
  /** Set if rows are shown as they were and as they are. */
  readonly changes: OldRows | undefined;
  /** Whether rows have the key `inserted`. */
  readonly showsInserted: boolean;
  /** Whether the statement must order its rows like the elements of the payload. */
  readonly keepsOrder: boolean;
  /** How the returned rows are rendered. */
  readonly read: ReadPlan;
  /** Set if the rows are written by other statements. */
  readonly parts?: WriteParts;
  /** Set if a statement without table expressions can write the rows, which Citus passes on to a shard as it is. */
  readonly direct?: DirectWrite;
  /** Whether an extension adds other statements when the write is prepared. */
  readonly isDivided?: true;
}

/** `rows`: the written rows are returned as they are, and the server writes them as JSON; undefined: only their number. */
export interface DirectWrite {
  readonly rows: SpelledArrayDelivery | undefined;
}

/** A write of several statements, which an extension plans. That of its action returns the rows of the others. */
export interface WriteParts {
  /** Columns by which the rows are found again. */
  readonly key: readonly PayloadColumn[];
  /** Whether a relation is written that the request does not name. */
  readonly hasJunctions: boolean;
  readonly listRelations: () => readonly QualifiedName[];
  /** What the other statements have found out, which the outcome repeats. */
  readonly found?: Pick<DbOutcome, 'inserted' | 'location' | 'total'>;
}

/** How arguments are passed to a function (`writing.md` §14.4). */
export type ArgumentsPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly bytes: Pieces; readonly isArray: boolean; readonly names: readonly string[] }
  | { readonly kind: 'text'; readonly values: readonly ArgumentValue[] }
  | { readonly kind: 'body'; readonly bytes: Pieces; readonly type: 'json' | 'jsonb' | 'text' | 'xml' | 'bytea' };

export interface ArgumentValue {
  readonly name: string;
  /** All values of a variadic parameter; otherwise one. */
  readonly values: readonly string[];
}

export interface CallAction extends RowsPlan {
  readonly kind: 'call';
  readonly routine: Routine;
  readonly arguments: ArgumentsPlan;
  readonly read: ReadPlan;
  /** The relation whose rows the function returns, if any. */
  readonly rowType: Relation | undefined;
  /** Those of the row type, which need not be exposed. */
  readonly computedColumns: Relation['computedColumns'];
  /** The columns that the statement reads from the call. */
  readonly source: RowSource;
  readonly isolation: IsolationLevel | undefined;
  /** Settings of the function that are applied to the transaction. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

export interface DescribeAction extends TransactionPlan {
  readonly kind: 'describe';
  readonly mode: Exclude<OpenApiMode, 'disabled'>;
  /** An OpenAPI version, or the schema document that user interfaces are built from. */
  readonly document: OpenApiVersion | 'schema';
  readonly contentType: string;
  readonly isHead: boolean;
}

export interface InfoAction {
  readonly kind: 'info';
  /** Value of `Allow`. */
  readonly allow: string;
  /** Value of `Accept-Query`; undefined: no such header. */
  readonly acceptQuery: string | undefined;
}

/** The HTML page at `/`. */
export interface PageAction {
  readonly kind: 'page';
  readonly isHead: boolean;
}

/** Actions that run statements and respond with rows. */
export type RowsAction = ReadAction | MutateAction | CallAction;
export type PlannedRows = RenderedRead | MutateAction | CallAction;

export type ActionPlan = ReadAction | MutateAction | CallAction | DescribeAction | InfoAction | PageAction;
