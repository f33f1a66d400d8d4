// The columns that the key of a collection consists of.

export type Key = string | number;

/** Returns the columns that `getKey` reads. They are what a write finds its row by. */
export function readKeyColumns<Row extends object>(getKey: (row: Row) => Key, row: Row): readonly string[] {
  const columns = new Set<string>();
  const watched = new Proxy(row, {
    get: (target, name, receiver): unknown => {
      if (typeof name === 'string') columns.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
  getKey(watched);
  return [...columns];
}
