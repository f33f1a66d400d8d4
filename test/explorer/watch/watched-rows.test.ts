// Applying the events of a watched read to its rows.
import { expect, test } from 'vitest';
import {
  type Applied,
  applyChange,
  endMarks,
  readRows,
  renderRows,
  replaceRows,
  type WatchedRow,
} from '../../../explorer/src/watch/watched-rows.ts';
import { rowsEventOf, rowTextsOf, type RowsEvent } from '../../../explorer/src/watch/rows-event.ts';

const KEYED = { key: ['id'], now: 10 };
const KEYLESS = { key: [], now: 10 };
const ROWS = '[{"id":1,"n":"a"},\n {"id":2,"n":"b"}]';

function summary({ rows, changes }: Applied): unknown {
  return [changes, ...rows.map(({ text, mark }) => (mark === undefined ? text : `${mark} ${text}`))];
}

function change(data: string): Extract<RowsEvent, { kind: 'change' }> {
  return rowsEventOf({ name: 'change', data }) as Extract<RowsEvent, { kind: 'change' }>;
}

function shown(context = KEYED): readonly WatchedRow[] {
  return readRows(rowTextsOf(ROWS), { ...context, now: 0 });
}

test('a change marks rows that appeared, changed and left', () => {
  const data = '{"upsert": [{"id":2,"n":"c"},{"id":9007199254740993,"n":"}],"}], "delete": [{"id": 1}]}';
  expect(summary(applyChange(shown(), change(data), KEYED))).toEqual([
    3,
    'left {"id":1,"n":"a"}',
    'changed {"id":2,"n":"c"}',
    'new {"id":9007199254740993,"n":"}],"}',
  ]);
});

test('applying a change again changes nothing', () => {
  const data = '{"upsert": [{"id":3,"n":"c"}], "delete": [{"id": 1}, {"id": 7}]}';
  const first = applyChange(shown(), change(data), KEYED);
  const second = applyChange(first.rows, change(data), KEYED);
  expect(second).toEqual({ rows: first.rows, changes: 0 });
});

test('keys of several columns are compared as a whole', () => {
  const context = { key: ['a', 'b'], now: 10 };
  const rows = readRows(rowTextsOf('[{"a":1,"b":"x"},{"a":1,"b":"y"}]'), { ...context, now: 0 });
  expect(summary(applyChange(rows, change('{"upsert": [], "delete": [{"a": 1, "b": "y"}]}'), context))).toEqual([
    1,
    '{"a":1,"b":"x"}',
    'left {"a":1,"b":"y"}',
  ]);
});

test('new rows replace those shown, and the ones that left stay in their place', () => {
  expect(summary(replaceRows(shown(), rowTextsOf('[{"id":3,"n":"c"},{"id":2,"n":"b"}]'), KEYED))).toEqual([
    2,
    'left {"id":1,"n":"a"}',
    'new {"id":3,"n":"c"}',
    '{"id":2,"n":"b"}',
  ]);
});

test('rows without a key are identified by their text, also equal ones', () => {
  const rows = readRows(rowTextsOf('[{"n":1},{"n":1},{"n":2}]'), { ...KEYLESS, now: 0 });
  expect(summary(replaceRows(rows, rowTextsOf('[{"n":1},{"n":3}]'), KEYLESS))).toEqual([
    3,
    '{"n":1}',
    'left {"n":1}',
    'left {"n":2}',
    'new {"n":3}',
  ]);
});

test('marks end, and rows that left are gone', () => {
  const { rows } = applyChange(shown(), change('{"upsert": [{"id":3,"n":"c"}], "delete": [{"id": 1}]}'), KEYED);
  expect(endMarks(rows, 9)).toEqual(rows);
  const ended = endMarks(rows, 10);
  expect(ended.map(({ mark }) => mark)).toEqual([undefined, undefined]);
  expect(renderRows(ended)).toBe('[{"id":2,"n":"b"},\n {"id":3,"n":"c"}]');
});

test('a row that comes back is new', () => {
  const left = applyChange(shown(), change('{"upsert": [], "delete": [{"id": 1}]}'), KEYED);
  const back = applyChange(left.rows, change('{"upsert": [{"id":1,"n":"a"}], "delete": []}'), KEYED);
  expect(summary(back)).toEqual([1, 'new {"id":1,"n":"a"}', '{"id":2,"n":"b"}']);
});
