// Maps the keys of a JSON body to the columns that a write sets, or fails at the first unknown key (`writing.md` §4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findRelationships, type Relation } from '../../catalog/schema-cache.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { PayloadColumn, PayloadPlan } from '../actions/action-plan.ts';
import type { PlanContext } from '../actions/plan-context.ts';
import { isColumnVisible, isRelationshipVisible } from '../../catalog/visible-names.ts';
import { suggest } from '../../util/suggest.ts';
import { planOperation } from './plan-operation.ts';
import { findReader } from '../levels/representations.ts';

const MINIMUM_SIMILARITY = 0.7;
const NONE = ok(undefined);

export interface PayloadTarget {
  readonly relation: Relation;
  readonly context: PlanContext;
}

export function planPayload(
  { payload, preferences }: ApiRequest,
  mutation: Mutation,
  { relation, context }: PayloadTarget,
): Result<PayloadPlan | undefined, ApiError> {
  if (payload?.kind !== 'json') return ok(undefined);
  const columns: PayloadColumn[] = [];
  for (const name of payload.keys) {
    const column = relation.columns.get(name);
    if (column === undefined) {
      const isRelated = isRelatedName(name, { relation, context });
      return fail({ ...columnNotFound(name, { relation, context }), ...(isRelated && { isRelated }) });
    }
    const reader = findReader(context.cache, column);
    const given = payload.operations?.get(name);
    const operation = given === undefined ? NONE : planOperation(column, given, reader !== undefined);
    if (!operation.ok) return operation;
    // Operands are values of PostgreSQL's types, not of the column's representation.
    columns.push({ column, reader: operation.value ? undefined : reader, operation: operation.value });
  }
  const appliesDefaults = preferences.missing === 'default' && mutation !== 'put';
  const { bytes, isArray, batches } = payload;
  return ok({ bytes, isArray, columns, appliesDefaults, batches });
}

function isRelatedName(name: string, { relation, context: { cache, visible, config } }: PayloadTarget): boolean {
  if (!config.extensions.nested) return false;
  return findRelationships(cache, relation.name).some(
    (each) => each.kind !== 'computed' && each.target.name === name && isRelationshipVisible(visible, each),
  );
}

export function columnNotFound(
  column: string,
  { relation, context }: PayloadTarget,
): Extract<ApiError, { kind: 'columnNotFound' }> {
  const { name, columns } = relation;
  const isVisible = (other: string): boolean => isColumnVisible(context.visible, name, other);
  const suggestion = suggest(columns, column, { minimum: MINIMUM_SIMILARITY, isVisible });
  return { kind: 'columnNotFound', column, relation: name.name, suggestion };
}
