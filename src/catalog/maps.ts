// Helpers to fill the maps of the cache.
import type { QualifiedName } from '../contract/identifiers.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';

/** Returns the value of the key; inserts the result of `make` first if the key is new. */
export function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

export function appendTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  getOrInsert<K, V[]>(map, key, () => []).push(value);
}

/** Groups by schema, then by name; keeps the order of the items. */
export function* groupByName<T>(
  items: Iterable<T>,
  nameOf: (item: T) => QualifiedName,
): Slices<Map<string, Map<string, T[]>>> {
  const groups = new Map<string, Map<string, T[]>>();
  yield* visitInSlices(items, (item) => {
    const { schema, name } = nameOf(item);
    appendTo(
      getOrInsert(groups, schema, () => new Map<string, T[]>()),
      name,
      item,
    );
  });
  return groups;
}
