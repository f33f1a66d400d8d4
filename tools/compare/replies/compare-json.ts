// Compares two JSON values by structure: the order of keys does not matter, the order of items does.
import type { BodyChange, Difference } from './difference.ts';
import { type ExactJson, type ExactObject, isExactObject, NumberText, renderCanonical } from './exact-json.ts';

/** Returns at most one difference of each kind and place. */
export function compareJson(old: ExactJson, other: ExactJson): readonly Difference[] {
  const found = new Map<string, Difference>();
  for (const difference of findDifferences({ old, new: other }, '')) {
    const key = difference.kind === 'body' ? `${difference.change} ${difference.place}` : difference.kind;
    if (!found.has(key)) found.set(key, difference);
  }
  return [...found.values()];
}

interface Pair<Value> {
  readonly old: Value;
  readonly new: Value;
}

function findDifferences(pair: Pair<ExactJson>, place: string): readonly Difference[] {
  const { old, new: other } = pair;
  if (isArray(old) && isArray(other)) return compareArrays({ old, new: other }, place);
  if (isExactObject(old) && isExactObject(other)) return compareObjects({ old, new: other }, place);
  const texts = { old: renderCanonical(old), new: renderCanonical(other) };
  if (texts.old === texts.new) return [];
  // A value that became null, or ceased to be, is a changed value.
  const isSameType = typeOf(old) === typeOf(other) || old === null || other === null;
  return [describe(isSameType ? 'value' : 'type', place, texts)];
}

function isArray(value: ExactJson): value is readonly ExactJson[] {
  return Array.isArray(value);
}

function typeOf(value: ExactJson): string {
  if (value instanceof NumberText) return 'number';
  return isArray(value) ? 'array' : typeof value;
}

function compareObjects({ old, new: other }: Pair<ExactObject>, place: string): readonly Difference[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(other)])];
  return keys.flatMap((key) => {
    const inner = place === '' ? key : `${place}.${key}`;
    const [before, after] = [readMember(old, key), readMember(other, key)];
    if (before !== undefined && after !== undefined) return findDifferences({ old: before, new: after }, inner);
    const change = after === undefined ? 'missingKey' : 'addedKey';
    return [describe(change, inner, { old: renderMember(before), new: renderMember(after) })];
  });
}

/** Does not find what every object inherits, such as `constructor`. */
function readMember(object: ExactObject, key: string): ExactJson | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function renderMember(value: ExactJson | undefined): string | undefined {
  return value === undefined ? undefined : renderCanonical(value);
}

function compareArrays({ old, new: other }: Pair<readonly ExactJson[]>, place: string): readonly Difference[] {
  const inner = `${place}[]`;
  const missing = subtract(old, other);
  const added = subtract(other, old);
  if (missing.length === 0 && added.length === 0) return compareOrder({ old, new: other }, inner);
  // Items without an equal are compared one by one; the longer list has items that only one server returned.
  const paired = Math.min(missing.length, added.length);
  const changed = missing.slice(0, paired).flatMap((item, index) => {
    const counterpart = added[index];
    return counterpart === undefined ? [] : findDifferences({ old: item, new: counterpart }, inner);
  });
  return [
    ...changed,
    ...describeRest('missingItems', inner, missing.slice(paired)),
    ...describeRest('addedItems', inner, added.slice(paired)),
  ];
}

/** Returns the items of a list that the other does not contain, each as often as it is missing. */
function subtract(items: readonly ExactJson[], others: readonly ExactJson[]): readonly ExactJson[] {
  const counts = new Map<string, number>();
  for (const text of others.map(renderCanonical)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return items.filter((item) => {
    const text = renderCanonical(item);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

function compareOrder({ old, new: other }: Pair<readonly ExactJson[]>, place: string): readonly Difference[] {
  const [before, after] = [old.map(renderCanonical), other.map(renderCanonical)];
  const index = before.findIndex((text, at) => text !== after[at]);
  return index === -1 ? [] : [describe('order', place, { old: before[index], new: after[index] })];
}

function describeRest(
  change: 'missingItems' | 'addedItems',
  place: string,
  items: readonly ExactJson[],
): readonly Difference[] {
  const [first] = items;
  if (first === undefined) return [];
  const text = items.length === 1 ? renderCanonical(first) : `${items.length} items, first ${renderCanonical(first)}`;
  const texts = change === 'missingItems' ? { old: text, new: undefined } : { old: undefined, new: text };
  return [describe(change, place, texts)];
}

function describe(change: BodyChange, place: string, texts: Pair<string | undefined>): Difference {
  return { kind: 'body', change, place, ...texts };
}
