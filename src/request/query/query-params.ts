// The query string as data (`reading.md` §2-§4), produced by the parsers of this folder and consumed by the plan stage.
import type { ApiError } from '../../errors/api-error.ts';
import type {
  AGGREGATES,
  ColumnOperator,
  DistanceMeasure,
  FullTextOperator,
  FURTHER_AGGREGATES,
  QuantifiableOperator,
  SimpleOperator,
  TextOperator,
} from '../../contract/operators.ts';

export type JsonOperand =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'index'; /** Signed decimal digits. */ readonly digits: string };

export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly operand: JsonOperand;
}

/** A column with an optional path into its JSON, array or composite value. */
export interface Field {
  readonly column: string;
  readonly path: readonly JsonStep[];
}

export type AggregateFunction = (typeof AGGREGATES)[number] | (typeof FURTHER_AGGREGATES)[number];

export interface AggregateCall {
  readonly function: AggregateFunction;
  /** Whether equal values count once; belongs to the extension `aggregates`. */
  readonly isDistinct?: true;
  /** Cast of the result. */
  readonly cast: string | undefined;
}

/** An aggregate in an order, a filter or a tree. */
export interface AggregateTerm {
  /** Undefined: counts rows. */
  readonly field: Field | undefined;
  /** Cast of the value, applied before the aggregate. */
  readonly cast: string | undefined;
  readonly call: AggregateCall;
}

export interface ColumnItem {
  readonly kind: 'column';
  readonly field: Field;
  readonly alias: string | undefined;
  /** Cast of the value, applied before the aggregate. */
  readonly cast: string | undefined;
  readonly aggregate: AggregateCall | undefined;
}

export interface EmbedItem {
  /** `spread` lifts the embed's columns into its parent. */
  readonly kind: 'embed' | 'spread';
  readonly target: string;
  /** Always undefined for a spread. */
  readonly alias: string | undefined;
  readonly hint: string | undefined;
  readonly join: 'inner' | 'left';
  /** How many levels deep the embed contains itself, if more than one (`beyond.md` §1.11). */
  readonly levels?: number | undefined;
  readonly select: readonly SelectItem[];
}

export type SelectItem =
  | { readonly kind: 'all' }
  | { readonly kind: 'countRows'; readonly alias: string | undefined; readonly cast: string | undefined }
  | ColumnItem
  | EmbedItem;

export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  | {
      readonly kind: 'compare';
      readonly operator: QuantifiableOperator | SimpleOperator;
      readonly quantifier: 'any' | 'all' | undefined;
      readonly value: string;
    }
  | {
      readonly kind: 'literalText';
      readonly operator: TextOperator;
      readonly quantifier: 'any' | 'all' | undefined;
      readonly value: string;
    }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly value: IsValue }
  | { readonly kind: 'isDistinct'; readonly value: string }
  /** Compares with another column of the row, or of the row that the level is embedded in. */
  | {
      readonly kind: 'compareColumn';
      readonly operator: ColumnOperator;
      readonly row: 'column' | 'parent';
      readonly field: Field;
    }
  | {
      readonly kind: 'fullText';
      readonly operator: FullTextOperator;
      readonly language: string | undefined;
      readonly value: string;
    };

export interface Filter {
  readonly kind: 'filter';
  readonly field: Field;
  readonly negated: boolean;
  readonly operation: Operation;
}

/** Compares an aggregate of each group. */
export interface HavingFilter {
  readonly kind: 'having';
  readonly term: AggregateTerm;
  readonly negated: boolean;
  readonly operation: Operation;
}

export interface LogicGroup {
  readonly kind: 'group';
  readonly operator: 'and' | 'or';
  readonly negated: boolean;
  readonly members: readonly LogicNode[];
}

/** True if a related row fulfils the member, or with `negated` if none does. */
export interface RelatedNode {
  readonly kind: 'related';
  /** The name of an embed of the level, otherwise the target of a relationship. */
  readonly target: string;
  readonly hint: string | undefined;
  readonly negated: boolean;
  readonly member: LogicNode;
}

export type LogicNode = Filter | HavingFilter | LogicGroup | RelatedNode;

export interface OrderTerm {
  /** Name of a to-one embed, for a related order: `order=harbours(name)`. */
  readonly relation: string | undefined;
  readonly field: Field;
  /** Only of a term that was an alias: the cast of what it shows. */
  readonly cast?: string | undefined;
  /** Orders by this aggregate of each group instead of `field`. */
  readonly aggregate?: AggregateTerm | undefined;
  readonly direction: 'asc' | 'desc' | undefined;
  readonly nulls: 'nullsfirst' | 'nullslast' | undefined;
}

/** Which rows are given once: each different row, or the first one for each combination of columns. */
export type Distinct = { readonly kind: 'rows' } | { readonly kind: 'fields'; readonly fields: readonly Field[] };

/** Something that applies to the embed at `path`; `[]` is the top level. */
export interface Addressed<T> {
  readonly path: readonly string[];
  readonly value: T;
}

/** How the computed column `score` of a level is computed (`beyond.md` §1.10). */
export interface Score {
  readonly field: Field;
  readonly measure: FullTextOperator | DistanceMeasure;
  /** Only for text search. */
  readonly language: string | undefined;
  readonly value: string;
}

/** A page of the top level, before or after the row that a token identifies (`beyond.md` §1.6). */
export interface PageToken {
  readonly direction: PageDirection;
  /** As sent. */
  readonly text: string;
}

export type PageDirection = 'after' | 'before';

/** `undefined` if absent or not an integer (`reading.md` §9.1). */
export interface LimitOffset {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Columns that a write of nested rows sets, or whose conflicts it resolves (`beyond.md` §2.2). */
export interface NestedList {
  readonly parameter: 'columns' | 'on_conflict';
  readonly columns: readonly string[];
}

/** Ignored text after a complete value. */
export interface IgnoredText {
  /** Name of the parameter, decoded. */
  readonly parameter: string;
  readonly text: string;
}

export interface QueryParams {
  readonly select: readonly SelectItem[];
  readonly filters: readonly Addressed<Filter>[];
  readonly logic: readonly Addressed<LogicGroup>[];
  readonly having: readonly Addressed<HavingFilter>[];
  /** At most one per path; the first occurrence wins. */
  readonly distinct: readonly Addressed<Distinct>[];
  /** At most one per path; the first occurrence wins. */
  readonly orders: readonly Addressed<readonly OrderTerm[]>[];
  /** At most one per path; the last occurrence wins. */
  readonly ranges: readonly Addressed<LimitOffset>[];
  /** In order of appearance; empty unless scores are allowed. */
  readonly scores: readonly Addressed<Score>[];
  /** Why the value of `score` is none, if it may be the argument of a function. */
  readonly unreadableScore?: ApiError | undefined;
  /** In order of appearance; empty unless page tokens are allowed. */
  readonly pages: readonly Addressed<PageToken>[];
  readonly columns: readonly string[] | undefined;
  readonly onConflict: readonly string[] | undefined;
  /** The unique index that decides conflicts, instead of `onConflict`. */
  readonly conflictIndex?: string | undefined;
  /** Conflicts with every constraint count. */
  readonly onAnyConflict?: true;
  /** The columns to change in existing rows. */
  readonly merge?: readonly string[] | undefined;
  /** The columns by which the elements of the body find the rows to change. */
  readonly match?: readonly string[] | undefined;
  /** The `columns` and `on_conflict` parameters of nested rows, if rows may be nested. */
  readonly nestedLists?: readonly Addressed<NestedList>[];
  /** Function arguments in order, including repeated ones; empty unless arguments are allowed. */
  readonly args: readonly (readonly [name: string, value: string])[];
  /** In order of appearance; empty unless such text may be ignored. */
  readonly ignoredText: readonly IgnoredText[];
  /** Query part of `Content-Location`, without `?`; `''` without parameters (`reading.md` §2.4). */
  readonly canonical: string;
}
