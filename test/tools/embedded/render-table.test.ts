import { expect, test } from 'vitest';
import { renderTable } from '../../../tools/embedded/script/load-sql.ts';

test('columns are as wide as their widest value', () => {
  expect(
    renderTable({
      columns: ['id', 'title'],
      rows: [
        ['1', 'Middlemarch'],
        ['10', null],
        ['2', 'two\n  lines'],
      ],
    }),
  ).toBe(` id | title
----+-------------
 1  | Middlemarch
 10 | null
 2  | two lines
(3 rows)
`);
});

test('the footer shows the number of rows', () => {
  expect(renderTable({ columns: ['n'], rows: [['1']] })).toContain('\n(1 row)\n');
  expect(renderTable({ columns: ['n'], rows: [] })).toBe(' n\n---\n(0 rows)\n');
});

test('long values and results are truncated', () => {
  const rows = Array.from({ length: 101 }, (_, index) => [String(index), 'x'.repeat(100)]);
  const text = renderTable({ columns: ['n', 'long'], rows });
  expect(text.split('\n')).toHaveLength(2 + 100 + 2);
  expect(text).toContain(`| ${'x'.repeat(59)}…\n`);
  expect(text).toContain('(the first 100 of 101 rows)');
});

test('control characters of names and values are escaped', () => {
  const table = renderTable({ columns: ['a\u001B[31m'], rows: [['\u001B]0;title\u0007'], ['a\nb']] });
  expect(table).toContain(String.raw`a\u001b[31m`);
  expect(table).toContain(String.raw`\u001b]0;title\u0007`);
  expect(table).not.toMatch(/[^\P{Cc}\n]/u);
});
