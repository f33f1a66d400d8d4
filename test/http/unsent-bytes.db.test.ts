// The count of bytes that clients have not read.
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { describeError, type ErrorContext } from '../../src/errors/render-error.ts';
import { beyondLimit } from '../../src/http/limits/limits.ts';
import { LIMITS, startHandlerServer } from '../support/handler-server.ts';
import { sendRequest } from '../support/local-server.ts';
import { UnsentBytes } from '../../src/http/limits/unsent-bytes.ts';

test('has room up to the total limit, and for one response of any size', () => {
  const unsent = new UnsentBytes(100);
  expect(unsent.hasRoomFor(1000)).toBe(true);
  unsent.add(60);
  expect([unsent.hasRoomFor(40), unsent.hasRoomFor(41)]).toEqual([true, false]);
  unsent.remove(60);
  expect(unsent.hasRoomFor(1000)).toBe(true);
});

test('allows 256 MB', () => {
  const unsent = new UnsentBytes();
  unsent.add(1);
  const rest = 256 * 1024 * 1024 - 1;
  expect([unsent.hasRoomFor(rest), unsent.hasRoomFor(rest + 1)]).toEqual([true, false]);
});

test('above the limit, long responses of reads are rejected before their first byte, and nothing else is', async () => {
  const body = Buffer.alloc(70_000, 'x');
  const server = await startHandlerServer({
    handle: ({ path }) =>
      Promise.resolve({ status: 200, headers: [], body: path === '/short' ? body.subarray(0, 10) : body }),
  });
  const ask = async (path: string, method = 'GET'): Promise<readonly unknown[]> => {
    const { status, text } = await sendRequest({ host: '127.0.0.1', port: server.port, path }, { method });
    return [status, status === 503 ? JSON.parse(text) : text.length];
  };
  server.unsent.add(950_000);
  expect(await ask('/long')).toEqual([503, beyondLimit('unsent-bytes', LIMITS)]);
  expect(server.exceeded).toEqual(['unsent-bytes']);
  expect([await ask('/short'), await ask('/long', 'POST')]).toEqual([
    [200, 10],
    [200, 70_000],
  ]);
  server.unsent.remove(100_000);
  expect(await ask('/long')).toEqual([200, 70_000]);
  await server.close();
});

test('above twice the limit, writes are rejected before they run, since their responses cannot be rejected afterwards', async () => {
  const methods: string[] = [];
  const server = await startHandlerServer({
    handle: ({ method }) => {
      methods.push(method);
      return Promise.resolve({ status: 200, headers: [], body: Buffer.from('x') });
    },
  });
  const ask = async (method: string): Promise<number> =>
    (await sendRequest({ host: '127.0.0.1', port: server.port, path: '/' }, { method })).status;
  server.unsent.add(2_000_001);
  expect([await ask('POST'), await ask('GET'), methods]).toEqual([503, 200, ['GET']]);
  server.unsent.remove(1);
  expect([await ask('POST'), methods]).toEqual([200, ['GET', 'POST']]);
  await server.close();
});

const CONTEXT: ErrorContext = {
  dialect: SVC_DIALECT,
  product: PRODUCT,
  verbosity: 'verbose',
  isAnonymous: false,
  retryAfter: 0,
};

test('the error names no option', () => {
  expect(describeError(beyondLimit('unsent-bytes', LIMITS), CONTEXT)).toMatchObject({
    status: 503,
    message: 'The server is overloaded',
    details: 'Responses that clients have not read yet fill the memory for responses',
    hint: 'Try again later',
  });
});
