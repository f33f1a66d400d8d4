// Compares a response with the definitions that were in force during its request.
import { type ChangingColumn, type Definition, ROWS } from './changing-table.ts';

export const FORMATS = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  object: 'application/vnd.svc.object+json',
} as const;

export type Format = keyof typeof FORMATS;

interface Request {
  readonly path: string;
  readonly format: Format;
  readonly embed: string | undefined;
  readonly isOfType: boolean;
  readonly isOfFunction: boolean;
}

type Row = ReadonlyMap<string, unknown>;

/** @returns what is wrong, or undefined */
export function checkRows(
  { path, format, embed, isOfType, isOfFunction }: Request,
  text: string,
  definitions: readonly Definition[],
  count: (what: string) => void,
): string | undefined {
  const parsed = readRows(text, format);
  const rows =
    embed === undefined ? parsed : parsed.flatMap((row) => ((row.get(embed) as readonly object[]) ?? []).map(toRow));
  // A statement whose snapshot is older than the rewritten table finds no rows in it.
  const isEmpty = rows.length === 0 && definitions.length > 1;
  count(isEmpty ? 'response: empty' : 'response: rows');
  if (isEmpty) return undefined;
  const expected = format === 'object' && embed === undefined ? 1 : ROWS;
  if (rows.length !== expected) return `${rows.length} rows: ${text.slice(0, 300)}`;
  const selected = /select=(?:id,\w+\()?(id(?:,\w)+)(?=&|\)|$)/u.exec(path)?.[1]?.split(',');
  const isRight = (columns: readonly ChangingColumn[], dropped: ReadonlySet<string>): boolean =>
    rows.every((row) => isRowOf(row, selectColumns(columns, selected), { format, dropped }));
  const all = definitions.map(({ columns, fields }) => (isOfType ? fields : columns));
  if (all.some((columns) => isRight(columns, NONE))) return undefined;
  // PostgreSQL matches the columns of a function's body and of its row type by position, and a field that has been dropped
  // is null. A call that waits for a change knows the former row type, but the present columns.
  const isMixed =
    isOfFunction && all.some((types) => all.some((digits) => isRight(mix(types, digits), findDropped(types, all))));
  if (isMixed) count('response: positions');
  return isMixed ? undefined : `${text.slice(0, 200)} is not of ${all.map(describe).join(' or ')}`;
}

function mix(types: readonly ChangingColumn[], digits: readonly ChangingColumn[]): readonly ChangingColumn[] {
  return types.map((column, place) => ({ ...column, digit: digits[place]?.digit ?? column.digit }));
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the names of the columns that another definition does not have, or has as columns that were added again. */
function findDropped(
  columns: readonly ChangingColumn[],
  all: readonly (readonly ChangingColumn[])[],
): ReadonlySet<string> {
  const moved = columns.filter(({ attribute }) =>
    all.some((others) => others.every((other) => other.attribute !== attribute)),
  );
  return new Set(moved.map(({ name }) => name));
}

function describe(columns: readonly ChangingColumn[]): string {
  return columns.map(({ name, digit, type }) => `${name}=${digit}:${type}`).join(' ');
}

const ID: ChangingColumn = { name: 'id', digit: 0, type: 'int', attribute: -1 };

function selectColumns(
  columns: readonly ChangingColumn[],
  selected: readonly string[] | undefined,
): readonly ChangingColumn[] {
  const all = [ID, ...columns];
  return selected === undefined ? all : selected.flatMap((name) => all.filter((column) => column.name === name));
}

interface RowRules {
  readonly format: Format;
  /** Names of columns that may be null. */
  readonly dropped: ReadonlySet<string>;
}

function isRowOf(row: Row, columns: readonly ChangingColumn[], { format, dropped }: RowRules): boolean {
  const id = Number(row.get('id'));
  const names = [...row.keys()];
  return (
    names.length === columns.length &&
    columns.every((column, place) => {
      if (names[place] !== column.name) return false;
      if (dropped.has(column.name) && row.get(column.name) === (format === 'csv' ? '' : null)) return true;
      const value = column.name === 'id' ? id : id * 10 + column.digit;
      const isText = format === 'csv' || column.type === 'text' || column.type === 'varchar';
      return row.get(column.name) === (isText ? String(value) : value);
    })
  );
}

function readRows(text: string, format: Format): readonly Row[] {
  switch (format) {
    case 'json':
      return (JSON.parse(text) as readonly object[]).map(toRow);
    case 'object':
      return [toRow(JSON.parse(text) as object)];
    case 'ndjson':
      return text.split('\n').flatMap((line) => (line === '' ? [] : [toRow(JSON.parse(line) as object)]));
    case 'csv': {
      const [head = '', ...lines] = text.split('\n');
      const names = head.split(',');
      return lines
        .filter((line) => line !== '')
        .map((line) => new Map(line.split(',').map((value, place) => [names[place] ?? '', value])));
    }
  }
}

function toRow(object: object): Row {
  return new Map(Object.entries(object));
}
