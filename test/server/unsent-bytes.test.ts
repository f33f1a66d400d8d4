// The count of bytes that clients have not taken.
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { describeError, type ErrorContext } from '../../src/errors/render-error.ts';
import { beyondLimit } from '../../src/server/limits.ts';
import { LIMITS, startHandlerServer } from './support/handler-server.ts';
import { sendRequest } from './support/local-server.ts';
import { UnsentBytes } from '../../src/server/unsent-bytes.ts';

test('is exceeded by more bytes than it allows, of all connections together, and no longer', () => {
  const unsent = new UnsentBytes(100);
  unsent.add(60);
  unsent.add(40);
  expect(unsent.isExceeded).toBe(false);
  unsent.add(1);
  expect(unsent.isExceeded).toBe(true);
  unsent.remove(60);
  expect(unsent.isExceeded).toBe(false);
});

test('allows 256 MB', () => {
  const unsent = new UnsentBytes();
  unsent.add(256 * 1024 * 1024);
  expect(unsent.isExceeded).toBe(false);
  unsent.add(1);
  expect(unsent.isExceeded).toBe(true);
});

test('while it is exceeded, requests are refused before any work', async () => {
  let handled = 0;
  const server = await startHandlerServer({
    handle: () => {
      handled += 1;
      return Promise.resolve({ status: 204, headers: [] });
    },
  });
  const ask = async (): Promise<readonly unknown[]> => {
    const { status, text } = await sendRequest({ host: '127.0.0.1', port: server.port });
    return [status, text === '' ? '' : JSON.parse(text)];
  };
  server.unsent.add(1_000_001);
  expect(await ask()).toEqual([503, beyondLimit('unsent-bytes', LIMITS)]);
  expect([handled, server.beyond]).toEqual([0, ['unsent-bytes']]);
  server.unsent.remove(1);
  expect([await ask(), handled]).toEqual([[204, ''], 1]);
  await server.close();
});

const CONTEXT: ErrorContext = {
  dialect: SVC_DIALECT,
  product: PRODUCT,
  verbosity: 'verbose',
  isAnonymous: false,
  retryAfter: 0,
};

test('the error names no option that sets the limit', () => {
  expect(describeError(beyondLimit('unsent-bytes', LIMITS), CONTEXT)).toMatchObject({
    status: 503,
    message: 'The server is overloaded',
    details: 'The responses that clients have not taken yet use up the memory for responses',
    hint: 'Ask again later',
  });
});
