// Builds the table from the rows and their description: columns, widths, and rows by index.
import type { JsonElements } from './json-elements.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { ColumnInfo, Level } from './describe-level.ts';
import { shortTypeName } from '../schema/short-type.ts';
import { describeValue, type ValueText } from './value-text.ts';

export interface TableColumn {
  readonly name: string;
  readonly info: ColumnInfo | undefined;
  readonly isNumeric: boolean;
  readonly isKey: boolean;
  readonly widthPx: number;
  /** The part of the width that values need; the rest is for the name. */
  readonly valuesPx: number;
}

export interface TableModel {
  readonly columns: readonly TableColumn[];
  readonly count: number;
  readonly level: Level;
  readonly rowAt: (index: number) => TableRow;
}

export interface TableRow {
  /** A value that is not an object becomes an object with one column. */
  readonly object: JsonObject;
  readonly values: ReadonlyMap<string, JsonValue>;
}

/** Number of leading rows used to determine columns and widths. */
const SAMPLE = 60;

export function makeTable(elements: JsonElements, level: Level): TableModel {
  const sample = Array.from({ length: Math.min(SAMPLE, elements.count) }, (_, index) => toRow(elements.at(index)));
  const found = new Set(sample.flatMap((row) => [...row.values.keys()]));
  // In the order of select, because the server returns embeds last.
  const stated = [...level.columns.keys()].filter((name) => found.has(name));
  const columns = [...new Set([...stated, ...found])].map((name) => makeColumn(name, level, sample));
  return { columns, count: elements.count, level, rowAt: cacheRows((index) => toRow(elements.at(index))) };
}

const VALUE_COLUMN = 'value';

function toRow(value: JsonValue): TableRow {
  const object: JsonObject = value.kind === 'object' ? value : { kind: 'object', entries: [[VALUE_COLUMN, value]] };
  return { object, values: new Map(object.entries) };
}

function makeColumn(name: string, level: Level, sample: readonly TableRow[]): TableColumn {
  const info = level.columns.get(name);
  const values = sample.flatMap((row) => row.values.get(name) ?? []);
  const given = values.filter(({ kind }) => kind !== 'null');
  const isKnownNumber = info?.type?.category === 'number' && !info.type.isArray;
  const source = info?.source?.name;
  return {
    name,
    info,
    isNumeric: isKnownNumber || (given.length > 0 && given.every(({ kind }) => kind === 'number')),
    isKey: source !== undefined && (level.relation?.key.includes(source) ?? false),
    ...estimateWidths(name, values, info),
  };
}

const [CHARACTER_PX, HEAD_CHARACTER_PX, TYPE_CHARACTER_PX, CHIP_PX] = [7, 7.8, 5.8, 8];
const [PADDING_PX, MIN_PX, MAX_PX] = [26, 64, 240];
/** The button for the values of the column. */
const BUTTON_PX = 18;
/** A related row has several values. */
const MAX_RELATED_PX = 360;

function estimateWidths(
  name: string,
  values: readonly JsonValue[],
  info: ColumnInfo | undefined,
): Pick<TableColumn, 'widthPx' | 'valuesPx'> {
  const longest = Math.max(
    0,
    ...values.map((value) => widthOf(describeValue(value, info?.type, info?.level !== undefined))),
  );
  const type = shortTypeName(info?.type?.name ?? '').length * TYPE_CHARACTER_PX + BUTTON_PX;
  const head = Math.max(name.length * HEAD_CHARACTER_PX + 24, type);
  const maxPx = info?.level === undefined ? MAX_PX : MAX_RELATED_PX;
  const fit = (px: number): number => Math.round(Math.min(maxPx, Math.max(MIN_PX, px + PADDING_PX)));
  return { widthPx: fit(Math.max(longest, head)), valuesPx: fit(longest) };
}

function widthOf({ text, items = [] }: ValueText): number {
  return text.length * CHARACTER_PX + items.length * CHIP_PX;
}

/** Visible rows are read repeatedly while scrolling. */
function cacheRows(read: (index: number) => TableRow): (index: number) => TableRow {
  const rows = new Map<number, TableRow>();
  return (index) => {
    const known = rows.get(index);
    if (known !== undefined) return known;
    if (rows.size >= MAX_CACHED_ROWS) rows.clear();
    const row = read(index);
    rows.set(index, row);
    return row;
  };
}

const MAX_CACHED_ROWS = 400;
