// Computes what a stream of rows reports: the difference between what was sent and what the database returns now.

/** JSON texts of rows by the text of their key, in the order of the read. */
export type RowsByKey = ReadonlyMap<string, string>;

export interface RowsDifference {
  readonly upserted: readonly string[];
  /** Texts of the keys. */
  readonly deleted: readonly string[];
}

/** @param after all rows */
export function compareAll(before: RowsByKey, after: RowsByKey): RowsDifference {
  return {
    upserted: [...after].filter(([key, row]) => before.get(key) !== row).map(([, row]) => row),
    deleted: [...before.keys()].filter((key) => !after.has(key)),
  };
}

/**
 * @param touched the keys that were read again
 * @param found those of their rows that exist
 */
export function compareTouched(before: RowsByKey, touched: Iterable<string>, found: RowsByKey): RowsDifference {
  return {
    upserted: [...found].filter(([key, row]) => before.get(key) !== row).map(([, row]) => row),
    deleted: [...touched].filter((key) => before.has(key) && !found.has(key)),
  };
}

export function isEmpty({ upserted, deleted }: RowsDifference): boolean {
  return upserted.length === 0 && deleted.length === 0;
}

/** The text of a key: a JSON array of the texts of its values. */
export function renderKey(values: readonly string[]): string {
  return JSON.stringify(values);
}

export function parseKey(key: string): readonly string[] {
  const values: unknown = JSON.parse(key);
  return Array.isArray(values) ? values.map(String) : [];
}
