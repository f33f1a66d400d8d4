// Checks a resolved tree, in the order in which errors take precedence (`reading.md` §1 item 8).
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Visible } from '../../catalog/visible-names.ts';
import { cutToBytes, MAX_IDENTIFIER_BYTES } from '../../contract/identifiers.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { nameOrigin } from '../names/find-relation.ts';
import type { AggregateTerm, Filter, LogicNode, SelectItem } from '../../request/query/query-params.ts';
import type { ReadContext } from './read-context.ts';
import { findEmbed, type ResolvedEmbed, type ResolvedLevel } from './resolve-levels.ts';
import { conditionsOf } from './select-tree.ts';

type CheckContext = Pick<
  ReadContext,
  | 'aggregatesEnabled'
  | 'areEmbedFiltersRefused'
  | 'areNameCastsRefused'
  | 'areRepeatedKeysNamedByParent'
  | 'cache'
  | 'visible'
>;

export function checkLevels(root: ResolvedLevel, context: CheckContext): ApiError | undefined {
  return (
    findInLevels(root, (level) => checkRelatedOrder(level, context.visible)) ??
    (context.areEmbedFiltersRefused ? findInLevels(root, checkEmbedFilters) : undefined) ??
    (context.aggregatesEnabled ? undefined : findInLevels(root, checkNoAggregates)) ??
    findInLevels(root, ({ source }) => checkRelatedAggregates(conditionsOf(source))) ??
    checkTopLevel(conditionsOf(root.source)) ??
    findInLevels(root, checkToManySpreads) ??
    (context.areNameCastsRefused ? findInLevels(root, (level) => checkNameCasts(level, context.cache)) : undefined) ??
    findInLevels(root, (level, depth) => checkRepeatedKeys(level, depth, context))
  );
}

function findInLevels(
  level: ResolvedLevel,
  check: (level: ResolvedLevel, depth: number) => ApiError | undefined,
  depth = 0,
): ApiError | undefined {
  const found = check(level, depth);
  if (found !== undefined) return found;
  for (const embed of level.embeds) {
    const below = findInLevels(embed.level, check, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}

function checkRelatedOrder(level: ResolvedLevel, visible: Visible): ApiError | undefined {
  for (const { relation } of level.source.order) {
    if (relation === undefined) continue;
    const embed = findEmbed(level, relation);
    if (embed === undefined) return { kind: 'notEmbedded', name: relation, alias: undefined };
    if (embed.isToOne) continue;
    const origin = nameOrigin(level.relation.name, level.requested, visible);
    return { kind: 'relatedOrderToMany', ...origin, embed: relation };
  }
  return undefined;
}

/** Rows of the top level are not embedded in any row. */
export function checkTopLevel(nodes: readonly LogicNode[]): ApiError | undefined {
  const [operator] = nodes.flatMap(operatorsOnParent);
  if (operator === undefined) return undefined;
  return { kind: 'notImplemented', feature: `${operator}(parent) is only available in embeds.` };
}

function operatorsOnParent(node: LogicNode): readonly string[] {
  if (node.kind === 'group') return node.members.flatMap(operatorsOnParent);
  if (node.kind === 'related') return [];
  const { operation } = node;
  return operation.kind === 'compareColumn' && operation.row === 'parent' ? [operation.operator] : [];
}

/** A related row is one row, not a group. */
export function checkRelatedAggregates(nodes: readonly LogicNode[]): ApiError | undefined {
  const isRefused = (node: LogicNode): boolean => {
    if (node.kind === 'group') return node.members.some(isRefused);
    return node.kind === 'related' && aggregates(node.member);
  };
  if (!nodes.some(isRefused)) return undefined;
  return { kind: 'notImplemented', feature: 'Aggregates are not available in conditions on related rows.' };
}

function checkEmbedFilters(level: ResolvedLevel): ApiError | undefined {
  if (level.embeds.length === 0) return undefined;
  for (const filter of collectFilters([...level.source.filters, ...level.source.logic])) {
    const embed = findEmbed(level, filter.field.column);
    if (embed === undefined || filter.field.path.length > 0) continue;
    if (!isPresenceTest(filter) && !level.relation.columns.has(filter.field.column))
      return { kind: 'embedOperator', target: embed.item.target };
  }
  return undefined;
}

/** An embed's name accepts only the tests `is.null` and `not.is.null`. */
export function isPresenceTest(filter: Filter): boolean {
  return filter.field.path.length === 0 && filter.operation.kind === 'is' && filter.operation.value === 'null';
}

function collectFilters(nodes: readonly LogicNode[]): readonly Filter[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return collectFilters(node.members);
    return node.kind === 'filter' ? [node] : [];
  });
}

/** Whether a condition on groups occurs in the condition, which then applies to groups as a whole. */
export function isHaving(node: LogicNode): boolean {
  return node.kind === 'having' || (node.kind === 'group' && node.members.some(isHaving));
}

/** Whether an aggregate occurs in the condition, also in one on related rows. */
export function aggregates(node: LogicNode): boolean {
  if (node.kind === 'group') return node.members.some(aggregates);
  return node.kind === 'having' || (node.kind === 'related' && aggregates(node.member));
}

function checkNoAggregates(level: ResolvedLevel): ApiError | undefined {
  const { order } = level.source;
  const isGrouped = hasOwnAggregate(level) || order.some(({ aggregate }) => aggregate !== undefined);
  return isGrouped || conditionsOf(level.source).some(aggregates) ? { kind: 'aggregatesDisabled' } : undefined;
}

function checkToManySpreads(level: ResolvedLevel): ApiError | undefined {
  const offending = level.embeds.some(
    ({ item, isToOne, level: below }) => item.kind === 'spread' && !isToOne && isGrouping(below),
  );
  if (!offending) return undefined;
  return {
    kind: 'notImplemented',
    feature: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
  };
}

function checkNameCasts({ source }: ResolvedLevel, { nameTypes }: SchemaCache): ApiError | undefined {
  const casts = [
    ...source.items.flatMap(castsOfItem),
    ...source.order.flatMap(({ aggregate }) => (aggregate === undefined ? [] : castsOfTerm(aggregate))),
    ...conditionsOf(source).flatMap(castsOfCondition),
  ];
  // PostgreSQL folds unquoted identifiers.
  const cast = casts.find((cast) =>
    cast?.split(/\s+/u).some((word) => nameTypes.has(cutToBytes(word.toLowerCase(), MAX_IDENTIFIER_BYTES))),
  );
  return cast === undefined ? undefined : { kind: 'nameCast', cast };
}

/** A repeated key would lose a value. Reported in the words that PostgreSQL uses for a repeated alias. */
function checkRepeatedKeys(
  { relation, embeds }: ResolvedLevel,
  depth: number,
  { areRepeatedKeysNamedByParent: hasParent }: CheckContext,
): ApiError | undefined {
  const keys = new Set<string>();
  for (const embed of embeds) {
    if (embed.item.kind === 'spread' || isHidden(embed)) continue;
    const key = cutToBytes(embed.name, MAX_IDENTIFIER_BYTES);
    if (keys.has(key)) {
      const message = `table name "${hasParent ? `${relation.name.name}_` : ''}${key}_${depth + 1}" specified more than once`;
      return { kind: 'database', report: { sqlstate: '42712', message, detail: undefined, hint: undefined } };
    }
    keys.add(key);
  }
  return undefined;
}

/** Whether neither the embed nor any embed below it selects a column (`reading.md` §12.8). */
export function isHidden(embed: ResolvedEmbed): boolean {
  const hasColumns = embed.level.source.items.some((item) => item.kind !== 'embed' && item.kind !== 'spread');
  return !hasColumns && embed.level.embeds.every(isHidden);
}

/** Whether the level has one row per group: it has an aggregate in `select`, `order` or its conditions. */
export function isGrouping(level: ResolvedLevel): boolean {
  const { source } = level;
  const isOrdered = source.order.some(({ aggregate }) => aggregate !== undefined);
  return isOrdered || conditionsOf(source).some(isHaving) || hasAggregate(level);
}

function hasOwnAggregate(level: ResolvedLevel): boolean {
  return level.source.items.some(
    (item) => item.kind === 'countRows' || (item.kind === 'column' && item.aggregate !== undefined),
  );
}

/** Whether the level has aggregates, its own or lifted into it from a to-one spread. */
function hasAggregate(level: ResolvedLevel): boolean {
  return (
    hasOwnAggregate(level) ||
    level.embeds.some((embed) => embed.item.kind === 'spread' && embed.isToOne && hasAggregate(embed.level))
  );
}

type Casts = readonly (string | undefined)[];

function castsOfItem(item: SelectItem): Casts {
  if (item.kind === 'countRows') return [item.cast];
  return item.kind === 'column' ? [item.cast, item.aggregate?.cast] : [];
}

function castsOfTerm({ cast, call }: AggregateTerm): Casts {
  return [cast, call.cast];
}

function castsOfCondition(node: LogicNode): Casts {
  if (node.kind === 'group') return node.members.flatMap(castsOfCondition);
  return node.kind === 'having' ? castsOfTerm(node.term) : [];
}
