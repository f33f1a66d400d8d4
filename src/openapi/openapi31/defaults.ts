// Parses a column's default expression into a JSON value if it is a constant; expressions such as `now()` are not.
import type { ValueSchema } from './types.ts';

/** JSON numbers with more digits lose precision. */
const EXACT_DIGITS = 15;

export function parseConstant(expression: string, schema: ValueSchema): unknown {
  const text = readLiteral(expression);
  const { type, format } = schema;
  if (type === 'string') return text !== undefined && isTextOf(text, schema) ? text : undefined;
  if (type === 'integer' || type === 'number') return readNumber(text ?? expression);
  if (type === 'boolean') return expression === 'true' || expression === 'false' ? expression === 'true' : undefined;
  if (type === 'array') return text === '{}' || expression.startsWith('ARRAY[]::') ? [] : undefined;
  return format === undefined && text !== undefined ? readJson(text) : undefined;
}

/** `'it''s'::text` → `it's`; undefined for anything but a single text literal, optionally with a cast. */
function readLiteral(expression: string): string | undefined {
  const match = /^'((?:[^']|'')*)'(?:::[^']+)?$/u.exec(expression);
  return match?.[1]?.replaceAll("''", "'");
}

/** Excludes texts that JSON output formats differently from PostgreSQL's literals. */
function isTextOf(text: string, { format, enum: labels }: ValueSchema): boolean {
  if (format?.startsWith('date-time') === true) return false;
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/u.test(text);
  return labels === undefined || labels.includes(text);
}

function readNumber(text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?$/u.test(text) || text.replaceAll(/\D/gu, '').length > EXACT_DIGITS) return undefined;
  return Number(text);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
