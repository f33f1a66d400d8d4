// Tests the report of the benchmark: medians of each subject, and ratios of the measured server to the others within
// each round.
import { expect, test } from 'vitest';
import { CASES } from './bench-case.ts';
import { renderReport } from './report.ts';
import type { Sample } from './servers/subject.ts';

const [bench] = CASES;

function sample(rate: number, user: number): Sample {
  return { process: 0, rate, p50: 1, p99: 2, serverTime: { user, system: 10 }, databaseTime: undefined };
}

test('subjects are compared within each round, not by their medians', () => {
  const samples = new Map([
    ['this', [sample(100, 30), sample(300, 30), sample(200, 30)]],
    ['base', [sample(50, 70), sample(100, 70), sample(400, 70)]],
  ]);
  const text = renderReport({
    source: 'chinook',
    databaseVersion: '18',
    load: 'wrk',
    measurements: [{ bench: bench!, connections: 16, samples }],
    openMeasurements: [],
  });
  const [measured, base] = text
    .trimEnd()
    .split('\n')
    .slice(-2)
    .map((line) => line.split(/ {2,}/u));
  expect(measured).toEqual(
    ['row by key', '16', 'this', '200', '100 %', '1.00', '2.00', '40', '0 %', '30+10', '-', '-', '-'].concat(
      measured!.slice(13),
    ),
  );
  expect(base?.slice(2)).toEqual([
    'base',
    '100',
    '350 %',
    '1.00',
    '2.00',
    '80',
    '0 %',
    '70+10',
    '-',
    '-',
    '-',
    '2.00',
    '0.50',
    '-',
    '1.00',
  ]);
});

test('figures that a subject does not report are left out', () => {
  const pgbench = {
    process: 0,
    rate: 400,
    p50: undefined,
    p99: undefined,
    serverTime: undefined,
    databaseTime: undefined,
  };
  const samples = new Map([
    ['this', [sample(100, 30)]],
    ['pgbench', [pgbench]],
  ]);
  const text = renderReport({
    source: 'chinook',
    databaseVersion: '18',
    load: 'wrk',
    measurements: [{ bench: bench!, connections: 1, samples }],
    openMeasurements: [],
  });
  const line = text.trimEnd().split('\n').at(-1);
  expect(line?.split(/ {2,}/u).slice(2)).toEqual([
    'pgbench',
    '400',
    '0 %',
    '-',
    '-',
    '-',
    '-',
    '-',
    '-',
    '-',
    '-',
    '0.25',
    '-',
    '-',
    '-',
  ]);
});

test('latencies of an open loop follow in a table of their own', () => {
  const measurements = [{ bench: bench!, connections: 16, samples: new Map([['this', [sample(100, 30)]]]) }];
  const openMeasurements = [{ bench: bench!, connections: 16, samples: new Map([['this', [sample(60, 30)]]]) }];
  const measured = { source: 'chinook', databaseVersion: '18', load: 'wrk', measurements, openMeasurements } as const;
  const [closed = '', open = ''] = renderReport(measured).split('Open loop');
  expect(closed).toContain('  100  ');
  expect(open).toMatch(/^: all servers receive 60 %[^]*\nrow by key +16 +this +60 /u);
});
