// The text by which people recognize a row.
import type { JsonObject } from './json-value.ts';

/** @param columns names in the row. Returns undefined if all of them are empty */
export function labelOfRow(columns: readonly string[], { entries }: JsonObject): string | undefined {
  const values = new Map(entries);
  const texts = columns.flatMap((name) => {
    const value = values.get(name);
    return value?.kind === 'string' && value.value !== '' ? [value.value] : [];
  });
  return texts.length === 0 ? undefined : texts.join(' ');
}
