// References into the components of a document.

export interface Reference {
  readonly $ref: string;
  readonly description?: string;
}

export type ComponentSection = 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers';

/** @param key may contain only letters, digits, `.`, `-` and `_` */
export function refTo(section: ComponentSection, key: string): Reference {
  return { $ref: `#/components/${section}/${key}` };
}

/**
 * Encodes database names, which may contain any character, for OpenAPI and query strings. Keeps distinct names
 * distinct: other characters become their code point between dashes (`a b` → `a-20-b`).
 */
export function componentName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/gu, (character) => `-${character.codePointAt(0)?.toString(16) ?? ''}-`);
}

const RESERVED: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict']);
const RESERVED_ENDS: ReadonlySet<string> = new Set(['order', 'limit', 'offset', 'and', 'or']);

/** Whether a query parameter of this name is neither a filter nor an argument (`reading.md` §2.2). */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name) || RESERVED_ENDS.has(name.slice(name.lastIndexOf('.') + 1));
}

/** Returns a column's name as filters write it, quoted if necessary (`reading.md` §3.1). */
export function filterName(column: string): string {
  if (/^[\p{L}\w$]+$/u.test(column) && !isReservedName(column)) return column;
  return `"${column.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
