// Two comparands of a filter → whether they stand in a relation (RFC 9535 §2.3.5.2.2). A comparand is the list of
// nodes it gives: one value, or none where a path found nothing.
import { assertNever } from '../../contract/result.ts';
import { isJsonObject } from '../../util/json-object.ts';
import type { ComparisonOperator } from './json-path.ts';

export type Comparand = readonly unknown[];

export function holds(operator: ComparisonOperator, left: Comparand, right: Comparand): boolean {
  switch (operator) {
    case '==':
      return areEqual(left, right);
    case '!=':
      return !areEqual(left, right);
    case '<':
      return isLess(left[0], right[0]);
    case '>':
      return isLess(right[0], left[0]);
    case '<=':
      return isLess(left[0], right[0]) || areEqual(left, right);
    case '>=':
      return isLess(right[0], left[0]) || areEqual(left, right);
    default:
      return assertNever(operator);
  }
}

/** Deep equality of JSON values; of lists, element by element. */
function areEqual(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((element, index) => areEqual(element, right[index]));
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = Object.keys(left);
    const isSameSize = names.length === Object.keys(right).length;
    return isSameSize && names.every((name) => Object.hasOwn(right, name) && areEqual(left[name], right[name]));
  }
  return left === right;
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left === 'string' && typeof right === 'string') return isLessText(Array.from(left), Array.from(right));
  return false;
}

/** By Unicode scalar values; JavaScript's own `<` compares UTF-16 units. */
function isLessText(left: readonly string[], right: readonly string[]): boolean {
  const index = left.findIndex((character, position) => character !== right[position]);
  if (index === -1) return left.length < right.length;
  const character = right[index];
  return character !== undefined && (left[index]?.codePointAt(0) ?? 0) < (character.codePointAt(0) ?? 0);
}
