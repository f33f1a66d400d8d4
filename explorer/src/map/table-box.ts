// Computes the box of a table: its columns, size and row positions. Truncates texts by their estimated width, so that
// nothing has to be measured in a document.
import type { MapColumn, MapTable } from './schema-graph.ts';

export interface BoxRow {
  readonly name: string;
  readonly type: string;
  readonly mark: 'key' | 'foreignKey' | 'none';
}

export interface TableBox {
  readonly table: MapTable;
  readonly title: string;
  readonly rows: readonly BoxRow[];
  /** Number of columns that are not listed. */
  readonly hidden: number;
  readonly width: number;
  readonly height: number;
}

export type ColumnChoice = 'keys' | 'all';

export const HEAD_HEIGHT = 30;
export const ROW_HEIGHT = 20;
/** Space for the marks to the left of column names. */
export const MARK_WIDTH = 30;
export const PADDING = 10;
const TITLE_CHARACTER = 8.4;
const TEXT_CHARACTER = 7.3;
const GAP = 16;
const MIN_WIDTH = 120;
const MAX_TITLE = 32;
const MAX_NAME = 24;
const MAX_TYPE = 18;
/** Further columns are only counted. */
const MAX_ROWS = 40;
/** Number of columns shown of a relation without a key. */
const FIRST_COLUMNS = 4;
/** First code point of the scripts with letters about twice as wide. */
const FIRST_WIDE = 0x1100;

export function createBox(table: MapTable, choice: ColumnChoice): TableBox {
  const chosen = chooseColumns(table.columns, choice);
  const rows = chosen.slice(0, MAX_ROWS).map((column) => toRow(column));
  const hidden = table.columns.length - rows.length;
  const title = truncate(table.name, MAX_TITLE);
  const widths = rows.map(({ name, type }) => MARK_WIDTH + textWidth(name) + GAP + textWidth(type) + PADDING);
  const titleWidth =
    countCells(title) * TITLE_CHARACTER + 2 * PADDING + (table.isJunction || table.kind !== 'table' ? 20 : 0);
  const lines = rows.length + (hidden > 0 ? 1 : 0);
  return {
    table,
    title,
    rows,
    hidden,
    width: Math.ceil(Math.max(MIN_WIDTH, titleWidth, ...widths)),
    height: HEAD_HEIGHT + lines * ROW_HEIGHT + (lines > 0 ? 6 : 0),
  };
}

/** A view, or a table without any key, shows its first columns instead of keys. */
function chooseColumns(columns: readonly MapColumn[], choice: ColumnChoice): readonly MapColumn[] {
  if (choice === 'all') return columns;
  const keys = columns.filter(({ isKey, isForeignKey }) => isKey || isForeignKey);
  return keys.some(({ isKey }) => isKey) ? keys : [...new Set([...keys, ...columns.slice(0, FIRST_COLUMNS)])];
}

/** Returns the vertical middle of the row of a column, relative to the box; that of the head if it is not listed. */
export function rowMiddle({ table, rows }: TableBox, column: string | undefined): number {
  const name = truncate(column ?? '', MAX_NAME);
  const isShown = table.columns.some((each) => each.name === column);
  const index = isShown ? rows.findIndex((row) => row.name === name) : -1;
  return index === -1 ? HEAD_HEIGHT / 2 : HEAD_HEIGHT + 3 + (index + 0.5) * ROW_HEIGHT;
}

function toRow({ name, type, isKey, isForeignKey }: MapColumn): BoxRow {
  const mark = isKey ? 'key' : isForeignKey ? 'foreignKey' : 'none';
  return { name: truncate(name, MAX_NAME), type: truncate(type, MAX_TYPE), mark };
}

function textWidth(text: string): number {
  return countCells(text) * TEXT_CHARACTER;
}

function countCells(text: string): number {
  let cells = 0;
  for (const character of text) cells += (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
  return cells;
}

function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
