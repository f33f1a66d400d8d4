// Resolves an operation of a PATCH against the type of its column (`beyond.md` §2.6).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Column } from '../../catalog/schema-cache.ts';
import type { GivenOperation } from '../../request/payload/payload.ts';
import type { OperationPlan, PayloadColumn } from '../actions/action-plan.ts';

type OperationType = Omit<OperationPlan, 'depth'>;
type Operations = ReadonlyMap<string, OperationType>;

/** The statement merges each level with a subquery. */
const MAX_MERGE_DEPTH = 32;

const MERGE = ['$merge', { kind: 'merge', operandType: 'jsonb' }] as const;
const JSON_OPERATIONS: Operations = new Map([MERGE]);
const JSONB_OPERATIONS: Operations = new Map<string, OperationType>([
  ['$append', { kind: 'appendJson', operandType: 'jsonb' }],
  ['$remove', { kind: 'removeFromJson', operandType: 'jsonb' }],
  MERGE,
]);
const EXACT = addition('numeric');
const INEXACT = addition('double precision');
const TIME = addition('interval');
const NO_OPERATIONS: Operations = new Map();

const OPERATIONS_BY_TYPE: ReadonlyMap<string, Operations> = new Map([
  ['smallint', EXACT],
  ['integer', EXACT],
  ['bigint', EXACT],
  ['numeric', EXACT],
  ['real', INEXACT],
  ['double precision', INEXACT],
  ['interval', TIME],
  ['date', TIME],
  ['timestamp without time zone', TIME],
  ['timestamp with time zone', TIME],
  ['json', JSON_OPERATIONS],
  ['jsonb', JSONB_OPERATIONS],
]);

const REQUIRED_OPERANDS: ReadonlyMap<string, 'array' | 'object'> = new Map([
  ['$append', 'array'],
  ['$merge', 'object'],
]);

/** @returns undefined if the value replaces the stored one */
export function planOperation(
  column: Column,
  given: GivenOperation,
  hasReader: boolean,
): Result<OperationPlan | undefined, ApiError> {
  const operations = operationsOf(column);
  const type = operations.get(given.name);
  if (given.isImplied && (type === undefined || hasReader)) return ok(undefined);
  if (type === undefined) return fail(unsuitable(column, `not ${given.name}`, operations));
  const required = REQUIRED_OPERANDS.get(given.name);
  if (required !== undefined && required !== given.operand)
    return fail(unsuitable(column, `and ${given.name} needs an ${required}`, operations));
  if (type.kind === 'add' && given.operand === 'null')
    return fail(
      unsuitable(column, `and $add needs ${type.operandType === 'interval' ? 'an interval' : 'a number'}`, operations),
    );
  if (type.kind === 'merge' && given.depth > MAX_MERGE_DEPTH)
    return fail({
      kind: 'limitExceeded',
      limit: `objects to merge nest up to ${MAX_MERGE_DEPTH} levels deep`,
      status: 400,
    });
  // Only objects are merged level by level, so that other operands share one plan.
  return ok({ ...type, depth: type.kind === 'merge' ? given.depth : 0 });
}

export function needsStoredArray({ operation }: Pick<PayloadColumn, 'operation'>): boolean {
  return operation?.kind === 'appendJson' || operation?.kind === 'removeFromJson';
}

function operationsOf({ type, nominalType }: Column): Operations {
  if (!type.endsWith('[]')) return OPERATIONS_BY_TYPE.get(type) ?? NO_OPERATIONS;
  // Without a length, these types mean a length of 1.
  const array = type === 'character[]' || type === 'bit[]' ? nominalType : type;
  return new Map<string, OperationType>([
    ['$append', { kind: 'appendArray', operandType: array }],
    ['$remove', { kind: 'removeFromArray', operandType: array.slice(0, -'[]'.length) }],
  ]);
}

function addition(operandType: string): Operations {
  return new Map([['$add', { kind: 'add', operandType }]]);
}

function unsuitable({ name, nominalType }: Column, fault: string, operations: Operations): ApiError {
  const taken = [...operations.keys(), '$set'].join(', ');
  return { kind: 'invalidBody', message: `The column '${name}' (${nominalType}) takes ${taken}, ${fault}` };
}
