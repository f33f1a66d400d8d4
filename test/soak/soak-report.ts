// Renders the result of a soak: a table, the verdict, and a plot in an unversioned folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderTable } from '../bench/report.ts';
import { renderPlot } from './plot.ts';
import type { SoakResult } from './run-soak.ts';
import { findSlopes, type Slope } from './slopes.ts';
import type { Sample } from './take-sample.ts';

const MAX_ROWS = 24;
/** Megabytes that thousands of prepared statements may take in one session. */
const LARGEST_SESSION = 100;
const COLUMNS = [
  'min',
  'requests',
  'p50 ms',
  'p99 ms',
  'RSS MB',
  'heap MB',
  'handles',
  'sessions',
  'MB each',
  'MB most',
];

/** @returns the problems; slopes are checked only in long runs */
export function checkSoak(result: SoakResult, slopes: readonly Slope[]): readonly string[] {
  const { handles, sessions } = result;
  const largest = Math.max(...result.samples.map(({ largestSession }) => largestSession ?? 0));
  return [
    ...(result.problemCount === 0 ? [] : [`${result.problemCount} undue answers:`, ...result.problems]),
    ...(handles.after > handles.before ? [`${handles.before} handles before, ${handles.after} after it`] : []),
    ...(largest > LARGEST_SESSION ? [`a session of ${largest.toFixed(0)} MB`] : []),
    ...(sessions.after > sessions.most ? [`${sessions.after} sessions instead of ${sessions.most}`] : []),
    ...slopes.filter(({ isTooSteep }) => isTooSteep).map((slope) => `${slope.figure} grows by ${describeSlope(slope)}`),
  ];
}

export function describeSoak(result: SoakResult): string {
  const { samples, events } = result;
  const step = Math.ceil(samples.length / MAX_ROWS);
  const rows = samples.filter((_, index) => index % step === 0).map(renderSample);
  const slopes = findSlopes(samples).map((slope) => [
    slope.figure,
    slope.slope.toFixed(1),
    slope.uncertainty.toFixed(1),
    String(slope.limit),
    slope.unit,
  ]);
  return [
    `${result.requests} requests, ${result.rate.toFixed(0)} a second; ${result.problemCount} undue answers, ${result.excused} times 503 while the database was away; ${result.liveEvents} live events`,
    countNames(events.map(({ name }) => name)),
    `ready again after ${result.recoveries.map((time) => `${time.toFixed(0)} ms`).join(', ')}`,
    `handles before ${result.handles.before}, after ${result.handles.after}; sessions after ${result.sessions.after}`,
    '',
    renderTable([COLUMNS, ...rows]),
    renderTable([['slope, second half', 'each hour', '±', 'limit', ''], ...slopes]),
  ].join('\n');
}

function countNames(names: readonly string[]): string {
  const counts = [...new Set(names)].map((name) => [name, names.filter((other) => other === name).length] as const);
  return counts.map(([name, count]) => `${count} × ${name}`).join(', ');
}

function renderSample(sample: Sample): readonly string[] {
  const { time, count, p50, p99, resident, heap, handles, sessions, sessionMemory, largestSession } = sample;
  return [
    time.toFixed(1),
    String(count),
    ...[p50, p99, resident, heap].map((value) => value.toFixed(1)),
    String(handles),
    String(sessions ?? '-'),
    sessionMemory?.toFixed(1) ?? '-',
    largestSession?.toFixed(1) ?? '-',
  ];
}

function describeSlope({ slope, uncertainty, limit, unit }: Slope): string {
  return `${slope.toFixed(1)} ± ${uncertainty.toFixed(1)} ${unit}, the limit is ${limit}`;
}

/** @returns the path of the plot */
export function writePlot({ samples, events, rate }: SoakResult, folder: string): string {
  const read = (figure: keyof Sample): readonly (number | undefined)[] => samples.map((sample) => sample[figure]);
  const series = (name: string, color: string, figure: keyof Sample) => ({ name, color, values: read(figure) });
  const svg = renderPlot({
    title: `Soak at ${rate.toFixed(0)} requests per second`,
    times: samples.map(({ time }) => time),
    panels: [
      {
        title: 'server, MB',
        series: [series('resident', '#c33', 'resident'), series('heap in use', '#36c', 'heap')],
      },
      {
        title: 'sessions, unshared MB of each',
        series: [series('on average', '#383', 'sessionMemory'), series('the largest', '#c33', 'largestSession')],
      },
      { title: 'handles of the server', series: [series('open files', '#c33', 'handles')] },
      { title: 'latency, ms', series: [series('p99', '#c33', 'p99'), series('p50', '#36c', 'p50')] },
    ],
    marks: events,
  });
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'soak.svg');
  writeFileSync(file, svg);
  return file;
}
