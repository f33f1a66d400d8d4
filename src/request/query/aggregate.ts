// Parses aggregates: `sum()` after a column and its cast, and `count()` alone (`reading.md` §3.2, `beyond.md` §1.1).
import { attempt } from './combinators.ts';
import { AGGREGATES, FURTHER_AGGREGATES } from '../../contract/operators.ts';
import { parseField } from './field.ts';
import { parseTypeName } from './names.ts';
import type { AggregateCall, AggregateFunction, AggregateTerm, Field } from './query-params.ts';
import type { Scanner } from './scanner.ts';

/** A longer way to write `count(distinct)`. */
const COUNT_DISTINCT = 'countdistinct';
const EXTENDED = [COUNT_DISTINCT, ...AGGREGATES, ...FURTHER_AGGREGATES] as const;
/** Accept `distinct` in their parentheses. */
const WITH_DISTINCT: ReadonlySet<AggregateFunction> = new Set<AggregateFunction>(['sum', 'avg', 'count', 'array_agg']);

export function parseCast(scanner: Scanner): string | undefined {
  return scanner.take('::') ? parseTypeName(scanner) : undefined;
}

/** Parses `.sum()` without the cast of its result. */
export function parseCall(scanner: Scanner): Omit<AggregateCall, 'cast'> | undefined {
  if (!scanner.take('.')) return undefined;
  const isExtended = scanner.allows('aggregates');
  const extended = isExtended ? parseUnlisted(scanner, () => EXTENDED.find((one) => scanner.take(one))) : undefined;
  const isListed = !isExtended || scanner.limits.hidesAggregates === true;
  const name = extended ?? (isListed ? AGGREGATES.find((one) => scanner.take(one)) : undefined);
  if (name === undefined) return undefined;
  if (name === COUNT_DISTINCT) return scanner.take('()') ? { function: 'count', isDistinct: true } : undefined;
  if (scanner.take('()')) return { function: name };
  const isDistinct = isExtended && WITH_DISTINCT.has(name) && scanner.take('(distinct)');
  return isDistinct ? { function: name, isDistinct: true } : undefined;
}

/** Parses a column, or an aggregate if the extension is enabled. */
export function parseFieldOrAggregate(scanner: Scanner): Field | AggregateTerm | undefined {
  if (!scanner.allows('aggregates')) return parseField(scanner);
  scanner.skipBlanks();
  const count = parseUnlisted(scanner, () => parseRowCount(scanner));
  if (count !== undefined) return count;
  const field = parseField(scanner);
  return field && (parseUnlisted(scanner, () => parseAggregateOf(scanner, field)) ?? field);
}

/** If the parser fails, an error does not say that it expected this, unless aggregates are allowed. */
function parseUnlisted<T>(scanner: Scanner, parse: () => T | undefined): T | undefined {
  const { record } = scanner;
  const value = parse();
  if (value === undefined && scanner.limits.hidesAggregates === true) scanner.record = record;
  return value;
}

/** Parses `count()` and its cast. */
export function parseRowCount(scanner: Scanner): AggregateTerm | undefined {
  if (!scanner.take('count()')) return undefined;
  return { field: undefined, cast: undefined, call: { function: 'count', cast: attempt(scanner, parseCast) } };
}

/** Parses the cast and the aggregate after a field; consumes nothing if there is none. */
export function parseAggregateOf(scanner: Scanner, field: Field): AggregateTerm | undefined {
  return attempt(scanner, () => {
    const cast = attempt(scanner, parseCast);
    const call = parseCall(scanner);
    return call && { field, cast, call: { ...call, cast: attempt(scanner, parseCast) } };
  });
}

export function isAggregate(field: Field | AggregateTerm): field is AggregateTerm {
  return 'call' in field;
}
