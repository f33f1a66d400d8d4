// A read as the database will run it: relationships resolved, parameters in their places (`reading.md` §5-§14).
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { Relationship } from '../../catalog/schema-cache.ts';
import type { AggregateFunction, JsonStep, Operation, OrderTerm } from '../../request/query/query-params.ts';
import type { RowRange } from '../../request/range.ts';

/** A column and the path into it; `toJson` first turns an array, composite or unknown value into jsonb. */
export interface FieldPlan {
  readonly column: string;
  readonly path: readonly JsonStep[];
  readonly toJson: boolean;
}

export interface FilterCondition {
  readonly kind: 'filter';
  readonly field: FieldPlan;
  readonly negated: boolean;
  readonly operation: Operation;
  /** Text → domain conversion of the filter's values. */
  readonly parser: QualifiedName | undefined;
  /** Full-text search on a column that is no tsvector. */
  readonly toTsvector: boolean;
}

export type Condition =
  | FilterCondition
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly members: readonly Condition[];
    }
  /** `embed` is the position among the level's embeds. */
  | { readonly kind: 'presence'; readonly embed: number; readonly isPresent: boolean };

export interface ColumnPlan {
  readonly kind: 'column';
  readonly field: FieldPlan;
  /** Key in the result. */
  readonly key: string;
  readonly cast: string | undefined;
  /** Domain → json conversion. */
  readonly formatter: QualifiedName | undefined;
  readonly aggregate: { readonly function: AggregateFunction; readonly cast: string | undefined } | undefined;
}

export type SelectPlan =
  | { readonly kind: 'all' }
  | { readonly kind: 'countRows'; readonly key: string; readonly cast: string | undefined }
  | ColumnPlan;

export type OrderPlan = Pick<OrderTerm, 'direction' | 'nulls'> &
  (
    | { readonly kind: 'field'; readonly field: FieldPlan }
    /** By an output column of a to-one embed of the level. */
    | { readonly kind: 'related'; readonly embed: number; readonly field: FieldPlan }
  );

export interface EmbedPlan {
  readonly relationship: Relationship;
  readonly isToOne: boolean;
  readonly join: 'inner' | 'left';
  /** How it shows in the parent: not at all, under a key, or as columns of the parent. */
  readonly shape: 'hidden' | 'nested' | 'spread';
  readonly key: string;
  /** Keys of columns that the parent orders by and does not show. */
  readonly orderKeys: readonly string[];
  readonly read: ReadPlan;
}

export interface ReadPlan {
  readonly relation: QualifiedName;
  readonly select: readonly SelectPlan[];
  readonly embeds: readonly EmbedPlan[];
  /** ANDed. */
  readonly where: readonly Condition[];
  readonly order: readonly OrderPlan[];
  readonly range: RowRange;
  /** Some item, or one lifted from a to-one spread, is an aggregate. */
  readonly isGrouped: boolean;
}

/** Whether rows of this level can be dropped for want of embedded rows. */
export function hasRequiredEmbed({ embeds }: ReadPlan): boolean {
  return embeds.some(({ join }) => join === 'inner');
}

/** A `*` names its columns itself, also where it is lifted out of a spread: which ones there are is not known here. */
export function hasStar({ select, embeds }: ReadPlan): boolean {
  return (
    select.some(({ kind }) => kind === 'all') ||
    embeds.some((embed) => embed.shape === 'spread' && embed.isToOne && hasStar(embed.read))
  );
}

/** How many conditions ask whether an embed has rows, by the position of the embed. */
export function countPresenceTests(conditions: readonly Condition[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const visit = (condition: Condition): void => {
    if (condition.kind === 'group') condition.members.forEach(visit);
    if (condition.kind === 'presence') counts.set(condition.embed, (counts.get(condition.embed) ?? 0) + 1);
  };
  conditions.forEach(visit);
  return counts;
}
