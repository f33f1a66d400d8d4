// Plans filters and logic trees as conditions that know the types of their columns (`reading.md` §5, §6, §12.7).
import type { Relation, SchemaCache } from '../../catalog/schema-cache.ts';
import type { AggregateTerm, Filter, LogicNode, Operation, RelatedNode } from '../../request/query/query-params.ts';
import { isScore, planField } from './plan-score.ts';
import { isPresenceTest } from './check-levels.ts';
import type { AggregatePlan, Condition, FieldPlan, OperationPlan } from './read-plan.ts';
import type { RelatedByNode } from './resolve-related.ts';
import { findParser } from './representations.ts';

export interface FieldContext {
  readonly cache: SchemaCache;
  readonly relation: Relation;
  /** The relation that the level is embedded in; undefined: none. */
  readonly parent: Relation | undefined;
  /** Positions of the embeds whose names accept presence tests; empty in writes, where such names are plain columns. */
  readonly embeds: ReadonlyMap<string, number>;
  readonly related: RelatedByNode;
  /** The computed column `score`. */
  readonly score?: FieldPlan | undefined;
}

export function planCondition(node: LogicNode, context: FieldContext): Condition {
  if (node.kind === 'filter') return planFilter(node, context);
  if (node.kind === 'having')
    return {
      kind: 'having',
      term: planAggregate(node.term, context),
      negated: node.negated,
      operation: planOperation(node.operation, context),
      parser: undefined,
      toTsvector: false,
    };
  if (node.kind === 'related') return planRelated(node, context);
  return { ...node, members: node.members.map((member) => planCondition(member, context)) };
}

function planFilter(filter: Filter, context: FieldContext): Condition {
  const embed = context.embeds.get(filter.field.column);
  if (embed !== undefined && isPresenceTest(filter)) return { kind: 'presence', embed, isPresent: filter.negated };
  const { score } = context;
  if (score !== undefined && isScore(filter.field)) {
    const operation = planOperation(filter.operation, context);
    return { kind: 'filter', field: score, negated: filter.negated, operation, parser: undefined, toTsvector: false };
  }
  const column = context.relation.columns.get(filter.field.column);
  const isPlain = filter.field.path.length === 0;
  return {
    kind: 'filter',
    field: planField(filter.field, column),
    negated: filter.negated,
    operation: planOperation(filter.operation, context),
    parser: column && isPlain ? findParser(context.cache, column) : undefined,
    toTsvector: column !== undefined && (!isPlain || column.type !== 'tsvector'),
  };
}

function planRelated(node: RelatedNode, context: FieldContext): Condition {
  const rows = context.related.get(node);
  if (rows === undefined) throw new Error(`unresolved relationship: ${node.target}`);
  const below: FieldContext = { ...context, relation: rows.relation, parent: context.relation, embeds: NO_EMBEDS };
  const member = planCondition(node.member, below);
  return { kind: 'related', relationship: rows.relationship, negated: node.negated, member };
}

/** Trees cannot test the presence of embeds of related rows. */
const NO_EMBEDS: ReadonlyMap<string, number> = new Map();

export function planAggregate({ field, cast, call }: AggregateTerm, { relation }: FieldContext): AggregatePlan {
  return { field: field && planField(field, relation.columns.get(field.column)), cast, call };
}

function planOperation(operation: Operation, { relation, parent }: FieldContext): OperationPlan {
  if (operation.kind !== 'compareColumn') return operation;
  const owner = operation.row === 'column' ? relation : parent;
  return { ...operation, field: planField(operation.field, owner?.columns.get(operation.field.column)) };
}
