// Malformed request heads are rejected, whatever the request asks for.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { sendRaw } from '../../support/raw-client.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

const server = await use(startLocalServer(harbor, { 'server-headers-timeout': 1, 'url-max-length': 5000 }));

function headers(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: a\r\n`).join('');
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

const REFUSAL = { code: 'SVC129', message: 'The request exceeds a limit of this server' };

/** Sends a request with `count` + 2 header fields. */
function ask(count: number, rest = '', body = ''): Promise<string> {
  const method = body === '' ? 'GET' : 'POST';
  return sendRaw(
    server.port,
    `${method} /berth?select=id&id=eq.1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers(count)}${rest}\r\n${body}`,
  );
}

test('200 header fields are accepted', async () => {
  expect(await ask(198)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\[\{"id":1\}\]$/u);
});

test.each([
  ['one more', 199, '', ''],
  ['2,000, and a token', 2000, 'Authorization: Bearer garbage\r\n', ''],
  ['2,000, and a body', 2000, 'Content-Length: 2\r\n', '{}'],
  ['6,000', 6000, '', ''],
])('more header fields get 431: %s', async (_, count, rest, body) => {
  const answer = await ask(count, rest, body);
  expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/u);
  expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/u);
  expect(answer).toMatch(/\r\nProxy-Status: rowhouse; error=SVC129\r\n/u);
  expect(answer).toMatch(/\r\nConnection: close\r\n/u);
  expect(bodyOf(answer)).toMatchObject(REFUSAL);
});

test('the responses state the limit and name the option', async () => {
  expect(bodyOf(await ask(199))).toEqual({
    ...REFUSAL,
    details: 'Requests have up to 200 header fields',
    hint: 'The operator sets this limit with server-max-headers',
  });
  const long = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(80_000)}`);
  expect(long).toMatch(/^HTTP\/1\.1 431 .*\r\n(?:.*\r\n)*Server: rowhouse\//u);
  expect(bodyOf(long)).toEqual({
    ...REFUSAL,
    details: 'URL and headers have up to 70536 bytes',
    hint: 'The operator sets this limit with url-max-length',
  });
  const half = await sendRaw(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n');
  expect(half).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/u);
  expect(bodyOf(half)).toEqual({
    ...REFUSAL,
    details: 'Request heads arrive within 1 seconds',
    hint: 'The operator sets this limit with server-headers-timeout',
  });
  const { text } = await server.admin('/metrics');
  for (const name of ['server-max-headers', 'url-max-length', 'server-headers-timeout'])
    expect(text).toMatch(new RegExp(`^svc_http_refused_total\\{reason="${name}"\\} [1-9]\\d*\\.0$`, 'mu'));
});

test.each(['GET', 'BREW'])('two Host headers get 400: %s', async (method) => {
  const answer = await sendRaw(server.port, `${method} /berth HTTP/1.1\r\nHost: a\r\nX-A: b\r\nhOST: a\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nServer: rowhouse\/\d[^\r]*\r\nContent-Length: 0\r\n/u);
  expect(answer).toMatch(/\r\nConnection: close\r\n/u);
});

test('two Host headers get 400 in HTTP/1.0, which requires none', async () => {
  expect(await sendRaw(server.port, 'GET /berth HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /u);
});
