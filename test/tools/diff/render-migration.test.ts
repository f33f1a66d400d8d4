// The text of the files of a migration, without a database.
import { expect, test } from 'vitest';
import { plainStatement } from '../../../tools/diff/migration.ts';
import { renderFile } from '../../../tools/diff/render-migration.ts';

test('P22c a name cannot end the comment that says what is lost or locked', () => {
  const name = 'api.a\ndrop schema api cascade; --\r\nb';
  const lock = { table: name, mode: 'SHARE', isRewritten: false } as const;
  const text = renderFile({
    isBare: true,
    statements: [{ ...plainStatement('select 1', [lock]), losses: [`table ${name}`] }],
  });
  expect(text.split('\n').slice(2)).toEqual([
    '-- LOSES DATA: table api.a drop schema api cascade; -- b',
    '-- Locks: SHARE on api.a drop schema api cascade; -- b, against writes',
    'select 1;',
    '',
  ]);
});
