// Errors of Rowhouse's own connections may end the process; errors raised by functions never do.
import { expect, test } from 'vitest';
import type { ApiError, ConnectionFault } from '../../../src/errors/api-error.ts';
import { findFatalError } from '../../../src/service/supervision/find-fatal-error.ts';

function raised(sqlstate: string, message: string, connectionFault?: ConnectionFault): ApiError {
  return { kind: 'database', report: { sqlstate, message, detail: undefined, hint: undefined }, connectionFault };
}

const REFUSED =
  'connection to server at "db", port 5432 failed: FATAL:  password authentication failed for user "gate"';

test.each<readonly [string, string, ApiError]>([
  ['O176', 'credentialsRefused', { kind: 'cannotConnect', details: REFUSED }],
  ['O176', 'credentialsRefused', { kind: 'cannotConnect', details: 'fe_sendauth: no password supplied' }],
  ['O180', 'statementExists', raised('42P05', 'prepared statement "p1" already exists', 'statementExists')],
  ['O180', 'statementPooling', raised('08P01', 'transaction blocks not allowed', 'statementPooling')],
])('%s %s ends the process, in requests and in internal queries', (_, fatalError, error) => {
  for (const isInternal of [true, false]) expect(findFatalError(error, isInternal)).toBe(fatalError);
});

test.each<ApiError>([raised('42601', 'odd'), { kind: 'undecodableResult', details: 'odd' }])(
  '$kind ends the process in internal queries, but not in requests',
  (error) => {
    expect(findFatalError(error, true)).toBe('internalError');
    expect(findFatalError(error, false)).toBeUndefined();
  },
);

test.each<ApiError>([
  { kind: 'cannotConnect', details: 'FATAL:  database "x" does not exist' },
  { kind: 'cannotConnect', details: 'FATAL:  sorry, too many clients already' },
  { kind: 'connectionLost', details: REFUSED },
  raised('57014', 'canceling statement due to statement timeout'),
])('O177 an error that time may fix does not end the process: $kind $details', (error) => {
  expect(findFatalError(error, true)).toBeUndefined();
});

test.each<ApiError>([
  raised('42P05', 'prepared statement "p1" already exists'),
  raised('08P01', 'transaction blocks not allowed in statement pooling mode'),
  raised('SVC00', '{"code":"SVC000","message":"x","details":"FATAL:  password authentication failed"}'),
  raised('57P01', REFUSED, 'ended'),
])('an error raised by a function does not end the process: $report.sqlstate', (error) => {
  for (const isInternal of [true, false]) expect(findFatalError(error, isInternal)).toBeUndefined();
});
