import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { RenderedError } from '../../src/errors/render-error.ts';
import { findFatality } from '../../src/runtime/find-fatality.ts';

function failure(code: string, message: string, details?: string): RenderedError {
  return { status: 503, reason: undefined, code, message, details, hint: undefined, headers: [] };
}

const REFUSED =
  'connection to server at "db", port 5432 failed: FATAL:  password authentication failed for user "gate"';

test.each([
  ['O176', 'credentialsRefused', failure('SVC000', 'Database connection error.', REFUSED)],
  ['O176', 'credentialsRefused', failure('SVC000', 'Database connection error.', 'fe_sendauth: no password supplied')],
  ['O180', 'statementExists', failure('42P05', 'prepared statement "p1" already exists')],
  ['O180', 'statementPooling', failure('08P01', 'transaction blocks not allowed in statement pooling mode')],
])('%s %s ends the process, whoever met it', (_, kind, met) => {
  for (const isInternal of [true, false])
    expect(findFatality(met, { dialect: SVC_DIALECT, isInternal })).toEqual({ kind, failure: met });
});

test.each(['42601', 'SVCX00'])('%s ends the process in its own queries, not in those of requests', (code) => {
  const met = failure(code, 'odd');
  expect(findFatality(met, { dialect: SVC_DIALECT, isInternal: true })).toEqual({ kind: 'ownFault', failure: met });
  expect(findFatality(met, { dialect: SVC_DIALECT, isInternal: false })).toBeUndefined();
});

test.each([
  failure('SVC000', 'Database connection error.', 'FATAL:  database "x" does not exist'),
  failure('SVC000', 'Database connection error.', 'FATAL:  sorry, too many clients already'),
  failure('08P01', 'another protocol violation'),
  failure('57014', 'canceling statement due to statement timeout'),
])('O177 what time may mend does not end the process: $message $details', (met) => {
  expect(findFatality(met, { dialect: SVC_DIALECT, isInternal: true })).toBeUndefined();
});
