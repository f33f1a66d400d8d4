// Decodes rows of the statements `keys` and `foreignKeys` into keys by table, as table oids and attribute numbers.
// Names are resolved later, because a view may expose the same columns under other names. Also decodes `uniqueIndexes`.
import { type CatalogRow, flagAt, numbersAt, optionalTextAt, textAt, textsAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import type { UniqueIndex } from './schema-cache.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';

export interface TableKeys {
  /** Attribute numbers in key order. */
  readonly primary: readonly number[] | undefined;
  /** Column sets of the primary key and the unique constraints, each as returned by `identifyColumns`. */
  readonly unique: ReadonlySet<string>;
}

export type KeysByTable = ReadonlyMap<string, TableKeys>;

export interface ForeignKey {
  /** Identifies the key: constraint names are unique only within a table. */
  readonly oid: string;
  readonly constraint: string;
  readonly table: string;
  readonly foreignTable: string;
  /** Attribute numbers in key order, paired by position. */
  readonly columns: readonly number[];
  readonly foreignColumns: readonly number[];
  /** Whether its column set is a primary key or unique constraint of its table (`operating.md` §5.4). */
  readonly isUnique: boolean;
}

/** Returns the same text for the same set of columns. */
function identifyColumns(columns: readonly number[]): string {
  return [...columns].sort((left, right) => left - right).join(',');
}

export function* decodeKeys(rows: readonly CatalogRow[]): Slices<KeysByTable> {
  const keys = new Map<string, { primary: readonly number[] | undefined; unique: Set<string> }>();
  yield* visitInSlices(rows, (row) => {
    const table = getOrInsert(keys, textAt(row, 0), () => ({ primary: undefined, unique: new Set<string>() }));
    const columns = numbersAt(row, 2);
    if (flagAt(row, 1)) table.primary = columns;
    table.unique.add(identifyColumns(columns));
  });
  return keys;
}

export function decodeForeignKey(row: CatalogRow, keys: KeysByTable): ForeignKey {
  const table = textAt(row, 2);
  const columns = numbersAt(row, 4);
  return {
    oid: textAt(row, 0),
    constraint: textAt(row, 1),
    table,
    foreignTable: textAt(row, 3),
    columns,
    foreignColumns: numbersAt(row, 5),
    isUnique: keys.get(table)?.unique.has(identifyColumns(columns)) === true,
  };
}

export type IndexesByTable = ReadonlyMap<string, readonly UniqueIndex[]>;

export function* decodeUniqueIndexes(rows: readonly CatalogRow[]): Slices<IndexesByTable> {
  const indexes = new Map<string, UniqueIndex[]>();
  yield* visitInSlices(rows, (row) => {
    const definitions = textsAt(row, 4);
    getOrInsert(indexes, textAt(row, 0), () => []).push({
      name: textAt(row, 1),
      predicate: optionalTextAt(row, 2),
      hasEqualNulls: flagAt(row, 5),
      keys: textsAt(row, 3).map((name, position) =>
        name === '' ? { kind: 'expression', text: definitions[position] ?? '' } : { kind: 'column', name },
      ),
    });
  });
  return indexes;
}
