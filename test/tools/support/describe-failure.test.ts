import { expect, test } from 'vitest';
import { describeFailure } from '../../../tools/support/describe-failure.ts';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';

test('the details follow the message, whose full stop is dropped', () => {
  const error = { kind: 'cannotConnect', details: 'nobody listens' } as const;
  expect(describeFailure(error, SVC_DIALECT)).toBe('Database connection error: nobody listens');
});

test('control characters of names in a message are escaped', () => {
  const error = { kind: 'cannotConnect', details: 'relation "a\u001B[31m\n" exists' } as const;
  expect(describeFailure(error, SVC_DIALECT)).toBe(
    String.raw`Database connection error: relation "a\u001b[31m\u000a" exists`,
  );
});
