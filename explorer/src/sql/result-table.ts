// Converts a result of the console to the rows and the description that the table of the explorer shows.
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';
import type { ConsoleResult } from '../client/console.ts';
import type { ColumnInfo, Level } from '../rows/describe-level.ts';
import { findElements } from '../rows/json-elements.ts';
import { parseJson } from '../rows/json-value.ts';
import { makeTable, type TableModel } from '../rows/table-model.ts';

/** Returns undefined if the statement returns no columns. */
export function tableOf({ columns, rows }: ConsoleResult): TableModel | undefined {
  if (columns === undefined || columns.length === 0) return undefined;
  const names = uniqueNames(columns.map(({ name }) => name));
  const types = columns.map(({ type }) => describeType(type));
  const keys = names.map((name) => JSON.stringify(name));
  const texts = rows.map(
    (row) => `{${row.map((value, index) => `${keys[index]}:${renderValue(value, types[index])}`).join(',')}}`,
  );
  const elements = findElements(`[${texts.join(',')}]`);
  const level: Level = {
    relation: undefined,
    columns: new Map(names.map((name, index) => [name, infoOf(types[index])])),
  };
  return elements && makeTable(elements, level);
}

function infoOf(type: DescribedType | undefined): ColumnInfo {
  return { type, field: undefined, source: undefined, level: undefined };
}

/** Appends numbers: a result may have several columns of one name, or without one. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

const CATEGORIES: readonly (readonly [RegExp, TypeCategory])[] = [
  [/^(?:smallint|integer|bigint|numeric|real|double precision|oid|money)\b/u, 'number'],
  [/^boolean$/u, 'boolean'],
  [/^jsonb?$/u, 'json'],
  [/^timestamp/u, 'timestamp'],
  [/^date$/u, 'date'],
  [/^uuid$/u, 'uuid'],
];

function describeType(name: string): DescribedType {
  const category = CATEGORIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
  return { name, category, isArray: name.endsWith('[]') };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** Returns JSON text for a value in the text format of PostgreSQL. */
function renderValue(value: string | null, type: DescribedType | undefined): string {
  if (value === null) return 'null';
  if (type?.isArray) return JSON.stringify(value);
  if (type?.category === 'number' && JSON_NUMBER.test(value)) return value;
  if (type?.category === 'boolean') return value === 't' ? 'true' : 'false';
  if (type?.category === 'json' && parseJson(value) !== undefined) return value;
  return JSON.stringify(value);
}
