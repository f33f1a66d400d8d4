// Fixes that are comments: people paste them into psql, or `doctor --fix` writes them into a migration.
import { expect, test } from 'vitest';
import type { Lint } from '../../../tools/check/lints/lint.ts';
import { POLICY_PER_ROW } from '../../../tools/check/lints/policy-per-row.ts';
import { SECRET_READABLE } from '../../../tools/check/lints/secret-readable.ts';
import { NOTHING_TO_SERVE } from '../../../tools/check/lints/nothing-to-serve.ts';
import { VIEW_BYPASSES_POLICIES } from '../../../tools/check/lints/view-bypasses-policies.ts';
import { readSharedLint } from '../../../tools/doctor/checks/lints.ts';

const NAME = '"a\n drop table b; --_token"';
const ESCAPED = String.raw`"a\u000a drop table b; --_token"`;
test('P43 a name cannot end the comment that is the fix of a lint', () => {
  const secret = SECRET_READABLE.read({ object: 'api.v', role: 'web', column: NAME, is_view: true });
  expect(secret.map(({ fix }) => fix)).toEqual([`-- Leave the column ${ESCAPED} out of the view.`]);
  const policy = { object: 'api.t', name: NAME, expressions: '(owner = me())', functions: 'me' };
  expect(POLICY_PER_ROW.read(policy).map(({ fix }) => fix)).toEqual([
    `-- In the policy ${ESCAPED} write (select me()) instead of me().`,
  ]);
});

test('P49 a name cannot end the comment that is the fix of doctor', () => {
  const fixesOf = (lint: Lint, row: object): readonly string[] =>
    readSharedLint(lint, [[JSON.stringify(row)]]).map(({ mend }) => mend);
  expect(fixesOf(NOTHING_TO_SERVE, { schemas: 'api', other: NAME })).toEqual([
    `-- Set db-schemas to ${ESCAPED}, or create views and functions in api.`,
  ]);
  expect(fixesOf(VIEW_BYPASSES_POLICIES, { object: 'api.v', reader: NAME, is_materialized: true })).toEqual([
    `-- Keep only rows in ${ESCAPED} that everybody may see who may read the view.`,
  ]);
});
