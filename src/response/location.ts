// Renders the path that reads an inserted row by its key (`writing.md` §4.4).

/** @param values texts of the key columns, in the same order; null for SQL NULL */
export function renderLocation(
  relation: string,
  columns: readonly string[],
  values: readonly (string | null)[],
): string {
  const pairs = columns.map((column, index) => {
    const value = values[index] ?? null;
    return `${encodeStrict(column)}=${value === null ? 'is.null' : `eq.${encodeStrict(value)}`}`;
  });
  return `/${relation}?${pairs.join('&')}`;
}

/** Escapes everything except ASCII letters, digits and `-_.~`. */
function encodeStrict(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
