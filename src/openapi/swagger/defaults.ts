// Parses a column's default expression into a JSON value for the description (`operating.md` §12.6).
import type { Column } from '../../catalog/schema-cache.ts';
import { describeType } from './types.ts';

/** JSON numbers with more digits lose precision. */
const EXACT_DIGITS = 15;

/** Returns undefined if there is no default or it has no JSON form. */
export function parseDefault({ defaultExpression, type }: Column): unknown {
  if (defaultExpression === undefined) return undefined;
  if (describeType(type).type === 'string') return readText(defaultExpression, type);
  return readJson(defaultExpression);
}

function readText(expression: string, type: string): string {
  const cast = `::${type}`;
  if (!expression.endsWith(cast)) return expression;
  const value = expression.slice(0, -cast.length);
  return /^'.*'$/su.test(value) ? value.slice(1, -1) : value;
}

function readJson(expression: string): unknown {
  try {
    const value: unknown = JSON.parse(expression);
    const isExact = typeof value !== 'number' || expression.replaceAll(/\D/gu, '').length <= EXACT_DIGITS;
    return isExact ? value : undefined;
  } catch {
    return undefined;
  }
}
