// The text of the files of a migration, without a database.
import { expect, test } from 'vitest';
import { renderFile } from '../../../tools/diff/render-migration.ts';

test('P22c a name cannot end the comment that says what is lost or locked', () => {
  const name = 'api.a\ndrop schema api cascade; --\r\nb';
  const text = renderFile({
    isBare: true,
    statements: [{ sql: 'select 1', losses: [`table ${name}`], lock: `SHARE on ${name}, against writes` }],
  });
  expect(text.split('\n').slice(2)).toEqual([
    '-- LOSES DATA: table api.a drop schema api cascade; -- b',
    '-- Locks: SHARE on api.a drop schema api cascade; -- b, against writes',
    'select 1;',
    '',
  ]);
});
