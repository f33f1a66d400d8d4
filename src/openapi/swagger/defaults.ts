// A column's default expression → a JSON value for the description (`operating.md` §12.6).
import type { Column } from '../../catalog/schema-cache.ts';
import { describeType } from './types.ts';

/** A JSON number beyond these digits would come out as another one. */
const EXACT_DIGITS = 15;

/** Undefined when there is no default or it cannot be told as JSON. */
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
