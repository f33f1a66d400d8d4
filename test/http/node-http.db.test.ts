// The HTTP server with handlers that misbehave.
import { expect, test } from 'vitest';
import type { HttpHandler } from '../../src/http/exchange/http-handler.ts';
import { type HandlerServer, startHandlerServer } from '../support/handler-server.ts';
import { sendRequest, type Answer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

let server: HandlerServer | undefined;

const REFUSAL = { status: 500, headers: [['X-Refused', 'yes']] as const, body: new Uint8Array() };

async function ask(handler: Partial<HttpHandler>): Promise<{ answer: Answer; crashes: readonly unknown[] }> {
  server = await use(startHandlerServer({ refuse: () => REFUSAL, ...handler }));
  const { port, crashes } = server;
  return { answer: await sendRequest({ host: '127.0.0.1', port, path: '/' }), crashes };
}

test('a handler whose promise rejects fails only its own request', async () => {
  const { answer, crashes } = await ask({ handle: () => Promise.reject(new Error('broken')) });
  expect([answer.status, answer.headers['x-refused']]).toEqual([500, 'yes']);
  expect(crashes).toEqual([new Error('broken')]);
});

test.each([{ 'Content-Length': '80000' }, { 'Transfer-Encoding': 'chunked' }])(
  'a handler whose promise rejects before a long body (%j) fails only its own request',
  async (headers) => {
    server = await use(startHandlerServer({ refuse: () => REFUSAL, check: () => Promise.reject(new Error('broken')) }));
    const { port, crashes } = server;
    const body = 'x'.repeat(80_000);
    const answer = await sendRequest({ host: '127.0.0.1', port, path: '/' }, { method: 'POST', headers, body });
    expect([answer.status, answer.headers['x-refused']]).toEqual([500, 'yes']);
    expect(crashes).toEqual([new Error('broken')]);
  },
);

test('a handler whose error response fails too is replaced by a plain response', async () => {
  const { answer, crashes } = await ask({
    handle: () => Promise.reject(new Error('first')),
    refuse: () => {
      throw new Error('second');
    },
  });
  expect([answer.status, answer.text]).toEqual([500, '']);
  expect(crashes).toEqual([new Error('first'), new Error('second')]);
});

test('an invalid response header is detected before anything is sent', async () => {
  const { answer, crashes } = await ask({
    handle: () => Promise.resolve({ status: 200, headers: [['X-Odd', 'a\nb']] }),
  });
  expect([answer.status, answer.headers['x-refused']]).toEqual([500, 'yes']);
  expect(crashes).toEqual([expect.objectContaining({ code: 'ERR_INVALID_CHAR' })]);
});

test('header texts and reason phrases are sent as UTF-8', async () => {
  const { answer } = await ask({
    handle: () => Promise.resolve({ status: 200, reason: 'Schön', headers: [['X-Quay', 'Süd']] }),
  });
  expect(Buffer.from(answer.headers['x-quay'] as string, 'latin1').toString()).toBe('Süd');
});

test('if even the error response cannot be sent, the connection is closed', async () => {
  const broken = [['X-Broken', 'a\nb']] as const;
  const asked = ask({
    handle: () => Promise.resolve({ status: 200, headers: broken }),
    refuse: () => ({ ...REFUSAL, headers: broken }),
  });
  await expect(asked).rejects.toThrow('socket hang up');
});
