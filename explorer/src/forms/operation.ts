// Operations that change a value in place, computed by the server from the stored value.
import type { DescribedColumn, DescribedType } from '../../../src/contract/schema-document.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { parseJson } from '../rows/json-value.ts';
import { type FieldValue, type FieldValues, type Operation, operationOf } from './field-value.ts';
import { formInputFor } from './form-input.ts';
import { toJson } from './value-json.ts';

/** Returns the operation that a column offers. They need the stored value; null plus a number would stay null. */
export function operationOn({ type, may }: DescribedColumn, initial: FieldValue): Operation | undefined {
  if (!may.select || initial.kind === 'unset') return undefined;
  if (type.isArray) return 'append';
  if (type.category === 'json') return 'merge';
  return type.category === 'number' && type.name !== 'money' && initial.kind === 'text' ? 'add' : undefined;
}

/** @returns JSON text of the operation, or a message for the user */
export function renderOperation(operation: Operation, text: string, type: DescribedType): Result<string, string> {
  const operand = toJson(text, type, formInputFor(type));
  if (!operand.ok) return operand;
  const kind = parseJson(operand.value)?.kind;
  if (operation === 'merge' && kind !== 'object') return fail('A JSON object is required.');
  if (operation === 'append' && kind !== 'array') return fail('A JSON array is required.');
  return ok(`{"$${operation}": ${operand.value}}`);
}

export function hasOperations(values: FieldValues): boolean {
  return [...values.values()].some((value) => operationOf(value) !== undefined);
}

/** Among operations, an object that looks like one needs `$set` to be stored as it is. */
export function asLiteral(json: string): string {
  const value = parseJson(json);
  const isLikeOperation =
    value?.kind === 'object' && value.entries.length === 1 && value.entries[0]?.[0].startsWith('$');
  return isLikeOperation === true ? `{"$set": ${json}}` : json;
}
