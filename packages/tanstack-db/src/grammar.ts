// Texts of the server's query language: names, values and lists, quoted so that no text becomes grammar.

/** Names that need no quotes, and that no parameter of the server has. */
const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/iu;
const RESERVED = new Set(
  'select order limit offset and or not columns on_conflict distinct after before score match merge'.split(' '),
);

export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name) && !RESERVED.has(name.toLowerCase());
}

/** A name or value in double quotes, in which a backslash escapes the next character. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
}

export function quoteName(name: string): string {
  return isPlainName(name) ? name : quote(name);
}

/** The text of a value as PostgreSQL reads it. Undefined: there is none. */
export function renderValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? undefined : value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}
