// The points of a chart from grouped rows.
import type { Labels } from '../rows/foreign-labels.ts';
import type { JsonValue } from '../rows/json-value.ts';
import { textOf } from '../rows/row-links.ts';
import type { TableModel } from '../rows/table-model.ts';
import { describeValue } from '../rows/value-text.ts';
import type { GroupedColumns } from './is-grouped.ts';

export interface ChartPoint {
  readonly label: string;
  /** Position of a date or a number on the horizontal axis; undefined for other groups. */
  readonly x: number | undefined;
  readonly value: number;
}

export interface ChartData {
  readonly points: readonly ChartPoint[];
  /** `date` if all groups are dates or times, `number` if all are numbers. */
  readonly scale: 'date' | 'number' | 'none';
  /** Number of rows without a number to show, or beyond the maximum. */
  readonly omitted: number;
}

const MAX_POINTS = 2000;
const DATE = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/u;

export interface ChartColumns extends GroupedColumns {
  /** Names of the rows that foreign keys reference. */
  readonly labels?: Labels;
}

export function readChart(table: TableModel, { groups, labels }: ChartColumns, measure: string): ChartData {
  const rows = Array.from({ length: Math.min(table.count, MAX_POINTS) }, (_, index) => table.rowAt(index).values);
  const scale = scaleOf(groups.length === 1 ? rows.map((row) => row.get(groups[0] ?? '')) : []);
  const points = rows.flatMap((row) => {
    const values = groups.map((name) => row.get(name) ?? NULL);
    const value = numberOf(row.get(measure));
    const label = values
      .map((one, index) => {
        const name = labels?.get(groups[index] ?? '')?.get(textOf(one) ?? '');
        return name ?? describeValue(one, typeOf(table, groups[index])).text;
      })
      .join(' · ');
    return value === undefined ? [] : [{ label, value, x: positionOf(values[0] ?? NULL, scale) }];
  });
  return { points, scale, omitted: table.count - points.length };
}

const NULL: JsonValue = { kind: 'null' };

function typeOf(table: TableModel, name: string | undefined) {
  return table.columns.find((column) => column.name === name)?.info?.type;
}

/** Groups may include null, which has no position. */
function scaleOf(values: readonly (JsonValue | undefined)[]): ChartData['scale'] {
  const known = values.filter((value) => value !== undefined && value.kind !== 'null');
  if (known.length === 0) return 'none';
  if (known.every((value) => value?.kind === 'string' && DATE.test(value.value))) return 'date';
  return known.every((value) => value?.kind === 'number') ? 'number' : 'none';
}

function positionOf(value: JsonValue, scale: ChartData['scale']): number | undefined {
  if (scale === 'date' && value.kind === 'string') return finite(Date.parse(value.value));
  return scale === 'number' ? numberOf(value) : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return value?.kind === 'number' ? finite(Number(value.text)) : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
