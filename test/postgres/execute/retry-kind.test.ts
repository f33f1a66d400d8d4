// Decides which failed scripts are retried: outdated prepared statements are, a write that may have begun never is.
import { expect, test } from 'vitest';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { type FailedStep, findRetryKind, type RetryKind } from '../../../src/postgres/execute/retry-kind.ts';
import type { ScriptStep, StepRole } from '../../../src/postgres/execute/script-steps.ts';

const LOST = { sqlstate: 'XX000', message: 'cache lookup failed for function 7', detail: undefined, hint: undefined };
const CHANGED = {
  sqlstate: '0A000',
  message: 'cached plan must not change result type',
  detail: undefined,
  hint: undefined,
};
const FORMER_TYPE = { sqlstate: '42804', message: 'attribute 3 has wrong type', detail: undefined, hint: undefined };
const FEWER = { ...LOST, message: 'too few column names for subquery (row)' };
const OTHER_ROLE = { sqlstate: '22P02', message: 'invalid input syntax', detail: undefined, hint: undefined };

/** @param text undefined if the server already had the statement */
function step(role: StepRole, text?: string): ScriptStep {
  const form = { resultFormat: 'text', isDescribed: false, parameters: [], preparing: undefined } as const;
  return { role, segment: 0, name: 's1', text, ...form };
}

const REUSED_MAIN: FailedStep = { step: step('main'), isBound: false, hasMainBegun: false, isFromFunction: false };
const RUNNING_MAIN: FailedStep = {
  step: step('main', 'SELECT 1'),
  isBound: true,
  hasMainBegun: true,
  isFromFunction: false,
};
const REUSED_RUNNING: FailedStep = { step: step('main'), isBound: true, hasMainBegun: true, isFromFunction: false };
const FAILED_FUNCTION: FailedStep = { ...REUSED_RUNNING, isFromFunction: true };
const AT_THE_END: FailedStep = { step: undefined, isBound: false, hasMainBegun: true, isFromFunction: false };
const UNSEEN: FailedStep = { ...AT_THE_END, hasMainBegun: false };
const RUNNING_PRE_REQUEST: FailedStep = {
  step: step('preRequest', 'SELECT f()'),
  isBound: true,
  hasMainBegun: false,
  isFromFunction: false,
};
const COMMITTING: FailedStep = {
  step: step('commit', 'COMMIT'),
  isBound: true,
  hasMainBegun: true,
  isFromFunction: false,
};
const SECOND_MAIN: FailedStep = { step: step('main'), isBound: false, hasMainBegun: true, isFromFunction: false };
const ROLE_CHECK: FailedStep = {
  step: step('roleCheck', 'SELECT'),
  isBound: true,
  hasMainBegun: false,
  isFromFunction: false,
};

test.each<[string, TransactionScript['access'], typeof LOST, FailedStep, RetryKind | undefined]>([
  ['an outdated statement of a write is a reason to retry', 'read write', CHANGED, REUSED_MAIN, 'staleStatement'],
  ['an object dropped before a write began is a reason to retry', 'read write', LOST, REUSED_MAIN, 'staleStatement'],
  ['an error with that text that a write raises is not', 'read write', LOST, RUNNING_MAIN, undefined],
  ['nor is one raised by its deferred trigger at the Sync', 'read write', LOST, AT_THE_END, undefined],
  ['nor is one at the end of a write, whatever was seen to begin', 'read write', LOST, UNSEEN, undefined],
  ['nor is one raised by its deferred trigger at COMMIT', 'read write', LOST, COMMITTING, undefined],
  ['nor is one raised by the pre-request function of a write', 'read write', LOST, RUNNING_PRE_REQUEST, undefined],
  ['an outdated statement after another write is not a reason to retry', 'read write', CHANGED, SECOND_MAIN, undefined],
  ['an object dropped while a read ran is a reason to retry', 'read only', LOST, RUNNING_MAIN, 'staleStatement'],
  ['an error of an outdated statement that a read raises is not', 'read only', CHANGED, RUNNING_MAIN, undefined],
  ['a column added while a read was planned is a reason to retry', 'read only', FEWER, REUSED_MAIN, 'staleStatement'],
  ['a former type that a read finds is a reason to retry', 'read only', FORMER_TYPE, REUSED_RUNNING, 'staleStatement'],
  ['a former type that a new statement finds is not', 'read only', FORMER_TYPE, RUNNING_MAIN, undefined],
  ['nor is one that a write finds', 'read write', FORMER_TYPE, REUSED_RUNNING, undefined],
  ['nor is one in a function of a read', 'read only', FORMER_TYPE, FAILED_FUNCTION, undefined],
  [
    'another role after the pre-request function is a reason to retry',
    'read write',
    OTHER_ROLE,
    ROLE_CHECK,
    'otherRole',
  ],
])('%s', (_, access, report, failed, retryKind) => {
  expect(findRetryKind(report, failed, access)).toBe(retryKind);
});
