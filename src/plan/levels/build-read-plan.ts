// Builds the ReadPlan of a checked tree of levels. Cannot fail.
import type { Relation } from '../../catalog/schema-cache.ts';
import { capRange, FULL_RANGE, type RowRange } from '../../request/range.ts';
import type { ColumnItem, LogicNode, OrderTerm, SelectItem } from '../../request/query/query-params.ts';
import { isGrouping, isHaving, isHidden } from './check-levels.ts';
import { planAggregate, planCondition, type FieldContext } from './plan-condition.ts';
import { planLevelField } from './plan-score.ts';
import {
  type Condition,
  type EmbedPlan,
  hasStar,
  type OrderPlan,
  type ReadPlan,
  type SelectPlan,
} from './read-plan.ts';
import { orderDistinctly, planDistinct } from './plan-distinct.ts';
import { findFormatter } from './representations.ts';
import type { ReadContext } from './read-context.ts';
import { conditionsOf } from './select-tree.ts';
import type { ResolvedEmbed, ResolvedLevel } from './resolve-levels.ts';

export function buildReadPlan(level: ResolvedLevel, range: RowRange, context: ReadContext): ReadPlan {
  return buildLevel(level, capRange(range, context.maxRows), { context, parent: undefined, mustExpand: false });
}

function planConditions(nodes: readonly LogicNode[], fields: FieldContext): readonly Condition[] {
  return nodes.map((node) => planCondition(node, fields));
}

interface LevelSetting {
  readonly context: ReadContext;
  /** The relation that the level is embedded in; undefined at the top. */
  readonly parent: Relation | undefined;
  /** The columns of the level are grouped or aggregated one by one, so `*` must be spelled out. */
  readonly mustExpand: boolean;
}

function buildLevel(level: ResolvedLevel, range: RowRange, setting: LevelSetting): ReadPlan {
  const { context } = setting;
  const isGrouped = isGrouping(level);
  const fields: FieldContext = {
    cache: context.cache,
    relation: level.relation,
    parent: setting.parent,
    embeds: level.positions,
    score: level.score,
    related: level.related,
  };
  const mustExpand = setting.mustExpand || isGrouped;
  const embeds = level.embeds.map((embed) => buildEmbed(embed, { context, parent: level.relation, mustExpand }));
  const conditions = conditionsOf(level.source);
  const order = orderDistinctly(level.source.order, level.source.distinct).map((term) => planOrder(term, fields));
  return {
    relation: level.relation.name,
    select: planSelect(level.source.items, fields, mustExpand),
    where: planConditions(isGrouped ? conditions.filter((node) => !isHaving(node)) : conditions, fields),
    having: isGrouped ? planConditions(conditions.filter(isHaving), fields) : [],
    // A grouped level can be ordered only by the expressions that it groups by.
    ...(isGrouped ? { embeds, order } : orderByStoredValues({ embeds, order })),
    range,
    distinct: planDistinct(level.source.distinct, fields),
    isGrouped,
  };
}

function buildEmbed(embed: ResolvedEmbed, setting: LevelSetting): EmbedPlan {
  const isSpread = embed.item.kind === 'spread';
  const mustExpand = isSpread && (!embed.isToOne || setting.mustExpand);
  const shape = isHidden(embed) ? 'hidden' : isSpread ? 'spread' : 'nested';
  // Negative limits are passed to PostgreSQL, which rejects them (`reading.md` §9.2).
  const { range: given } = embed.level.source;
  const range = given === undefined ? FULL_RANGE : { offset: Math.max(given.offset ?? 0, 0), limit: given.limit };
  // Where a unique key limits the embed to one row, a cap would only keep PostgreSQL from using a plain join.
  const cap =
    shape === 'hidden' || (embed.isToOne && embed.relationship.kind !== 'computed' && !embed.relationship.targetIsView)
      ? undefined
      : setting.context.maxRows;
  return {
    relationship: embed.relationship,
    isToOne: embed.isToOne,
    join: embed.item.join,
    shape,
    key: embed.name,
    orderKeys: [],
    read: buildLevel(embed.level, capRange(range, cap), { ...setting, mustExpand }),
  };
}

function planSelect(items: readonly SelectItem[], fields: FieldContext, mustExpand: boolean): readonly SelectPlan[] {
  const selected: SelectPlan[] = [];
  for (const item of items) {
    if (item.kind === 'all') selected.push(...expandAll(fields, mustExpand));
    else if (item.kind === 'countRows')
      selected.push({ kind: 'countRows', key: item.alias ?? 'count', cast: item.cast });
    else if (item.kind === 'column') selected.push(planColumn(item, fields));
  }
  return selected;
}

/** Keeps `*`, so that new columns appear at once, unless it must be spelled out (`reading.md` §7.6). */
function expandAll(fields: FieldContext, mustExpand: boolean): readonly SelectPlan[] {
  if (!mustExpand && !hasFormatter(fields)) return [{ kind: 'all' }];
  return [...fields.relation.columns.keys()].map((name) =>
    planColumn(
      { kind: 'column', field: { column: name, path: [] }, alias: undefined, cast: undefined, aggregate: undefined },
      fields,
    ),
  );
}

function hasFormatter({ cache, relation }: FieldContext): boolean {
  if (cache.representations.size === 0) return false;
  return [...relation.columns.values()].some((column) => findFormatter(cache, column) !== undefined);
}

function planColumn(item: ColumnItem, fields: FieldContext): SelectPlan {
  const column = fields.relation.columns.get(item.field.column);
  const formatter = column && item.aggregate === undefined ? findFormatter(fields.cache, column) : undefined;
  return {
    kind: 'column',
    field: planLevelField(item.field, fields),
    key: item.alias ?? item.aggregate?.function ?? keyOf(item),
    cast: item.cast,
    formatter: item.field.path.length === 0 ? formatter : undefined,
    aggregate: item.aggregate,
  };
}

/** The last key of a JSON path, otherwise the column (`reading.md` §7.2). */
function keyOf({ field }: ColumnItem): string {
  const key = field.path.findLast((step) => step.operand.kind === 'key')?.operand;
  return key?.kind === 'key' ? key.name : field.column;
}

function planOrder(term: OrderTerm, fields: FieldContext): OrderPlan {
  const { direction, nulls, relation, field, aggregate } = term;
  if (aggregate !== undefined) return { kind: 'aggregate', term: planAggregate(aggregate, fields), direction, nulls };
  if (relation === undefined) return planOwnOrder(term, fields);
  const embed = fields.embeds.get(relation) ?? -1;
  return { kind: 'related', embed, field: { toJson: false, ...field }, direction, nulls };
}

export function planOwnOrder(
  { direction, nulls, field, cast }: Pick<OrderTerm, 'direction' | 'nulls' | 'field' | 'cast'>,
  { relation, score }: Pick<FieldContext, 'relation' | 'score'>,
): Extract<OrderPlan, { kind: 'field' }> {
  const column = relation.columns.get(field.column);
  const isEnforced = relation.kind === 'table' || relation.kind === 'partitionedTable';
  const isNullable = !isEnforced || field.path.length > 0 || cast !== undefined || column?.isNullable !== false;
  return { kind: 'field', field: planLevelField(field, { relation, score }), cast, direction, nulls, isNullable };
}

type Ordered = Pick<ReadPlan, 'embeds' | 'order'>;

/**
 * Related orders by a column with a formatter: the embed passes the stored value to its parent, beside the formatted
 * value (`reading.md` §12.9, §19).
 */
function orderByStoredValues({ embeds, order }: Ordered): Ordered {
  const extended = [...embeds];
  const terms = order.map((term, position): OrderPlan => {
    const embed = term.kind === 'related' && term.field.path.length === 0 ? extended[term.embed] : undefined;
    if (term.kind !== 'related' || embed === undefined) return term;
    const key = `:stored${position}`;
    const withStored = addStoredValue(embed, term.field.column, key);
    if (withStored === undefined) return term;
    extended[term.embed] = withStored;
    return { ...term, field: { ...term.field, column: key } };
  });
  return { embeds: extended, order: terms };
}

/** @returns undefined if the column is shown as stored, or if a `*` would also expose the stored value */
function addStoredValue(embed: EmbedPlan, shown: string, key: string): EmbedPlan | undefined {
  if (embed.shape === 'spread' && hasStar(embed.read)) return undefined;
  const read = addStoredColumn(embed.read, shown, key);
  return read && { ...embed, read, orderKeys: [...embed.orderKeys, key] };
}

function addStoredColumn(read: ReadPlan, shown: string, key: string): ReadPlan | undefined {
  const column = read.select.findLast((item) => item.kind === 'column' && item.key === shown);
  if (column?.kind === 'column') {
    const isConverted = column.formatter !== undefined && column.cast === undefined;
    return isConverted ? { ...read, select: [...read.select, { ...column, key, formatter: undefined }] } : undefined;
  }
  for (const [position, embed] of read.embeds.entries()) {
    const lifted = embed.shape === 'spread' && embed.isToOne ? addStoredColumn(embed.read, shown, key) : undefined;
    if (lifted !== undefined) return { ...read, embeds: read.embeds.with(position, { ...embed, read: lifted }) };
  }
  return undefined;
}
