// Samples → a table of medians.
import type { BenchCase } from './bench-case.ts';
import type { Measured, Sample } from './measure.ts';

const COLUMNS = ['case', 'req/s', 'p50 ms', 'p99 ms', 'server µs', 'database µs', 'pgbench tx/s', 'its db µs', 'ratio'];

export function renderReport({ source, samples }: Measured): string {
  const rows = [...samples].map(([bench, taken]) => renderRow(bench, taken));
  const hasPgbench = [...samples.values()].flat().some(({ pgbench }) => pgbench !== undefined);
  const note = hasPgbench ? '' : 'No pgbench was found: there is nothing to compare with.\n';
  return `Data: ${source}. Medians of the rounds.\n${note}\n${renderTable([COLUMNS, ...rows])}`;
}

export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => `${row.map(pad).join('  ')}\n`).join('');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

function renderRow({ name }: BenchCase, samples: readonly Sample[]): readonly string[] {
  const cell = (digits: number, read: (sample: Sample) => number | undefined): string => {
    const values = samples.flatMap((sample) => read(sample) ?? []);
    return values.length === 0 ? '-' : median(values).toFixed(digits);
  };
  return [
    name,
    cell(0, ({ rate }) => rate),
    cell(2, ({ p50 }) => p50),
    cell(2, ({ p99 }) => p99),
    cell(0, ({ serverTime }) => serverTime),
    cell(0, ({ databaseTime }) => databaseTime),
    cell(0, ({ pgbench }) => pgbench?.rate),
    cell(0, ({ pgbench }) => pgbench?.databaseTime),
    cell(2, ({ rate, pgbench }) => pgbench && rate / pgbench.rate),
  ];
}
