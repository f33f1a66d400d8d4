// Plans a PATCH whose elements find their rows by the columns in `match` (`beyond.md` §2.3).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Column } from '../../catalog/schema-cache.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { Elements, JsonPayload } from '../../request/payload/payload.ts';
import type { ElementColumn, PayloadColumn, PayloadPlan } from '../actions/action-plan.ts';
import { findReader } from '../levels/representations.ts';
import { columnNotFound, type PayloadTarget } from './plan-payload.ts';
import { planOperation } from './plan-operation.ts';

type ElementsPayload = JsonPayload & { readonly elements: Elements };

/** @returns undefined if the body does not find rows by itself */
export function findElements({ payload }: ApiRequest): ElementsPayload | undefined {
  if (payload?.kind !== 'json' || payload.elements === undefined) return undefined;
  return { ...payload, elements: payload.elements };
}

export function planElements(
  { query: { match = [] }, preferences }: ApiRequest,
  payload: ElementsPayload,
  target: PayloadTarget,
): Result<PayloadPlan, ApiError> {
  const matched: PayloadColumn[] = [];
  for (const name of new Set(match)) {
    const column = findColumn(name, target);
    if (!column.ok) return column;
    matched.push({
      column: column.value,
      reader: findReader(target.context.cache, column.value),
      operation: undefined,
    });
  }
  const changes: ElementColumn[] = [];
  for (const key of payload.keys) {
    if (match.includes(key)) continue;
    const change = planChange(key, payload.elements, target);
    if (!change.ok) return change;
    changes.push(change.value);
  }
  const { bytes, isArray } = payload;
  return ok({
    bytes,
    isArray,
    columns: changes,
    appliesDefaults: preferences.missing === 'default',
    batches: undefined,
    elements: { match: matched, changes, isComplete: preferences.unmatched === 'fail' },
  });
}

function planChange(key: string, elements: Elements, target: PayloadTarget): Result<ElementColumn, ApiError> {
  const given = elements.operations.get(key);
  const column = findColumn(given?.column ?? key, target);
  if (!column.ok) return column;
  const reader = findReader(target.context.cache, column.value);
  const operation = given === undefined ? ok(undefined) : planOperation(column.value, given, reader !== undefined);
  if (!operation.ok) return operation;
  return ok({
    column: column.value,
    // Operands are values of PostgreSQL's types, not of the column's representation.
    reader: operation.value ? undefined : reader,
    operation: operation.value,
    key,
    isOptional: !elements.common.has(key),
  });
}

function findColumn(name: string, target: PayloadTarget): Result<Column, ApiError> {
  const column = target.relation.columns.get(name);
  return column === undefined ? fail(columnNotFound(name, target)) : ok(column);
}
