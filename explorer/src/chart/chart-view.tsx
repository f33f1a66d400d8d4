// Grouped rows as a chart, with the same data as a table for those who cannot see it.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Level } from '../rows/describe-level.ts';
import type { JsonElements } from '../rows/json-elements.ts';
import { makeTable, type TableModel } from '../rows/table-model.ts';
import { SelectField } from '../ui/field.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Store } from '../store/store.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { BarChart } from './bar-chart.tsx';
import { type ChartData, readChart } from './chart-data.ts';
import { type GroupedColumns, groupedColumns } from './is-grouped.ts';
import { LineChart } from './line-chart.tsx';
import { formatNumber } from './ticks.ts';
import { useGroupLabels } from './use-group-labels.ts';
import { useWidth } from './use-width.ts';
import './chart.css';

export interface ChartViewProps {
  readonly store: Store;
  readonly elements: JsonElements;
  readonly level: Level;
  readonly model: QueryModel | undefined;
}

export function ChartView({ store, elements, level, model }: ChartViewProps): VNode {
  const table = useMemo(() => makeTable(elements, level), [elements, level]);
  const columns = model && groupedColumns(model);
  if (columns !== undefined) return <Grouped {...{ store, table, columns }} />;
  return (
    <EmptyState icon="chart" title="These rows are not grouped.">
      Select a column and an aggregate, such as city,count(), to see a chart.
    </EmptyState>
  );
}

const SHAPES = [
  { id: 'bars', label: 'Bars' },
  { id: 'line', label: 'Line' },
] as const;

interface GroupedProps {
  readonly store: Store;
  readonly table: TableModel;
  readonly columns: GroupedColumns;
}

function Grouped({ store, table, columns }: GroupedProps): VNode {
  const [chosen, setMeasure] = useState<string | undefined>(undefined);
  const [shape, setShape] = useState<'bars' | 'line' | undefined>(undefined);
  const { element, widthPx } = useWidth();
  const measure = columns.measures.find((name) => name === chosen) ?? columns.measures[0] ?? '';
  const labels = useGroupLabels(store, table, columns.groups);
  const data = readChart(table, { ...columns, labels }, measure);
  const shown = shape ?? (data.scale === 'date' ? 'line' : 'bars');
  const label = `${measure} by ${columns.groups.join(', ')}`;
  const isPlaced = shown === 'bars' || data.scale === 'none';
  const omitted = data.omitted + (isPlaced ? 0 : data.points.filter(({ x }) => x === undefined).length);
  const Chart = shown === 'line' ? LineChart : BarChart;
  return (
    <div class="ui-stack ui-gap-4 chart">
      <div class="chart-bar-of-choices">
        <Tabs label="Shape" tabs={SHAPES} selected={shown} onSelect={setShape} />
        {columns.measures.length === 1 ? null : (
          <SelectField
            label="Value"
            size="small"
            value={measure}
            options={columns.measures.map((name) => ({ value: name, label: name }))}
            onValue={setMeasure}
          />
        )}
      </div>
      <figure ref={element} class="chart-figure">
        <figcaption>
          <bdi>{label}</bdi>
        </figcaption>
        {widthPx === 0 || data.points.length === 0 ? null : (
          <Chart label={describeChart(label, data)} points={data.points} widthPx={widthPx} />
        )}
      </figure>
      {omitted === 0 ? null : (
        <p class="chart-note">{`Rows without a place in the chart: ${omitted.toLocaleString('en')}.`}</p>
      )}
      <DataTable {...{ columns, measure, data }} />
    </div>
  );
}

function describeChart(label: string, { points }: ChartData): string {
  const values = points.map(({ value }) => value);
  const range = `from ${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}`;
  return `${label}: ${points.length} groups, ${range}`;
}

interface DataTableProps extends Pick<GroupedProps, 'columns'> {
  readonly measure: string;
  readonly data: ChartData;
}

function DataTable({ columns, measure, data }: DataTableProps): VNode {
  return (
    <details class="chart-data">
      <summary>Data of the chart</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{columns.groups.join(', ')}</bdi>
            </th>
            <th scope="col">
              <bdi>{measure}</bdi>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.points.map(({ label, value }, index) => (
            <tr key={index}>
              <th scope="row">
                <bdi>{label}</bdi>
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
