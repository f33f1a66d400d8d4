// Fixes that are comments: people paste them into psql, or `doctor --fix` writes them into a migration.
import { expect, test } from 'vitest';
import { DOCTOR_LINTS } from '../../../tools/check/lints/all.ts';
import { readLint, type Row } from '../../../tools/check/lints/lint.ts';

const NAME = '"a\n drop table b; --_token"';
const ESCAPED = String.raw`"a\u000a drop table b; --_token"`;

function fixesOf(name: string, row: Row): readonly (string | null)[] {
  return DOCTOR_LINTS.filter((lint) => lint.name === name).flatMap((lint) =>
    readLint(lint, [row]).map(({ fix }) => fix),
  );
}

test('P43 P49 a name cannot end the comment that is the fix of a lint', () => {
  const secret = { object: 'api.v', role: 'web', column: NAME, variant: 'view' };
  expect(fixesOf('secret-readable', secret)).toEqual([`-- Leave the column ${ESCAPED} out of the view.`]);
  const policy = { object: 'api.t', policy: NAME, expressions: '(owner = me())', functions: 'me' };
  expect(fixesOf('policy-per-row', policy)).toEqual([
    `-- In the policy ${ESCAPED} write (select me()) instead of me().`,
  ]);
  expect(fixesOf('nothing-to-serve', { schemas: 'api', other: NAME, missing: 'a' })).toEqual([
    'CREATE SCHEMA a;',
    `-- Set db-schemas to ${ESCAPED}, or create views and functions in api.`,
  ]);
  expect(fixesOf('view-bypasses-policies', { object: 'api.v', reader: NAME, variant: 'materialized' })).toEqual([
    `-- Keep only rows in ${ESCAPED} that everybody may see who may read the view.`,
  ]);
});

test('P43 P49 every column that a template names is one of the query, or added by a decision', () => {
  for (const { name, query, message, fix = '', decide } of DOCTOR_LINTS) {
    const templates = [message, ...(typeof fix === 'string' ? [fix] : Object.values(fix))].join(' ');
    const columns = [...templates.matchAll(/\{(\w+)\}/gu)].map(([, column]) => column ?? '');
    const source = `${query} ${String(decide)}`;
    const missing = columns.filter((column) => !new RegExp(`\\b${column}\\b`, 'u').test(source));
    expect([name, missing]).toEqual([name, []]);
  }
});
