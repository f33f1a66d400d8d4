// Resolves the relationship and target relation of every embed in a select tree (`reading.md` §11).
import { isSameName } from '../../contract/identifiers.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findRelation, type Relation, type Relationship } from '../../catalog/schema-cache.ts';
import type { EmbedItem, OrderTerm, Score, SelectItem } from '../../request/query/query-params.ts';
import { planScore, isScore } from './plan-score.ts';
import type { FieldPlan } from './read-plan.ts';
import type { ReadContext } from './read-context.ts';
import { isToOne, resolveRelationship } from './resolve-relationship.ts';
import { type RelatedByNode, resolveRelated } from './resolve-related.ts';
import { conditionsOf, type EmbedLevel, nameOf, type SelectLevel } from './select-tree.ts';

export interface ResolvedLevel {
  readonly source: SelectLevel;
  readonly relation: Relation;
  /** The name by which the request refers to the relation. */
  readonly requested: string;
  readonly embeds: readonly ResolvedEmbed[];
  /** Positions of the embeds by name; the first of equal names wins. */
  readonly positions: ReadonlyMap<string, number>;
  /** The computed column `score`. */
  readonly score: FieldPlan | undefined;
  readonly related: RelatedByNode;
}

export interface ResolvedEmbed {
  readonly item: EmbedItem;
  /** The alias, otherwise the target name. */
  readonly name: string;
  readonly relationship: Relationship;
  readonly isToOne: boolean;
  readonly level: ResolvedLevel;
}

/** Resolves depth-first in select order, so that the first failing embed is reported. */
export function resolveLevels(
  source: SelectLevel,
  relation: Relation,
  context: ReadContext,
): Result<ResolvedLevel, ApiError> {
  const embeds: ResolvedEmbed[] = [];
  for (const { item, level } of source.embeds) {
    const relationship = resolveRelationship({
      cache: context.cache,
      visible: context.visible,
      schema: context.schema,
      origin: relation.name,
      requested: context.requested,
      target: item.target,
      hint: item.hint,
    });
    if (!relationship.ok) return relationship;
    const target = findRelation(context.cache, relationship.value.target);
    if (target === undefined) throw new Error(`relationship to a relation outside the schema cache: ${item.target}`);
    const problem = item.levels === undefined ? undefined : checkRecursion(item, relation, target);
    if (problem !== undefined) return fail({ kind: 'notImplemented', feature: problem });
    const resolved = resolveLevels(repeatEmbed(item, level), target, { ...context, requested: item.target });
    if (!resolved.ok) return resolved;
    embeds.push({
      item,
      name: nameOf(item),
      relationship: relationship.value,
      isToOne: isToOne(relationship.value),
      level: resolved.value,
    });
  }
  const score = source.score && planScore(source.score, context.cache, relation);
  if (score?.ok === false) return score;
  const related = resolveRelated(conditionsOf(source), { relation, embeds, context });
  if (!related.ok) return related;
  const positions = new Map<string, number>();
  for (const [position, { name }] of embeds.entries()) if (!positions.has(name)) positions.set(name, position);
  const computed = { positions, score: score?.value, related: related.value };
  const order = resolveOrder(source, relation, context);
  return ok({ source: { ...source, order }, relation, requested: context.requested, embeds, ...computed });
}

function checkRecursion(item: EmbedItem, { name }: Relation, target: Relation): string | undefined {
  if (item.kind === 'spread') return `A spread cannot contain itself: ...${item.target}{${item.levels}}`;
  if (isSameName(name, target.name)) return undefined;
  return `'${nameOf(item)}' cannot contain itself, because it embeds another relation than the one it is embedded in.`;
}

/** Adds the embed to its own rows, with one level less. Its filters, order and range apply there too. */
function repeatEmbed(item: EmbedItem, level: SelectLevel): SelectLevel {
  if (item.levels === undefined) return level;
  const below: EmbedLevel = { item: { ...item, levels: item.levels > 2 ? item.levels - 1 : undefined }, level };
  return { ...level, embeds: [...level.embeds, below] };
}

export function findEmbed(level: ResolvedLevel, name: string): ResolvedEmbed | undefined {
  const position = level.positions.get(name);
  return position === undefined ? undefined : level.embeds[position];
}

/** A column of the level, stored or computed, takes precedence over an alias of that name; so does its score. */
function resolveOrder(
  {
    items,
    order,
    score,
  }: { readonly items: readonly SelectItem[]; readonly order: readonly OrderTerm[]; readonly score: Score | undefined },
  relation: Relation,
  { mayOrderByAlias }: Pick<ReadContext, 'mayOrderByAlias'>,
): readonly OrderTerm[] {
  if (!mayOrderByAlias) return order;
  return order.map((term) => {
    if (score !== undefined && isScore(term.field)) return term;
    const name =
      term.relation === undefined && term.aggregate === undefined && term.field.path.length === 0
        ? term.field.column
        : undefined;
    const item = name === undefined ? undefined : findAliased(items, name);
    if (name === undefined || item === undefined || relation.columns.has(name) || relation.computedColumns.has(name))
      return term;
    return { ...term, ...item };
  });
}

function findAliased(
  items: readonly SelectItem[],
  alias: string,
): Pick<OrderTerm, 'field' | 'cast' | 'aggregate'> | undefined {
  for (const item of items) {
    if (item.kind === 'countRows' && item.alias === alias) {
      const call = { function: 'count', cast: item.cast } as const;
      return { field: { column: '', path: [] }, aggregate: { field: undefined, cast: undefined, call } };
    }
    if (item.kind !== 'column' || item.alias !== alias) continue;
    const { field, cast, aggregate } = item;
    return aggregate === undefined ? { field, cast } : { field, aggregate: { field, cast, call: aggregate } };
  }
  return undefined;
}
