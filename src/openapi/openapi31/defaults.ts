// A column's default expression → its JSON value, where the expression is a constant; a computed one (`now()`) is none.
import type { ValueSchema } from './types.ts';

/** A JSON number beyond these digits would come out as another one. */
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

/** `'it''s'::text` → `it's`; undefined for anything but one text literal, possibly cast. */
function readLiteral(expression: string): string | undefined {
  const match = /^'((?:[^']|'')*)'(?:::[^']+)?$/u.exec(expression);
  return match?.[1]?.replaceAll("''", "'");
}

/** Texts that JSON writes in another way than PostgreSQL's literals are left out. */
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
