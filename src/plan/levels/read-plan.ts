// A read in the form that is rendered to SQL: relationships are resolved, parameters assigned to levels
// (`reading.md` §5-§14).
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { FullTextOperator } from '../../contract/operators.ts';
import type { Relationship } from '../../catalog/schema-cache.ts';
import type { AggregateCall, JsonStep, Operation, OrderTerm } from '../../request/query/query-params.ts';
import type { RowRange } from '../../request/range.ts';

/** A column and an optional path into it; `toJson` converts an array, composite or unknown value to jsonb first. */
export interface FieldPlan {
  readonly column: string;
  readonly path: readonly JsonStep[];
  readonly toJson: boolean;
  /** The score of the value, instead of the value. */
  readonly score?: ScorePlan | undefined;
}

export type ScorePlan =
  | {
      readonly kind: 'rank';
      readonly operator: FullTextOperator;
      readonly language: string | undefined;
      readonly value: string;
      readonly toTsvector: boolean;
    }
  | {
      readonly kind: 'distance';
      readonly operator: string;
      /** Schema of the operator. */
      readonly schema: string;
      /** Type of both sides, as PostgreSQL prints it. */
      readonly type: string;
      readonly value: string;
    };
type ColumnComparison = Extract<Operation, { kind: 'compareColumn' }>;

export type OperationPlan =
  | Exclude<Operation, ColumnComparison>
  | (Omit<ColumnComparison, 'field'> & { readonly field: FieldPlan });

export interface FilterCondition {
  readonly kind: 'filter';
  readonly field: FieldPlan;
  readonly negated: boolean;
  readonly operation: OperationPlan;
  /** Text → domain conversion of the filter's values. */
  readonly parser: QualifiedName | undefined;
  /** Full-text search on a column that is not a tsvector. */
  readonly toTsvector: boolean;
}

export interface AggregatePlan {
  /** Undefined: counts rows. */
  readonly field: FieldPlan | undefined;
  readonly cast: string | undefined;
  readonly call: AggregateCall;
}

/** Compares an aggregate of each group. */
export interface HavingCondition extends Omit<FilterCondition, 'kind' | 'field'> {
  readonly kind: 'having';
  readonly term: AggregatePlan;
}

/** Whether a related row fulfils the member, or none does. */
export interface RelatedCondition {
  readonly kind: 'related';
  readonly relationship: Relationship;
  readonly negated: boolean;
  readonly member: Condition;
}

export type Condition =
  | FilterCondition
  | RelatedCondition
  | HavingCondition
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly members: readonly Condition[];
    }
  /** `embed` is the position of the embed within the level. */
  | { readonly kind: 'presence'; readonly embed: number; readonly isPresent: boolean };

export interface ColumnPlan {
  readonly kind: 'column';
  readonly field: FieldPlan;
  /** Key in the result. */
  readonly key: string;
  readonly cast: string | undefined;
  /** Domain → json conversion. */
  readonly formatter: QualifiedName | undefined;
  readonly aggregate: AggregateCall | undefined;
}

export type SelectPlan =
  | { readonly kind: 'all' }
  | { readonly kind: 'countRows'; readonly key: string; readonly cast: string | undefined }
  | ColumnPlan;

export type OrderPlan = Pick<OrderTerm, 'direction' | 'nulls'> &
  (
    | {
        readonly kind: 'field';
        readonly field: FieldPlan;
        readonly cast?: string | undefined;
        /** False if it is never null. */
        readonly isNullable: boolean;
      }
    | { readonly kind: 'aggregate'; readonly term: AggregatePlan }
    /** By an output column of a to-one embed of this level. */
    | { readonly kind: 'related'; readonly embed: number; readonly field: FieldPlan }
  );

export interface EmbedPlan {
  readonly relationship: Relationship;
  readonly isToOne: boolean;
  readonly join: 'inner' | 'left';
  /** How the embed appears in the parent: not at all, under a key, or as columns of the parent. */
  readonly shape: 'hidden' | 'nested' | 'spread';
  readonly key: string;
  /** Keys of columns that the parent orders by but does not show. */
  readonly orderKeys: readonly string[];
  readonly read: ReadPlan;
  /**
   * Whether the rows of all parents are read apart from them and then joined, as Citus requires where related rows may be
   * on other nodes. The level then names its columns.
   */
  readonly isApart?: true;
}

/** `fields`: the columns lead the order, so that it determines the first row of each combination. */
export type DistinctPlan =
  | { readonly kind: 'rows' }
  | { readonly kind: 'fields'; readonly fields: readonly FieldPlan[] };

export interface ReadPlan {
  readonly relation: QualifiedName;
  readonly select: readonly SelectPlan[];
  readonly embeds: readonly EmbedPlan[];
  /** Combined with AND. */
  readonly where: readonly Condition[];
  /** Conditions on groups, combined with AND. */
  readonly having: readonly Condition[];
  readonly order: readonly OrderPlan[];
  readonly range: RowRange;
  readonly distinct: DistinctPlan | undefined;
  /** Whether an item, including those lifted from a to-one spread, an order term or a condition is an aggregate. */
  readonly isGrouped: boolean;
  /** Set if the rows may come from other servers. */
  readonly fence?: Fence;
}

/**
 * Has rows complete before they are put together: Citus would put together those of each shard, without the names of their
 * columns. Functions get rows of the type of the table, not of the shard's.
 */
export interface Fence {
  /** Those of the relation. */
  readonly computedColumns: ReadonlySet<string>;
}

/** Whether rows of this level can be dropped because an embed has no rows. */
export function hasRequiredEmbed({ embeds }: ReadPlan): boolean {
  return embeds.some(({ join }) => join === 'inner');
}

/** Whether the level has a `*`, its own or lifted from a spread, whose columns are known only to PostgreSQL. */
export function hasStar({ select, embeds }: ReadPlan): boolean {
  return (
    select.some(({ kind }) => kind === 'all') ||
    embeds.some((embed) => embed.shape === 'spread' && embed.isToOne && hasStar(embed.read))
  );
}

/** Counts the presence tests of each embed, by the position of the embed. */
export function countPresenceTests(conditions: readonly Condition[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const visit = (condition: Condition): void => {
    if (condition.kind === 'group') condition.members.forEach(visit);
    if (condition.kind === 'presence') counts.set(condition.embed, (counts.get(condition.embed) ?? 0) + 1);
  };
  conditions.forEach(visit);
  return counts;
}
