// Fixes that are comments: people paste them into psql, or `doctor --fix` writes them into a migration.
import { expect, test } from 'vitest';
import { POLICY_PER_ROW } from '../../../tools/check/lints/policy-per-row.ts';
import { SECRET_READABLE } from '../../../tools/check/lints/secret-readable.ts';
import { EMPTY_SCHEMAS } from '../../../tools/doctor/checks/access.ts';

const NAME = '"a\n drop table b; --_token"';
const ESCAPED = String.raw`"a\u000a drop table b; --_token"`;
const CONFIG = {
  dbSchemas: ['api'],
  dbAnonRole: undefined,
  dbChannel: 'svc',
  dbChannelEnabled: true,
  liveDbUri: undefined,
  livePublication: undefined,
};

test('P43 a name cannot end the comment that is the fix of a lint', () => {
  const secret = SECRET_READABLE.read({ object: 'api.v', role: 'web', column: NAME, is_view: true });
  expect(secret.map(({ fix }) => fix)).toEqual([`-- Leave the column ${ESCAPED} out of the view.`]);
  const policy = { object: 'api.t', name: NAME, expressions: '(owner = me())', functions: 'me' };
  expect(POLICY_PER_ROW.read(policy).map(({ fix }) => fix)).toEqual([
    `-- In the policy ${ESCAPED} write (select me()) instead of me().`,
  ]);
});

test('P49 a name cannot end the comment that is the fix of doctor', () => {
  const found = EMPTY_SCHEMAS.read([['a\n drop table b; --', '2']], CONFIG);
  expect(found.map(({ mend }) => mend)).toEqual([
    String.raw`-- Set db-schemas = U&"a\000A drop table b; --", or create views and functions in api.`,
  ]);
});
