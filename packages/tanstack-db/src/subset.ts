// The read of a subset: its path, and which subsets it contains.
import type { LoadSubsetOptions } from '@tanstack/db';
import { type Condition, describe, type Serialize, translate, translateOrder } from './predicate.ts';

/** What one read sends. */
export interface Subset {
  readonly path: string;
  /** All conditions that its rows meet. */
  readonly conditions: ReadonlySet<string>;
  /** Undefined: all rows that meet them. */
  readonly prefix: { readonly order: string; readonly limit: number } | undefined;
}

/**
 * Returns the read that subsets narrow, without its order: of two orders, the server would take this one.
 *
 * @throws if the read has a limit, because the server would filter before it counts
 */
export function toBase(path: string): string {
  const [relation = '', query = ''] = path.split(/\?(.*)/su);
  const parameters = query.split('&');
  if (parameters.some((parameter) => /^(?:limit|offset)=/u.test(parameter)))
    throw new TypeError(`${path} has a limit or an offset, so it cannot be loaded on demand`);
  const kept = parameters.filter((parameter) => !parameter.startsWith('order='));
  return kept.join('&') === '' ? relation : `${relation}?${kept.join('&')}`;
}

/** @throws if the server cannot select the rows, nor more than them */
export function toSubset(path: string, options: LoadSubsetOptions, serialize: Serialize): Subset {
  const { conditions, unsaid } = translate(options.where, serialize);
  const { limit, offset = 0 } = options;
  const order = limit === undefined ? '' : toOrder(options);
  // Rows that the client filters out would be missing at the end.
  if (limit !== undefined && unsaid.length > 0) throw inexpressible(unsaid, 'with a limit');
  const parameters = [...toParameters(conditions)];
  if (order !== '') parameters.push(['order', order]);
  // From the beginning: pages of one order share a read, and no row falls between two of them.
  if (limit !== undefined) parameters.push(['limit', String(offset + limit)]);
  return {
    path: appendParameters(path, parameters),
    conditions: new Set(conditions.map(keyOf)),
    prefix: limit === undefined ? undefined : { order, limit: offset + limit },
  };
}

export function contains(outer: Subset, inner: Subset): boolean {
  if (![...outer.conditions].every((condition) => inner.conditions.has(condition))) return false;
  if (outer.prefix === undefined) return true;
  if (inner.prefix === undefined || inner.conditions.size !== outer.conditions.size) return false;
  return inner.prefix.order === outer.prefix.order && inner.prefix.limit <= outer.prefix.limit;
}

function toOrder({ orderBy = [] }: LoadSubsetOptions): string {
  const terms = orderBy.map(({ expression, compareOptions: { direction, nulls } }) => {
    const field = translateOrder(expression);
    if (field === undefined) throw inexpressible([describe(expression)], 'as an order with a limit');
    return `${field}.${direction}.nulls${nulls}`;
  });
  return terms.join(',');
}

function inexpressible(expressions: readonly string[], where: string): TypeError {
  const text = expressions.join(' and ');
  return new TypeError(`The server cannot evaluate ${text} ${where}. Load the rows without a limit, or eagerly`);
}

function* toParameters(conditions: readonly Condition[]): Generator<readonly [name: string, value: string]> {
  for (const condition of conditions) if (condition.kind === 'equal') yield [condition.column, `eq.${condition.value}`];
  const trees = conditions.filter((condition) => condition.kind === 'tree').map(({ text }) => text);
  if (trees.length > 0) yield ['and', `(${trees.join(',')})`];
}

function keyOf(condition: Condition): string {
  return condition.kind === 'equal' ? JSON.stringify([condition.column, condition.value]) : condition.text;
}

export function appendParameters(path: string, parameters: readonly (readonly [string, string])[]): string {
  const text = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  if (text === '') return path;
  return path + (path.includes('?') ? '&' : '?') + text;
}
