// Completion and corrections of SQL. `|` marks the caret.
import { expect, test } from 'vitest';
import { completeSql } from '../../../explorer/src/sql/complete-sql.ts';
import { highlightSql } from '../../../explorer/src/sql/highlight-sql.ts';
import { suggestName } from '../../../explorer/src/sql/suggest-name.ts';
import { SCHEMA } from '../complete/schema.ts';

function offeredAt(text: string): readonly string[] {
  const found = completeSql(text.replace('|', ''), text.indexOf('|'), SCHEMA);
  return found?.options.map(({ apply }) => apply) ?? [];
}

test.each<readonly [string, readonly string[]]>([
  ['select * from |', ['streets', 'houses', 'people', 'hidden', 'api']],
  ['select * from api.st|', ['streets']],
  ['select s.| from streets s', ['id', 'name']],
  ['select s.| from houses; select 1 from streets as s', []],
  ['select streets.na| from streets', ['name']],
  ['select ord| from houses', ['"order"', 'order']],
  ['sel|', ['select']],
  ["select 'ho|'", []],
  ['select 1 -- ho|', []],
  ['select $$ ho| $$', []],
  ['select |', []],
])('at %s', (text, options) => {
  expect(offeredAt(text)).toEqual(options);
});

test.each<readonly [string, string, string, string | undefined]>([
  ['select * from api.huoses', '42P01', 'api', 'houses'],
  ['select biult from houses', '42703', 'biult', 'built'],
  ['select ordr from houses', '42703', 'ordr', '"order"'],
  ['select odlest()', '42883', 'odlest', 'oldest'],
  ['selct 1', '42601', 'selct', 'select'],
  ['select * from xyz', '42P01', 'xyz', undefined],
  ['select 1/0', '22012', '1', undefined],
])('%s is corrected', (sql, code, at, name) => {
  const outcome = { kind: 'failed', code, message: '', at: sql.indexOf(at) } as const;
  expect(suggestName(sql, outcome, SCHEMA)?.name).toBe(name);
});

test('parts of SQL, with nested comments, tags and escapes', () => {
  const sql = `SELECT "a""b", E'it\\'s', $f$ $$ $f$, 1.5e3 /* a /* b */ */ FROM t`;
  const parts = highlightSql(sql).filter(({ kind }) => kind !== 'mark');
  expect(parts.map(({ from, to, kind }) => [sql.slice(from, to), kind])).toEqual([
    ['SELECT', 'keyword'],
    ['"a"', 'name'],
    ['"b"', 'name'],
    [`E'it\\'s'`, 'string'],
    ['$f$ $$ $f$', 'string'],
    ['1.5e3', 'number'],
    ['/* a /* b */ */', 'constant'],
    ['FROM', 'keyword'],
    ['t', 'name'],
  ]);
});
