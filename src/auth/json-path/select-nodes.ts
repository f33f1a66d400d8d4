// A JSONPath and a document → the nodes it selects, in the order of the document (RFC 9535 §2.1.2).
import { assertNever } from '../../contract/result.ts';
import { isJsonObject } from '../../util/json-object.ts';
import type { ComparisonOperator, Condition, JsonPath, Operand, Selector, SliceSelector } from './json-path.ts';

interface Context {
  readonly document: unknown;
  /** What `@` stands for. */
  readonly current: unknown;
}

export function selectNodes(path: JsonPath, document: unknown): readonly unknown[] {
  return walk(path, { document, current: document });
}

function walk(path: JsonPath, { document, current }: Context): readonly unknown[] {
  let nodes: readonly unknown[] = [path.root === '$' ? document : current];
  for (const segment of path.segments) {
    // Loops rather than flatMap: this runs for every request.
    const selected: unknown[] = [];
    for (const node of segment.isDescendant ? nodes.flatMap((node) => withDescendants(node)) : nodes) {
      for (const selector of segment.selectors) {
        for (const found of applySelector(selector, { document, current: node })) selected.push(found);
      }
    }
    nodes = selected;
  }
  return nodes;
}

function withDescendants(node: unknown): readonly unknown[] {
  return [node, ...childrenOf(node).flatMap((child) => withDescendants(child))];
}

function childrenOf(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node;
  return isJsonObject(node) ? Object.values(node) : [];
}

function applySelector(selector: Selector, { document, current }: Context): readonly unknown[] {
  switch (selector.kind) {
    case 'name':
      return isJsonObject(current) && Object.hasOwn(current, selector.name) ? [current[selector.name]] : [];
    case 'wildcard':
      return childrenOf(current);
    case 'index':
      return Array.isArray(current) ? elementAt(current, selector.index) : [];
    case 'slice':
      return Array.isArray(current) ? applySlice(selector, current) : [];
    case 'filter':
      return childrenOf(current).filter((child) => isTrue(selector.condition, { document, current: child }));
    default:
      return assertNever(selector);
  }
}

function elementAt(elements: readonly unknown[], index: number): readonly unknown[] {
  const element = elements.at(index);
  return element === undefined ? [] : [element];
}

/** RFC 9535 §2.3.4.2.2; a step of 0 selects nothing. */
function applySlice({ start, end, step = 1 }: SliceSelector, elements: readonly unknown[]): readonly unknown[] {
  const { length } = elements;
  const selected: unknown[] = [];
  const absolute = (bound: number): number => (bound < 0 ? bound + length : bound);
  if (step > 0) {
    const last = Math.min(absolute(end ?? length), length);
    for (let index = Math.max(absolute(start ?? 0), 0); index < last; index += step) selected.push(elements[index]);
  } else if (step < 0) {
    const last = end === undefined ? -1 : Math.max(absolute(end), -1);
    const first = Math.min(absolute(start ?? length - 1), length - 1);
    for (let index = first; index > last; index += step) selected.push(elements[index]);
  }
  return selected;
}

function isTrue(condition: Condition, context: Context): boolean {
  switch (condition.kind) {
    case 'or':
      return condition.operands.some((operand) => isTrue(operand, context));
    case 'and':
      return condition.operands.every((operand) => isTrue(operand, context));
    case 'not':
      return !isTrue(condition.operand, context);
    case 'group':
      return isTrue(condition.operand, context);
    case 'comparison':
      return holds(condition.operator, evaluate(condition.left, context), evaluate(condition.right, context));
    case 'exists':
      return walk(condition.path, context).length > 0;
    case 'search':
      return isFound(evaluate(condition.subject, context)[0], evaluate(condition.pattern, context)[0]);
    default:
      return assertNever(condition);
  }
}

function evaluate(operand: Operand, context: Context): readonly unknown[] {
  return operand.kind === 'literal' ? [operand.value] : walk(operand.path, context);
}

/** `search()`: a match anywhere; false for values that are no strings and for an invalid pattern. */
function isFound(subject: unknown, pattern: unknown): boolean {
  if (typeof subject !== 'string' || typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern, 'u').test(subject);
  } catch {
    return false;
  }
}

/** The nodes that an operand yields: one value, or none if a path found nothing. */
type Comparand = readonly unknown[];

/** Compares two comparands of a filter (RFC 9535 §2.3.5.2.2). */
function holds(operator: ComparisonOperator, left: Comparand, right: Comparand): boolean {
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
