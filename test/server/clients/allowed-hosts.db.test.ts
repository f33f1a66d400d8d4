// `server-allowed-hosts` protects against web pages that make a browser send requests to its own machine.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, post, type RequestParts, startLocalServer } from '../../support/local-server.ts';
import { sendRaw } from '../../support/raw-client.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`create table api.note (text text); grant insert on api.note to ${harbor.anon}`);
const file = 'server-allowed-hosts = "LocalHost, 127.0.0.1, [::1]"\n';
const server = await use(startLocalServer(harbor, { 'log-level': 'info' }, { file }));

function ask(headers: Readonly<Record<string, string>>, parts: RequestParts = {}): Promise<Answer> {
  return server.get('/berth?limit=0', { ...parts, headers: { ...parts.headers, ...headers } });
}

function refusal(details: string): string {
  const hint = 'The operator sets the allowed hosts with server-allowed-hosts';
  return JSON.stringify({
    code: 'SVC136',
    details,
    hint,
    message: 'Requests from this host or origin are not allowed',
  });
}

test.each([
  { Host: 'localhost' },
  { Host: 'LOCALHOST:3000' },
  { Host: '127.0.0.1:1' },
  { Host: '[::1]:3000' },
  { Host: 'localhost:3000', Origin: 'http://localhost:5173' },
  { Host: 'localhost:3000', Origin: 'https://127.0.0.1', 'Sec-Fetch-Site': 'cross-site' },
  { Host: 'localhost', Origin: 'http://[::1]:8080' },
  { Host: 'localhost', 'Sec-Fetch-Site': 'none' },
])('O241 %j is accepted', async (headers) => {
  expect((await ask(headers)).status).toBe(200);
});

test.each([
  ['Host: rebound.example:3000', { Host: 'rebound.example:3000' }],
  ['Host: localhost.evil.example', { Host: 'localhost.evil.example' }],
  ['Host: ::1', { Host: '::1' }],
  ['Origin: https://evil.example', { Host: 'localhost', Origin: 'https://evil.example' }],
  ['Origin: http://localhost.evil.example:3000', { Host: 'localhost', Origin: 'http://localhost.evil.example:3000' }],
  ['Origin: null', { Host: 'localhost', Origin: 'null' }],
  ['Origin: file://localhost', { Host: 'localhost', Origin: 'file://localhost' }],
  ['Sec-Fetch-Site: cross-site', { Host: 'localhost', 'Sec-Fetch-Site': 'cross-site' }],
])('O241 %s is refused', async (details, headers) => {
  const { status, text, headers: answered } = await ask(headers);
  expect([status, text]).toEqual([403, refusal(details)]);
  expect(answered['content-type']).toBe('application/json; charset=utf-8');
  expect(answered['proxy-status']).toBe('rowhouse; error=SVC136');
  expect(server.out.at(-1)).toMatch(/"GET \/berth\?limit=0 HTTP\/1\.1" 403 /u);
});

test('O241 a request without a host is refused', async () => {
  expect(await sendRaw(server.port, 'GET /berth HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.[01] 403 Forbidden\r\n/u);
});

test('O241 a preflight is refused', async () => {
  const headers = { Host: 'localhost', Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PATCH' };
  const answer = await ask(headers, { method: 'OPTIONS' });
  expect([answer.status, answer.text]).toEqual([403, refusal('Origin: https://evil.example')]);
  const own = await ask({ ...headers, Origin: 'http://localhost:5173' }, { method: 'OPTIONS' });
  expect([own.status, own.headers['access-control-allow-methods']]).toEqual([
    200,
    'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY',
  ]);
});

test('O241 a refused write changes nothing, whatever the length of its body', async () => {
  for (const length of [2, 3_000_000]) {
    const own = post({ text: 'x'.repeat(length) });
    const answer = await server.get('/note', { ...own, headers: { ...own.headers, Origin: 'null' } });
    expect([answer.status, answer.text]).toEqual([403, refusal('Origin: null')]);
  }
  expect((await server.get('/note', post({ text: 'own' }))).status).toBe(201);
  expect(await harbor.query('select text from api.note')).toEqual([['own']]);
});

test('O241 a reload changes the list, and an empty list accepts every host', async () => {
  await server.reconfigure('server-allowed-hosts = "rebound.example"\n');
  expect((await ask({ Host: 'rebound.example' })).status).toBe(200);
  expect((await ask({ Host: 'localhost' })).status).toBe(403);
  await server.reconfigure('');
  expect((await ask({ Host: 'localhost', Origin: 'https://evil.example' })).status).toBe(200);
});
