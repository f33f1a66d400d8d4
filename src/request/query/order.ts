// Parses the value of an `order` parameter (`reading.md` §3.5).
import { isAggregate, parseFieldOrAggregate } from './aggregate.ts';
import { attempt, DELIMITER } from './combinators.ts';
import { parseField } from './field.ts';
import { parseName } from './names.ts';
import type { Field, OrderTerm } from './query-params.ts';
import type { Scanner } from './scanner.ts';

export function parseOrderList(scanner: Scanner): readonly OrderTerm[] | undefined {
  const terms: OrderTerm[] = [];
  do {
    scanner.skipBlanks();
    const term = parseOrderTerm(scanner);
    if (term === undefined || !scanner.count('orderTerms') || !scanner.countTerm()) return undefined;
    terms.push(term);
  } while (scanner.take(','));
  return terms;
}

type OrderTarget = Pick<OrderTerm, 'relation' | 'field' | 'aggregate'>;

/** What `count()` counts are rows. */
const NO_FIELD: Field = { column: '', path: [] };

function parseOrderTerm(scanner: Scanner): OrderTerm | undefined {
  const target = attempt(scanner, parseRelatedField) ?? parseOwnField(scanner);
  if (target === undefined) return undefined;
  const direction = attempt(scanner, parseDirection);
  const nulls = attempt(scanner, parseNulls);
  if (!scanner.isBefore(',') && !scanner.isAtEnd()) return undefined;
  return { ...target, direction, nulls };
}

function parseRelatedField(scanner: Scanner): OrderTarget | undefined {
  const relation = parseName(scanner);
  if (relation === undefined || !scanner.take('(')) return undefined;
  const field = parseField(scanner);
  if (field === undefined || !scanner.take(')')) return undefined;
  scanner.skipBlanks();
  return { relation, field };
}

function parseOwnField(scanner: Scanner): OrderTarget | undefined {
  const field = parseFieldOrAggregate(scanner);
  if (field === undefined) return undefined;
  if (!isAggregate(field)) return { relation: undefined, field };
  return { relation: undefined, field: field.field ?? NO_FIELD, aggregate: field };
}

function parseDirection(scanner: Scanner): OrderTerm['direction'] {
  if (!scanner.take('.', DELIMITER)) return undefined;
  if (scanner.take('asc')) return 'asc';
  return scanner.take('desc') ? 'desc' : undefined;
}

function parseNulls(scanner: Scanner): OrderTerm['nulls'] {
  if (!scanner.take('.', DELIMITER)) return undefined;
  if (scanner.take('nullsfirst')) return 'nullsfirst';
  return scanner.take('nullslast') ? 'nullslast' : undefined;
}
