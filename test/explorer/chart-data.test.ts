// The data and the scales of charts.
import { expect, test } from 'vitest';
import { readChart } from '../../explorer/src/chart/chart-data.ts';
import { groupedColumns } from '../../explorer/src/chart/is-grouped.ts';
import { makeScale } from '../../explorer/src/chart/ticks.ts';
import { UNKNOWN_LEVEL } from '../../explorer/src/rows/describe-level.ts';
import { findElements } from '../../explorer/src/rows/json-elements.ts';
import { makeTable } from '../../explorer/src/rows/table-model.ts';
import { parseUrl } from '../../explorer/src/url-state/parse-url.ts';

function groupsOf(url: string) {
  const model = parseUrl(url);
  return model.ok ? groupedColumns(model.value) : undefined;
}

test.each([
  ['/t?select=colour,count()', { groups: ['colour'], measures: ['count'] }],
  ['/t?select=a:colour,b:size.sum(),n:count()', { groups: ['a'], measures: ['b', 'n'] }],
  ['/t?select=colour', undefined],
  ['/t?select=count()', undefined],
  ['/t', undefined],
])('the groups and values of %s', (url, expected) => {
  expect(groupsOf(url)).toEqual(expected);
});

function chartOf(text: string) {
  const elements = findElements(text);
  if (elements === undefined) throw new Error(text);
  return readChart(makeTable(elements, UNKNOWN_LEVEL), { groups: ['g'], measures: ['n'] }, 'n');
}

test('dates and numbers have a position, and rows without a number are counted as omitted', () => {
  expect(chartOf('[{"g":"2024-01-02","n":3},{"g":null,"n":1},{"g":"2024-01-01T12:00:00Z","n":null}]')).toEqual({
    scale: 'date',
    points: [
      { label: '2024-01-02', x: Date.UTC(2024, 0, 2), value: 3 },
      { label: 'null', x: undefined, value: 1 },
    ],
    omitted: 1,
  });
  expect(chartOf('[{"g":1900,"n":3}]')).toMatchObject({ scale: 'number', points: [{ x: 1900 }] });
  expect(chartOf('[{"g":"1900-01","n":3}]')).toMatchObject({ scale: 'none', points: [{ x: undefined }] });
});

test.each([
  [[3, 7], { from: 0, to: 8, ticks: [0, 2, 4, 6, 8] }],
  [[-5, 12], { from: -5, to: 15, ticks: [-5, 0, 5, 10, 15] }],
  [[0, 2], { from: 0, to: 2, ticks: [0, 1, 2] }],
  [[0.4], { from: 0, to: 0.4, ticks: [0, 0.1, 0.2, expect.closeTo(0.3), 0.4] }],
  [[0], { from: 0, to: 1, ticks: [0, 1] }],
])('the scale of %j is round and contains zero', (values, expected) => {
  expect(makeScale(values, 4)).toEqual(expected);
});
