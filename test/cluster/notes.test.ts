// Tests the tally of the clients' notes and its report.
import { expect, test } from 'vitest';
import { firstWriteAfter, type Note, tally } from './notes.ts';
import { renderTable } from './report.ts';

function note(request: number, at: number, changes: Partial<Note> = {}): Note {
  return { kind: 'write', request, at, outcome: '201', isStale: false, ...changes };
}

const NOTES: readonly Note[] = [
  note(1, 50),
  note(2, 110),
  note(3, 120),
  note(4, 130),
  note(5, 140, { outcome: '503 SVC001' }),
  note(6, 150, { outcome: '503 SVC001' }),
  note(7, 160, { outcome: '503 SVC004' }),
  note(8, 170, { outcome: '502' }),
  note(2, 180, { kind: 'read', outcome: '200' }),
  note(3, 190, { kind: 'positioned read', outcome: '200', isStale: true }),
];
/** 3 is lost, 4 is duplicated, 5 should not exist, 7 may exist. */
const STORED = new Map([
  [1, 1],
  [2, 1],
  [4, 2],
  [5, 1],
  [7, 1],
]);

const TALLY = tally(NOTES, { start: 100, end: 200 }, STORED);

test('responses within the period are compared with the stored rows', () => {
  expect(TALLY).toEqual({
    writes: 7,
    reads: 1,
    positionedReads: 1,
    errors: { 'write 503 SVC001': 2, 'write 503 SVC004': 1, 'write 502': 1 },
    lost: [3],
    doubled: [4],
    untrue: [5],
    stale: [3],
    longestWithoutWrite: 70,
  });
});

test('firstWriteAfter returns the next successful write', () => {
  expect(firstWriteAfter(NOTES, 100)).toBe(110);
  expect(firstWriteAfter(NOTES, 130)).toBe(Infinity);
});

test('the report has a row for each event', () => {
  const rows = [
    { event: 'Leader killed', tally: TALLY, replacedAfter: 20_120, writesAfter: 57.9 },
    { event: 'Replica killed', tally: { ...TALLY, errors: {} } },
  ];
  expect(renderTable(rows).split('\n').slice(2)).toEqual([
    '| Leader killed | 7 | 2 | 1 | 1 × write 502, 1 × write 503 SVC004, 2 × write 503 SVC001 | 1 | 1 | 1 | 0.07 s | 20.12 s | 0.06 s |',
    '| Replica killed | 7 | 2 | 1 | none | 1 | 1 | 1 | 0.07 s |  |  |',
    '',
  ]);
});
