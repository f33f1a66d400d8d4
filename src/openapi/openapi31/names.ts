// Names of the database, which may hold any character → names that OpenAPI and the query string allow.

/** Distinct names stay distinct: what is no letter, digit or `_` becomes its code point between dashes (`a b` → `a-20-b`). */
export function componentName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/gu, (character) => `-${character.codePointAt(0)?.toString(16) ?? ''}-`);
}

const RESERVED: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict']);
const RESERVED_ENDS: ReadonlySet<string> = new Set(['order', 'limit', 'offset', 'and', 'or']);

/** Whether a query parameter of this name is no filter and no argument (`reading.md` §2.2). */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name) || RESERVED_ENDS.has(name.slice(name.lastIndexOf('.') + 1));
}

/** A column's name as filters take it, quoted where it has to be (`reading.md` §3.1). */
export function filterName(column: string): string {
  if (/^[\p{L}\w$]+$/u.test(column) && !isReservedName(column)) return column;
  return `"${column.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
