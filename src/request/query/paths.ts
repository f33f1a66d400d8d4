// Parses lists of names: parameter names, which address an embed, and the values of `columns` and `on_conflict`
// (`reading.md` §3.3, §3.4, §3.5).
import { DELIMITER } from './combinators.ts';
import { parseJsonPath } from './field.ts';
import { parseName } from './names.ts';
import type { Addressed, Field } from './query-params.ts';
import type { Scanner } from './scanner.ts';

/** Parses `boats.meta->>hull`: the embed path, then the column and its JSON path. */
export function parseTreePath(scanner: Scanner): Addressed<Field> | undefined {
  const names = parseNamePath(scanner);
  const path = names === undefined ? undefined : parseJsonPath(scanner);
  const column = names?.at(-1);
  if (names === undefined || path === undefined || column === undefined) return undefined;
  return { path: names.slice(0, -1), value: { column, path } };
}

/** In filters, `name[0]` and `name[]`, which clients use for repeated parameters, mean `name` (`reading.md` §3.3). */
export function parseFilterPath(scanner: Scanner): Addressed<Field> | undefined {
  const address = parseTreePath(scanner);
  if (address !== undefined && scanner.text[scanner.at] === '[') skipSubscripts(scanner);
  return address;
}

const SUBSCRIPTS = /(?:\[[^[\]]*\])+$/uy;

function skipSubscripts(scanner: Scanner): void {
  SUBSCRIPTS.lastIndex = scanner.at;
  if (SUBSCRIPTS.test(scanner.text)) scanner.advanceTo(scanner.text.length);
}

/** Parses `boats.not.or` into its names. */
export function parseNamePath(scanner: Scanner): readonly string[] | undefined {
  const names: string[] = [];
  do {
    const name = parseName(scanner);
    if (name === undefined) return undefined;
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
    if (name === undefined) return undefined;
    names.push(name);
    scanner.skipBlanks();
  } while (scanner.take(','));
  return names;
}
