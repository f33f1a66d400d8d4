// Renders samples as a table of medians; each line compares its subject with the measured server, round by round.
import { type CpuTime, totalTime } from './servers/cpu-time.ts';
import type { Measured, Measurement } from './measure.ts';
import type { Sample } from './servers/subject.ts';

const COLUMNS = [
  'case',
  'connections',
  'subject',
  'req/s',
  'spread',
  'p50 ms',
  'p99 ms',
  'server µs',
  'spread',
  'user+system',
  'database µs',
  'spread',
  'user+system',
  'req/s ×',
  'server ×',
  'database ×',
  'p99 ×',
];

export function renderReport({ source, load, measurements, openMeasurements }: Measured): string {
  const tables = [
    `Data: ${source}. Load: ${load}. Medians of all rounds and processes; spread: from least to most, of the median.
In the last columns: how many times the subject's figure the measured server's is.\n
${renderTable([COLUMNS, ...measurements.flatMap(renderRows)])}`,
    `\nOpen loop: all servers receive 60 % of the requests per second that the slowest of them reached above. Latencies
count from the time when a request was due.\n
${renderTable([COLUMNS, ...openMeasurements.flatMap(renderRows)])}`,
  ];
  return tables.slice(0, openMeasurements.length === 0 ? 1 : 2).join('');
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

type Figure = (sample: Sample) => number | undefined;
const readRate: Figure = ({ rate }) => rate;
const readServerTime: Figure = ({ serverTime }) => totalTime(serverTime);
const readDatabaseTime: Figure = ({ databaseTime }) => totalTime(databaseTime);
const readP99: Figure = ({ p99 }) => p99;

function renderRows({ bench, connections, samples }: Measurement): readonly (readonly string[])[] {
  const measured = [...samples.values()][0] ?? [];
  return [...samples].map(([subject, taken]) => {
    const ratios = [readRate, readServerTime, readDatabaseTime, readP99].map(compareBy(measured, taken));
    return [bench.name, String(connections), subject].concat(renderFigures(taken), taken === measured ? [] : ratios);
  });
}

function renderFigures(samples: readonly Sample[]): readonly string[] {
  const cell = (digits: number, read: Figure): string =>
    render(
      digits,
      samples.flatMap((sample) => read(sample) ?? []),
    );
  const spread = (read: Figure): string => {
    const values = samples.flatMap((sample) => read(sample) ?? []);
    const width = Math.max(...values) - Math.min(...values);
    return values.length === 0 ? '-' : `${((width / median(values)) * 100).toFixed(0)} %`;
  };
  const times = (read: (sample: Sample) => CpuTime | undefined): readonly string[] => {
    const total: Figure = (sample) => totalTime(read(sample));
    const user = cell(0, (sample) => read(sample)?.user);
    const system = cell(0, (sample) => read(sample)?.system);
    return [cell(0, total), spread(total), user === '-' ? '-' : `${user}+${system}`];
  };
  return [
    cell(0, readRate),
    spread(readRate),
    cell(2, ({ p50 }) => p50),
    cell(2, readP99),
    ...times(({ serverTime }) => serverTime),
    ...times(({ databaseTime }) => databaseTime),
  ];
}

/** The median of the ratios within rounds is more robust than the ratio of the medians. */
function compareBy(measured: readonly Sample[], others: readonly Sample[]): (read: Figure) => string {
  return (read) => {
    const ratios = others.flatMap((other, round) => {
      const [mine, its] = [measured[round], other].map((sample) => sample && read(sample));
      return mine === undefined || its === undefined ? [] : mine / its;
    });
    return render(2, ratios);
  };
}

function render(digits: number, values: readonly number[]): string {
  return values.length === 0 ? '-' : median(values).toFixed(digits);
}
