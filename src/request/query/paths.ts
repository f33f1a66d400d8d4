// Parses lists of names: parameter names, which address an embed, and the values of `columns` and `on_conflict`
// (`reading.md` §3.3, §3.4, §3.5).
import { parseAggregateOf, parseRowCount } from './aggregate.ts';
import { attempt, DELIMITER } from './combinators.ts';
import { parseJsonPath } from './field.ts';
import { parseName } from './names.ts';
import type { Addressed, AggregateTerm, Field } from './query-params.ts';
import { findFirst, type Scanner } from './scanner.ts';

/** Parses `boats.meta->>hull`: the embed path, then the column and its JSON path. */
export function parseTreePath(scanner: Scanner): Addressed<Field> | undefined {
  const names = parseNamePath(scanner);
  const path = names === undefined ? undefined : parseJsonPath(scanner);
  const column = names?.at(-1);
  if (names === undefined || path === undefined || column === undefined) return undefined;
  return { path: names.slice(0, -1), value: { column, path } };
}

/** Parses the name of a filter parameter: a path that ends in a column, or in an aggregate if the extension is enabled. */
export function parseFilterTarget(scanner: Scanner): Addressed<Field | AggregateTerm> | undefined {
  const mayAggregate = scanner.allows('aggregates') && scanner.text.includes('(');
  return (mayAggregate ? attempt(scanner, parseAggregatePath) : undefined) ?? parseFilterPath(scanner);
}

/** Parses `items.price::int.sum()`. `items.count()` counts values of `items`, unless planning finds an embed there. */
function parseAggregatePath(scanner: Scanner): Addressed<AggregateTerm> | undefined {
  const path: string[] = [];
  do {
    const count = path.length === 0 ? parseRowCount(scanner) : undefined;
    if (count !== undefined) return { path, value: count };
    const column = parseName(scanner);
    const steps = column === undefined ? undefined : parseJsonPath(scanner);
    if (column === undefined || steps === undefined) return undefined;
    const term = parseAggregateOf(scanner, { column, path: steps });
    if (term !== undefined) return { path, value: term };
    if (steps.length > 0) return undefined;
    path.push(column);
  } while (scanner.take('.', DELIMITER));
  return undefined;
}

/** In filters, `name[0]` and `name[]`, which clients use for repeated parameters, mean `name` (`reading.md` §3.3). */
export function parseFilterPath(scanner: Scanner): Addressed<Field> | undefined {
  const address = parseTreePath(scanner);
  if (address !== undefined && scanner.text[scanner.at] === '[') skipSubscripts(scanner);
  return address;
}

const BRACKETS = /[[\]]/gu;

/** Skips subscripts up to the end of the text, or nothing. */
function skipSubscripts(scanner: Scanner): void {
  const { text } = scanner;
  for (let at = scanner.at; text[at] === '[';) {
    at = findFirst(text, at + 1, BRACKETS) + 1;
    if (text[at - 1] !== ']') return;
    if (at === text.length) scanner.advanceTo(at);
  }
}

/** Parses `boats.not.or` into its names. */
export function parseNamePath(scanner: Scanner): readonly string[] | undefined {
  const names: string[] = [];
  do {
    const name = parseName(scanner);
    if (name === undefined || (names.length > 0 && !scanner.countTerm())) return undefined;
    names.push(name);
  } while (scanner.take('.', DELIMITER));
  return names;
}

/** Returns a text that is unique to the path. */
export function keyOfPath(path: readonly string[]): string {
  return path.length === 0 ? '' : JSON.stringify(path);
}

/** Parses `id,name`. */
export function parseColumnList(scanner: Scanner): readonly string[] | undefined {
  const names: string[] = [];
  do {
    if (names.length > 0) scanner.skipBlanks();
    const name = parseName(scanner);
    if (name === undefined || !scanner.countTerm()) return undefined;
    names.push(name);
    scanner.skipBlanks();
  } while (scanner.take(','));
  return names;
}

/** Parses `!item_sku_key`, which names an index. */
export function parseIndexName(scanner: Scanner): string | undefined {
  return scanner.take('!') ? parseName(scanner) : undefined;
}
