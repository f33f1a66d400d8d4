// Unusual and malformed requests over a raw socket.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { post, startLocalServer } from '../../support/local-server.ts';
import { openSocket, sendRaw } from '../../support/raw-client.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

const server = await use(
  startLocalServer(harbor, {
    'server-max-body-size': 1000,
    'url-max-length': 5000,
    'log-level': 'info',
  }),
);

async function isServing(): Promise<boolean> {
  return (await server.get('/berth?limit=0')).status === 200;
}

test('O217 a method that Node.js does not know is answered like any unsupported method', async () => {
  const answer = await sendRaw(server.port, 'BREW /berth?x=(&y HTTP/1.1\r\nHost: x\r\nX-Trace: a\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/u);
  expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/u);
  expect(answer).toMatch(/\r\nConnection: close\r\n/u);
  expect(answer).toMatch(/\{"code":"SVC117","details":null,"hint":null,"message":"Unsupported HTTP method: BREW"\}$/u);
  expect(server.out.at(-1)).toMatch(/"BREW \/berth\?x=\(&y HTTP\/1\.1" 405 /u);
});

test('O217 authentication is checked before the method, whichever methods Node.js knows', async () => {
  const answer = await sendRaw(server.port, 'BREW /berth HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a.b\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/u);
});

test('O219 a failed OPTIONS request allows its origin like any other response', async () => {
  const unknown = { method: 'OPTIONS', headers: { Origin: 'http://a.example' } };
  const { status, headers } = await server.get('/nothing', unknown);
  expect(status).toBe(404);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  expect(headers).not.toHaveProperty('access-control-expose-headers');
  expect((await server.get('/berth', unknown)).headers['access-control-allow-origin']).toBe('*');
  const other = await server.get('/nothing', { method: 'OPTIONS' });
  expect(other.headers).not.toHaveProperty('access-control-allow-origin');
});

test('O210 a trace header with an invalid header name is omitted', async () => {
  const odd = await startLocalServer(harbor, { 'server-trace-header': 'X Request' });
  expect((await odd.get('/berth?limit=0')).status).toBe(200);
  expect((await odd.get('/nothing')).status).toBe(404);
  await odd.stop();
});

test('O219 a failed OPTIONS request allows a listed origin', async () => {
  const listed = await startLocalServer(harbor, {
    'server-cors-allowed-origins': 'http://a.example, http://b.example',
  });
  const optionsFrom = async (origin: string, path: string): Promise<unknown> => {
    const { headers } = await listed.get(path, { method: 'OPTIONS', headers: { Origin: origin } });
    return [headers['access-control-allow-origin'], headers['access-control-allow-credentials']];
  };
  expect(await optionsFrom('http://b.example', '/nothing')).toEqual(['http://b.example', 'true']);
  expect(await optionsFrom('http://c.example', '/nothing')).toEqual([undefined, undefined]);
  expect(await optionsFrom('http://b.example', '/berth')).toEqual(['*', undefined]);
  await listed.stop();
});

test('CONNECT is refused like any other method', async () => {
  expect(await sendRaw(server.port, 'CONNECT berth:80 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 4\d\d .*"code":"SVC1/su,
  );
});

test.each([
  ['bytes', Buffer.from([0xff, 0xfe, 0, 13, 10, 13, 10])],
  ['a TLS greeting', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ['a method alone', 'BREW\r\n\r\n'],
  ['a malformed header', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
  ['two lengths', 'POST /berth HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
])('O217 input that is not HTTP gets 400 and closes only its own connection: %s', async (_, data) => {
  expect(await sendRaw(server.port, data)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nServer: rowhouse\/\d/u);
  expect(await isServing()).toBe(true);
});

test.each([
  ['refused at once', 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n', [404]],
  ['read from the database', 'GET /berth?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n', [200]],
  [
    'with a body, and more than run at once',
    'POST /rpc/setting HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"name":"role"}'.repeat(
      40,
    ),
    Array.from({ length: 40 }, () => 200),
  ],
])('O217 requests before input that is not HTTP are answered, then it gets 400: %s', async (_, requests, statuses) => {
  const answer = await sendRaw(server.port, `${requests}POST ;/ HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /gu)].map(([, status]) => Number(status))).toEqual([...statuses, 400]);
  expect(await isServing()).toBe(true);
});

test('O217 a request whose body cannot be parsed is not answered', async () => {
  const head = 'POST /rpc/setting HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  expect(await sendRaw(server.port, `${head}z\r\n`)).toBe('');
  expect(await isServing()).toBe(true);
});

test.each([
  'GET /%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /berth?name=eq.%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /berth HTTP/1.1\r\nHost: x\r\nX-A: \xff\xfe\r\nConnection: close\r\n\r\n',
])('O217 invalid UTF-8 is answered: %j', async (data) => {
  expect(await sendRaw(server.port, Buffer.from(data, 'latin1'))).toMatch(/^HTTP\/1\.1 [24]\d\d /u);
  expect(await isServing()).toBe(true);
});

test('O217 HTTP/1.0, keep-alive and chunked bodies', async () => {
  expect(await sendRaw(server.port, 'GET /berth?limit=0 HTTP/1.0\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\[\]$/su,
  );
  const kept = await sendRaw(
    server.port,
    'GET /berth?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /rpc/setting HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    '7\r\n{"name"\r\n8\r\n:"role"}\r\n0\r\n\r\n',
    'GET /rpc/who HTTP/1.0\r\n\r\n',
  );
  expect(kept.match(/HTTP\/1\.1 200 OK/gu)).toHaveLength(3);
  expect(kept).toContain(`"${harbor.anon}"`);
});

test('O208 a request without Host gets 400 with the Server header, also with a body', async () => {
  for (const rest of ['\r\n', 'Content-Length: 2\r\n\r\n{}']) {
    const answer = await sendRaw(server.port, `POST /rpc/setting HTTP/1.1\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nServer: rowhouse\/\d[^\r]*\r\nContent-Length: 0\r\n/u);
    expect(answer).toMatch(/\r\nConnection: close\r\n/u);
  }
  expect(await isServing()).toBe(true);
});

test('O208 an unknown expectation is ignored', async () => {
  const expecting = 'GET /berth?limit=0 HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(server.port, expecting)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nServer: rowhouse\//su);
});

test('the absolute form of a request target is accepted', async () => {
  const answer = await sendRaw(
    server.port,
    'GET http://example.org/berth?limit=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
});

test('a URL beyond the limit gets 414', async () => {
  const { status, text } = await server.get(`/berth?id=eq.${'1'.repeat(5000)}`);
  expect([status, JSON.parse(text)]).toEqual([
    414,
    {
      code: 'SVC129',
      details: 'URLs have up to 5000 characters',
      hint: 'The operator sets this limit with url-max-length',
      message: 'The request exceeds a limit of this server',
    },
  ]);
});

test('a URL and headers far beyond any limit get 431', async () => {
  const answer = await sendRaw(server.port, `GET /berth HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(80_000)}`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/u);
});

test.each([
  ['declared', { 'Content-Length': '5000' }],
  ['chunked', { 'Transfer-Encoding': 'chunked' }],
])('a body beyond the limit gets 413, and the connection stays open: %s', async (_, headers) => {
  const answer = await server.get('/rpc/length_of', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(5000),
  });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    413,
    {
      code: 'SVC129',
      details: 'Request bodies have up to 1000 bytes',
      hint: 'The operator sets this limit with server-max-body-size',
      message: 'The request exceeds a limit of this server',
    },
  ]);
});

test('a client that waits for 100 Continue receives it, or an error at once', async () => {
  const head = (length: number): string =>
    `POST /rpc/setting HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  expect(await sendRaw(server.port, head(15), '{"name":"role"}')).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/u,
  );
  const socket = openSocket(server.port);
  socket.write(head(100_000));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /u);
});

test('a read whose client disconnects is cancelled in the database', async () => {
  const abort = new AbortController();
  const answer = server.get('/rpc/nap_reading?seconds=20', { signal: abort.signal }).catch(() => 'gone');
  const isNapping = async (): Promise<boolean> =>
    (
      await harbor.query(
        `select 1 from pg_stat_activity where state = 'active' and query ~ 'nap_reading' and usename = '${harbor.login}'`,
      )
    ).length > 0;
  await until(isNapping);
  abort.abort();
  expect(await answer).toBe('gone');
  await until(async () => !(await isNapping()));
  await until(() => server.out.some((line) => line.includes('nap_reading')));
  expect(server.out.at(-1)).toMatch(/"GET \/rpc\/nap_reading\?seconds=20 HTTP\/1\.1" 499 - /u);
  expect(server.err.join('\n')).not.toContain('57014');
  expect(await isServing()).toBe(true);
});

test('a write whose client disconnects is completed', async () => {
  const abort = new AbortController();
  const hold = await harbor.hold();
  const answer = server.get('/rpc/wait', { ...post({}), signal: abort.signal }).catch(() => 'gone');
  await hold.waiting(1);
  abort.abort();
  await answer;
  await hold.release();
  await until(() => server.out.some((line) => line.includes('POST /rpc/wait ')));
  expect(server.err.join('\n')).not.toContain('57014');
});

test('a preview whose client disconnects is cancelled in the database', async () => {
  const previewing = await startLocalServer(harbor, { 'db-tx-end': 'commit-allow-override' });
  try {
    const abort = new AbortController();
    const { headers, ...parts } = post({ seconds: 600 });
    const preview = { ...parts, headers: { ...headers, Prefer: 'tx=rollback' } };
    const answer = previewing.get('/rpc/nap', { ...preview, signal: abort.signal }).catch(() => 'gone');
    const napping = `select 1 from pg_stat_activity where state = 'active' and query ~ '"nap"' and usename = '${harbor.login}'`;
    await until(async () => (await harbor.query(napping)).length === 1);
    abort.abort();
    expect(await answer).toBe('gone');
    await until(async () => (await harbor.query(napping)).length === 0);
  } finally {
    await previewing.stop();
  }
});

test('a client that disconnects in the middle of its body leaves no trace', async () => {
  const socket = openSocket(server.port);
  socket.write(
    'POST /rpc/setting HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
  );
  await setTimeout(50);
  socket.destroy();
  await setTimeout(50);
  expect(await isServing()).toBe(true);
});
