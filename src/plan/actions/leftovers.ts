// Decides whether a planned read or write may run user code, which could leave settings behind in the session. Assumes
// that it does whenever that is uncertain.
import { findRelation, type Relation, type SchemaCache, type Relationship } from '../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { Leftovers } from '../../contract/transaction.ts';
import type { MutateAction } from './action-plan.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
import type { AggregatePlan, Condition, EmbedPlan, OrderPlan, ReadPlan, SelectPlan } from '../levels/read-plan.ts';
import { extraColumns, comparedParentColumns, filteredColumns } from '../levels/row-source.ts';

export function leftoversOfRead(read: ReadPlan, { format }: Negotiated, cache: SchemaCache): Leftovers {
  return format.kind !== 'custom' && isPlainLevel(read, cache) ? 'none' : 'settings';
}

interface PlannedMutation extends Pick<MutateAction, 'mutation' | 'conflict' | 'relation' | 'where' | 'read'> {
  readonly negotiated: Negotiated;
}

export function leftoversOfMutation(action: PlannedMutation, cache: SchemaCache): Leftovers {
  const { relation, where, read, negotiated } = action;
  const isPlain =
    isPlainWrite(action, relation) &&
    areStored(filteredColumns(where), relation.name, cache) &&
    where.every((condition) => isPlainCondition(condition, cache)) &&
    leftoversOfRead(read, negotiated, cache) === 'none';
  return isPlain ? 'none' : 'all';
}

/** A merging insert also updates. */
function isPlainWrite({ mutation, conflict }: PlannedMutation, { plainWrites }: Relation): boolean {
  const isInsert = mutation === 'insert' && conflict?.resolution !== 'merge';
  return plainWrites === 'all' || (isInsert && plainWrites === 'inserts');
}

function isPlainLevel(read: ReadPlan, cache: SchemaCache): boolean {
  const own = [
    ...read.select.flatMap(selectedColumns),
    ...filteredColumns(read.where),
    ...extraColumns(read),
    ...read.embeds.flatMap((embed) => comparedParentColumns([...embed.read.where, ...embed.read.having])),
    ...read.order.flatMap((term) => (term.kind === 'field' ? [term.field.column] : [])),
  ];
  return (
    areStored(own, read.relation, cache) &&
    [...read.where, ...read.having].every((condition) => isPlainCondition(condition, cache)) &&
    !read.select.some(hasCast) &&
    !hasAggregateCast(read) &&
    read.order.every((term) => isPlainOrder(term, read.embeds, cache)) &&
    read.embeds.every((embed) => isPlainRelationship(embed.relationship, cache) && isPlainLevel(embed.read, cache))
  );
}

function isPlainCondition(condition: Condition, cache: SchemaCache): boolean {
  if (condition.kind === 'group') return condition.members.every((member) => isPlainCondition(member, cache));
  if (condition.kind !== 'related') return true;
  const { relationship, member } = condition;
  if (!isPlainRelationship(relationship, cache)) return false;
  return areStored(filteredColumns([member]), relationship.target, cache) && isPlainCondition(member, cache);
}

function isPlainRelationship(relationship: Relationship, cache: SchemaCache): boolean {
  if (relationship.kind === 'computed') return false;
  return relationship.kind !== 'manyToMany' || areStored([], relationship.junction, cache);
}

function isPlainOrder(term: OrderPlan, embeds: readonly EmbedPlan[], cache: SchemaCache): boolean {
  if (term.kind !== 'related') return true;
  const embed = embeds[term.embed];
  return embed !== undefined && areStored([term.field.column], embed.read.relation, cache);
}

function selectedColumns(item: SelectPlan): readonly string[] {
  return item.kind === 'column' ? [item.field.column] : [];
}

/** The type of a cast may be user-defined. */
function hasCast(item: SelectPlan): boolean {
  if (item.kind === 'all') return false;
  return item.cast !== undefined || (item.kind === 'column' && item.aggregate?.cast !== undefined);
}

function hasAggregateCast({ order, having }: ReadPlan): boolean {
  return order.some((term) => term.kind === 'aggregate' && isCast(term.term)) || having.some(hasCastIn);
}

function hasCastIn(condition: Condition): boolean {
  if (condition.kind === 'group') return condition.members.some(hasCastIn);
  return condition.kind === 'having' && isCast(condition.term);
}

function isCast({ cast, call }: AggregatePlan): boolean {
  return cast !== undefined || call.cast !== undefined;
}

function areStored(columns: readonly string[], name: QualifiedName, cache: SchemaCache): boolean {
  const relation = findRelation(cache, name);
  return relation !== undefined && relation.isPlain && columns.every((column) => relation.columns.has(column));
}
