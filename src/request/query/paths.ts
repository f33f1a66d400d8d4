// Lists of names: the names of parameters, which address an embed, and the values of `columns` and `on_conflict`
// (`reading.md` §3.3, §3.4, §3.5).
import { DELIMITER } from './combinators.ts';
import { parseJsonPath } from './field.ts';
import { parseName } from './names.ts';
import type { Addressed, Field } from './query-params.ts';
import type { Scanner } from './scanner.ts';

/** `boats.meta->>hull`: the embed path, then the column and its JSON path. */
export function parseTreePath(scanner: Scanner): Addressed<Field> | undefined {
  const names = parseNamePath(scanner);
  const path = names === undefined ? undefined : parseJsonPath(scanner);
  const column = names?.at(-1);
  if (names === undefined || path === undefined || column === undefined) return undefined;
  return { path: names.slice(0, -1), value: { column, path } };
}

/** As a filter has it: `name[0]` and `name[]`, by which clients tell repeated parameters apart, mean `name` (`reading.md` §3.3). */
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

/** `boats.not.or`, name by name. */
export function parseNamePath(scanner: Scanner): readonly string[] | undefined {
  const names: string[] = [];
  do {
    const name = parseName(scanner);
    if (name === undefined) return undefined;
    names.push(name);
  } while (scanner.take('.', DELIMITER));
  return names;
}

/** The same text for the same path only. */
export function keyOfPath(path: readonly string[]): string {
  return path.length === 0 ? '' : JSON.stringify(path);
}

/** `id,name` */
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
