// Completes plans that concern tables with shards: equalities with the distribution column reach every level that they
// hold for, so that one shard answers; what may lie on other servers is read apart; what cannot be right is refused.
import {
  type Column,
  type ColumnPair,
  type Distribution,
  findRelation,
  type Relation,
  type Relationship,
  type SchemaCache,
} from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ActionPlan, MutateAction } from '../../plan/actions/action-plan.ts';
import { answerOf } from '../../plan/actions/delivery-plan.ts';
import { isPlainEquality } from '../../plan/levels/filters-by-key.ts';
import type { Condition, EmbedPlan, FilterCondition, ReadPlan, SelectPlan } from '../../plan/levels/read-plan.ts';
import { isDirect } from '../../sql/writes/render-direct.ts';
import { CLAIM_VALUE } from './claims.ts';

export interface ShardContext {
  readonly cache: SchemaCache;
  /** Name of the claim that narrows each table to its rows of one tenant; undefined: none does. */
  readonly claim: string | undefined;
  /** Whether dates have the style ISO unless the role sets another one. */
  readonly isIso: boolean;
}

type ReadContext = Pick<ShardContext, 'cache' | 'claim'>;

export function completePlan(action: ActionPlan, context: ShardContext): Result<ActionPlan, ApiError> {
  switch (action.kind) {
    case 'read': {
      if (action.events === 'rows' && readsShards(action.read, context.cache))
        return refuse('live rows of a table with shards');
      // The copies of a row have different versions.
      const isVersioned =
        action.isVersioned && findRelation(context.cache, action.read.relation)?.distribution?.kind !== 'copied';
      return ok({ ...action, isVersioned, read: completeRead(action.read, undefined, context) });
    }
    case 'call':
      return ok({
        ...action,
        read: {
          ...action.read,
          // Citus would send a statement for one shard to another server as a whole, where functions can read no other tables.
          embeds: completeEmbeds(action.read, undefined, { ...context, claim: undefined }),
          fence: { computedColumns: action.computedColumns },
        },
      });
    case 'mutate':
      return completeMutation(action, context);
    case 'describe':
    case 'info':
    case 'page':
      return ok(action);
  }
}

function refuse(feature: string): Result<ActionPlan, ApiError> {
  return fail({ kind: 'notImplemented', feature });
}

function readsShards(read: ReadPlan, cache: SchemaCache): boolean {
  return (
    findRelation(cache, read.relation)?.distribution !== undefined ||
    read.embeds.some((embed) => readsShards(embed.read, cache))
  );
}

function completeMutation(action: MutateAction, context: ShardContext): Result<ActionPlan, ApiError> {
  const { relation, mutation, changes, read, returnPreference } = action;
  if (relation.distribution === undefined) return ok(action);
  if (action.condition?.kind === 'unchanged' && relation.distribution.kind === 'copied')
    return refuse('If-Match for a row that each node has a copy of');
  if (changes?.kind === 'merged') return refuse('return=changes of a merge into a table with shards');
  const tenant = mutation === 'update' || mutation === 'delete' ? claimCondition(relation, context) : [];
  const shown = completeRead(read, undefined, { ...context, claim: undefined });
  // The other servers know no functions of rows in RETURNING.
  const { returning } = action;
  const isComputed = returning?.kind === 'columns' && returning.names.some((name) => !relation.columns.has(name));
  const completed = {
    ...action,
    where: [...action.where, ...tenant],
    read: shown,
    returning: isComputed ? ({ kind: 'row' } as const) : returning,
  };
  if (read.embeds.length === 0 || returnPreference !== 'representation')
    return ok({ ...completed, ...planDirect(completed, context) });
  const { delivery, condition } = completed;
  const isText = delivery.kind === 'value' && delivery.encoding === 'text';
  if (mutation === 'delete' && (!isText || condition !== undefined))
    return refuse('embeds of rows that are deleted from a table with shards, with If-Match or in this format');
  if (changes !== undefined || action.showsInserted || relation.primaryKey.length === 0)
    return refuse('embeds of rows of a table with shards, with their old rows, with inserted=true or without a key');
  return ok({ ...completed, isDivided: true });
}

/** Plans a write of values that nothing but their assignment changes, whose rows are shown as they are, if at all. */
function planDirect(action: MutateAction, { cache, isIso }: ShardContext): Pick<MutateAction, 'direct'> {
  const { relation, mutation, payload, conflict, condition, changes, read, returnPreference } = action;
  const delivery = answerOf(action.delivery);
  const isPlain =
    conflict === undefined &&
    changes === undefined &&
    condition?.isReported !== true &&
    !action.showsInserted &&
    action.checks.every(({ kind }) => kind === 'singular' || kind === 'maxAffected' || kind === 'condition') &&
    delivery.kind === 'value';
  const isWritable =
    mutation === 'delete' ||
    (payload !== undefined &&
      !payload.isArray &&
      payload.batches === undefined &&
      payload.elements === undefined &&
      !payload.appliesDefaults &&
      payload.columns.length > 0 &&
      payload.columns.every(
        (each) => each.reader === undefined && each.operation === undefined && isDirect(each.column),
      ));
  if (!isPlain || !isWritable || mutation === 'put') return {};
  if (returnPreference === 'minimal') return { direct: { rows: undefined } };
  const isShown =
    returnPreference === 'representation' &&
    delivery.body.kind === 'json' &&
    !delivery.body.stripped &&
    read.order.length === 0 &&
    read.range.limit === undefined &&
    read.select.length > 0 &&
    read.select.every((item) => item.kind === 'all' || isStored(item, relation)) &&
    shownColumns(read, relation).every(({ isSpelled, type }) => isSpelled && (isIso || !DATE_TYPE.test(type)));
  if (!isShown || !cache.isUtf8) return {};
  return {
    direct: { rows: { kind: 'countedRows', format: 'objects', spelledTypes: cache.spelledTypes, isLong: false } },
  };
}

const DATE_TYPE = /^(?:date|time|interval)/u;

function shownColumns({ select }: ReadPlan, { columns }: Relation): readonly Column[] {
  return select.flatMap((item) => {
    if (item.kind === 'all') return [...columns.values()];
    return item.kind === 'column' ? (columns.get(item.field.column) ?? []) : [];
  });
}

function isStored(item: SelectPlan, { columns }: Relation): boolean {
  if (
    item.kind !== 'column' ||
    !columns.has(item.field.column) ||
    item.cast !== undefined ||
    item.formatter !== undefined
  )
    return false;
  const { path, score, toJson } = item.field;
  return item.aggregate === undefined && path.length === 0 && score === undefined && !toJson;
}

/**
 * Completes a level and those below it.
 *
 * @param pinned the condition that the level above passes on
 */
export function completeRead(read: ReadPlan, pinned: FilterCondition | undefined, context: ReadContext): ReadPlan {
  const relation = findRelation(context.cache, read.relation);
  if (relation === undefined) return read;
  const added = pinned === undefined ? claimCondition(relation, context) : [pinned];
  const where = added.length === 0 ? read.where : [...read.where, ...added];
  const completed = { ...read, where };
  const embeds = completeEmbeds(completed, relation, context);
  const isLocal = relation.kind === 'table' && relation.distribution === undefined;
  return isLocal ? { ...completed, embeds } : { ...completed, embeds, fence: relation };
}

function completeEmbeds(read: ReadPlan, relation: Relation | undefined, context: ReadContext): readonly EmbedPlan[] {
  const pin = relation && findPin(read.where, relation);
  return read.embeds.map((embed, index) => {
    const { relationship } = embed;
    const target = findRelation(context.cache, relationship.target);
    const column = target === undefined ? undefined : findTogether(relationship, relation?.distribution, context.cache);
    if (column !== undefined) {
      const passed = pin && { ...pin, field: { ...pin.field, column } };
      return { ...embed, read: completeRead(embed.read, passed, context) };
    }
    const completed = { ...embed, read: completeRead(embed.read, undefined, context) };
    return target !== undefined && mayLieElsewhere(relationship, target, context.cache) && !isWhole(embed)
      ? { ...completed, read: nameColumns(completed.read, target, isOrderedBy(read, index)), isApart: true }
      : completed;
  });
}

/**
 * Different rows are compared as they are shown, so a level with `distinct` cannot show its keys too. Conditions on
 * aggregates may also hold for parents without related rows, which have no key.
 */
function isWhole({ read, relationship }: EmbedPlan): boolean {
  const isOneRow = read.select.every((item) => item.kind === 'countRows' || (item.kind === 'column' && item.aggregate));
  return read.distinct !== undefined || (read.having.length > 0 && isOneRow) || relationship.kind === 'computed';
}

function mayLieElsewhere(relationship: Relationship, target: Relation, cache: SchemaCache): boolean {
  if (target.distribution?.kind === 'sharded') return true;
  return relationship.kind === 'manyToMany' && distributionOf(relationship.junction, cache)?.kind === 'sharded';
}

function distributionOf(name: QualifiedName, cache: SchemaCache): Distribution | undefined {
  return findRelation(cache, name)?.distribution;
}

/**
 * Returns the distribution column of the target if related rows are on the same shard as their parent; undefined
 * otherwise.
 */
function findTogether(
  relationship: Relationship,
  parent: Distribution | undefined,
  cache: SchemaCache,
): string | undefined {
  switch (relationship.kind) {
    case 'computed':
      return undefined;
    case 'manyToMany': {
      const { junction, target, originColumns, targetColumns } = relationship;
      const between = distributionOf(junction, cache);
      const isJoined = pairOf(parent, between, originColumns) !== undefined;
      return isJoined ? pairOf(between, distributionOf(target, cache), targetColumns) : undefined;
    }
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return pairOf(parent, distributionOf(relationship.target, cache), relationship.columns);
  }
}

/** @returns the distribution column of the second table if it is compared with that of the first, in the same group */
function pairOf(
  first: Distribution | undefined,
  second: Distribution | undefined,
  pairs: readonly ColumnPair[],
): string | undefined {
  if (first?.kind !== 'sharded' || second?.kind !== 'sharded' || first.group !== second.group) return undefined;
  return pairs.some(([a, b]) => a === first.column && b === second.column) ? second.column : undefined;
}

/** Finds the value that the rows of a level have in the distribution column. */
function findPin(where: readonly Condition[], { distribution }: Relation): FilterCondition | undefined {
  if (distribution?.kind !== 'sharded') return undefined;
  return where.find(
    (condition): condition is FilterCondition =>
      condition.kind === 'filter' &&
      condition.parser === undefined &&
      condition.field.column === distribution.column &&
      isPlainEquality(condition),
  );
}

function claimCondition({ distribution }: Relation, { claim }: ReadContext): readonly FilterCondition[] {
  if (claim === undefined || distribution?.kind !== 'sharded' || distribution.column !== claim) return [];
  return [equals(claim, CLAIM_VALUE)];
}

/** Returns the condition that a column has a value. */
export function equals(column: string, value: string): FilterCondition {
  return {
    kind: 'filter',
    field: { column, path: [], toJson: false },
    negated: false,
    operation: { kind: 'compare', operator: 'eq', quantifier: undefined, value },
    parser: undefined,
    toTsvector: false,
  };
}

function isOrderedBy({ order }: ReadPlan, embed: number): boolean {
  return order.some((term) => term.kind === 'related' && term.embed === embed);
}

export function selectColumn(name: string, cast?: string): SelectPlan {
  const field = { column: name, path: [], toJson: false };
  return { kind: 'column', field, key: name, cast, formatter: undefined, aggregate: undefined };
}

/** Rows that are read apart are put together from named columns. */
function nameColumns(read: ReadPlan, { columns }: Relation, hasOrder: boolean): ReadPlan {
  const named = Array.from(columns.keys(), (name) => selectColumn(name));
  if (read.select.length === 0) return hasOrder ? { ...read, select: named } : read;
  return { ...read, select: read.select.flatMap((item) => (item.kind === 'all' ? named : [item])) };
}
