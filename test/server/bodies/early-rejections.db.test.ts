// Long bodies of requests that must fail: the server answers before it has received much of the body, and stores
// nothing.
import { expect, test } from 'vitest';
import { type FetchHandler } from '../../../src/index.ts';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, startLocalServer } from '../../support/local-server.ts';
import { startMountedService } from '../../support/mounted-service.ts';
import { use } from '../../support/use.ts';
import { openSocket } from '../../support/raw-client.ts';

const harbor = await useHarbor();

/** The anonymous role may call only one overload of \`mixed\`, and its functions in \`closed\` not at all. */
const FUNCTIONS = `
  create function api.secret(doc json) returns json language sql volatile as 'select doc';
  create function api.secret_reading(a int) returns int language sql stable as 'select a';
  create function api.secret_json(json) returns json language sql as 'select $1';
  create function api.secret_bytes(bytea) returns int language sql as 'select length($1)';
  create function api.secret_text(text) returns int language sql as 'select length($1)';
  create function api.secret_xml(xml) returns text language sql as 'select $1::text';
  create function api.mixed(a int) returns int language sql as 'select a';
  create function api.mixed(b text) returns text language sql as 'select b';
  create function api.granted(doc json) returns int language sql as 'select 1';
  create schema closed;
  create function closed.f(doc json) returns int language sql as 'select 1';
  create table closed.t (id int);
  revoke execute on function api.secret, api.secret_reading, api.secret_json, api.secret_bytes, api.secret_text,
    api.secret_xml, api.mixed(int), api.granted from public;
  grant execute on function api.granted to ${harbor.user};
`;

await harbor.sql(`
    create view api.berth_view as select * from api.berth;
    ${FUNCTIONS};
  `);
const server = await use(startLocalServer(harbor, { 'db-schemas': 'api,closed' }));
const service = await use(startMountedService(harbor, { dbSchemas: ['api', 'closed'] }));
const fetchApi: FetchHandler = service.createFetchHandler();

const LENGTH = 100_000_000;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CHUNK = `10000\r\n${'x'.repeat(65_536)}\r\n`;

interface Refused {
  readonly status: number;
  readonly code: unknown;
  readonly isClosing: boolean;
}

/** Sends the head and part of the body; resolves with the whole response once the server closes the connection. */
function upload(head: string, body: string): Promise<Refused> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(server.port);
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [top = '', rest = ''] = text.split('\r\n\r\n');
      if (rest.length < Number(/Content-Length: (\d+)/u.exec(top)?.[1] ?? Infinity)) return;
      socket.destroy();
      const { code } = JSON.parse(rest) as { code: unknown };
      resolve({ status: Number(top.slice(9, 12)), code, isClosing: top.includes('\r\nConnection: close') });
    });
    socket.write(`${head}\r\n\r\n${body}`);
  });
}

const REFUSED = [
  ['a bad token', 'POST /berth', 'Authorization: Bearer a.b\r\n', 401, 'SVC301'],
  ['a bad token and an unknown relation', 'POST /gone', 'Authorization: Bearer a.b\r\n', 401, 'SVC301'],
  ['an unknown path', 'POST /gone/berth', '', 404, 'SVC125'],
  ['an unknown relation', 'POST /gone', '', 404, 'SVC205'],
  ['an unknown relation to update', 'PATCH /gone?id=eq.1', '', 404, 'SVC205'],
  ['an unknown function', 'POST /rpc/gone', '', 404, 'SVC202'],
  ['an unsupported method for a function', 'PATCH /rpc/who', '', 405, 'SVC101'],
  ['an unsupported method for the root', 'PUT /', '', 405, 'SVC117'],
  ['a query that cannot be parsed', 'POST /berth?select=(', '', 400, 'SVC100'],
  ['a relation that the role may not fill', 'POST /visit', '', 401, '42501'],
  ['related rows for such a relation', 'POST /visit', 'Prefer: nested=write\r\n', 401, '42501'],
  ['a relation that the role may not change', 'PATCH /berth?id=eq.1', '', 401, '42501'],
  ['a function that the role may not call', 'POST /rpc/secret', '', 401, '42501'],
  ['a stable function that the role may not call', 'POST /rpc/secret_reading', '', 401, '42501'],
  ['a function in a schema that the role may not use', 'POST /rpc/f', 'Content-Profile: closed\r\n', 401, '42501'],
  ['a relation in such a schema', 'POST /t', 'Content-Profile: closed\r\n', 401, '42501'],
  ['a schema that is not served', 'POST /berth', 'Content-Profile: archive\r\n', 406, 'SVC106'],
] as const;

test.each(REFUSED)('a body with a declared length is not awaited: %s', async (_, line, headers, status, code) => {
  const head = `${line} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}${headers}Content-Length: ${LENGTH}`;
  expect(await upload(head, '[')).toEqual({ status, code, isClosing: true });
});

test.each(REFUSED)('of a chunked body no more than 64 kB are read: %s', async (_, line, headers, status, code) => {
  const head = `${line} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}${headers}Transfer-Encoding: chunked`;
  expect(await upload(head, `2\r\n[1\r\n${CHUNK}`)).toEqual({ status, code, isClosing: true });
});

test.each(REFUSED)(
  'a client that waits for 100 Continue does not receive it: %s',
  async (_, line, headers, status, code) => {
    const expecting = `${JSON_TYPE}${headers}Expect: 100-continue\r\nContent-Length: 10`;
    expect(await upload(`${line} HTTP/1.1\r\nHost: x\r\n${expecting}`, '')).toEqual({ status, code, isClosing: true });
  },
);

test('an unsupported content type is reported before an unknown relation, as for a short body', async () => {
  const head = `POST /gone HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: `;
  const [long, short] = await Promise.all([upload(`${head}${LENGTH}`, 'x'), upload(`${head}1`, 'x')]);
  expect([long, short]).toEqual([
    { status: 415, code: 'SVC107', isClosing: true },
    { status: 415, code: 'SVC107', isClosing: false },
  ]);
});

test.each(['', 'text/plain', 'application/json'])(
  'a long body gets the same response as a short one, for a function that does not exist: %s',
  async (type) => {
    const ask = async (size: number): Promise<unknown> =>
      server.json('/rpc/gone', {
        method: 'POST',
        headers: type === '' ? {} : { 'Content-Type': type },
        body: `[${' '.repeat(size)}]`,
      });
    expect(await ask(70_000)).toEqual(await ask(10));
  },
);

test('a long body gets the same response as a short one, which suggests only what the role may use', async () => {
  const ask = async (path: string, size: number): Promise<unknown> =>
    server.json(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `[${' '.repeat(size)}]`,
    });
  // The anonymous role may read berth and has no privilege on ledger.
  for (const [path, hint] of [
    ['/berths', "Perhaps you meant the table 'api.berth'"],
    ['/ledgers', null],
  ] as const) {
    const long = await ask(path, 70_000);
    expect(long).toMatchObject({ code: 'SVC205', hint });
    expect(long).toEqual(await ask(path, 10));
  }
});

test('a long body gets the same response as a short one, for a relation that the role may not write to', async () => {
  const ask = async (method: string, path: string, size: number): Promise<unknown> => {
    const body = `${' '.repeat(size)}{"id":1}`;
    const { status, text, headers } = await server.get(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return { status, text, challenge: headers['www-authenticate'] };
  };
  for (const [method, path] of [
    ['POST', '/visit'],
    ['PATCH', '/berth?id=eq.1'],
    ['POST', '/berth_view'],
    ['PUT', '/visit?id=eq.1'],
  ] as const) {
    const long = await ask(method, path, 70_000);
    expect(long).toMatchObject({ status: 401, text: expect.stringContaining('"42501"') });
    expect(long).toEqual(await ask(method, path, 10));
  }
});

/** Bodies of calls by content type. */
const CALLS = [
  ['JSON', 'POST', '/rpc/secret', 'application/json', '{"doc":[1]}'],
  ['JSON as the only argument', 'POST', '/rpc/secret_json', 'application/json', '{"x":1}'],
  ['CSV', 'POST', '/rpc/secret', 'text/csv', 'doc\n1'],
  ['a form', 'POST', '/rpc/secret_reading', 'application/x-www-form-urlencoded', 'a=1'],
  ['bytes', 'POST', '/rpc/secret_bytes', 'application/octet-stream', 'a'],
  ['text', 'POST', '/rpc/secret_text', 'text/plain', 'a'],
  ['XML', 'POST', '/rpc/secret_xml', 'text/xml', '<a/>'],
] as const;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a long body of blanks gets in addition to a short one, and the response to it. */
async function callBoth({ body, ...call }: Call): Promise<readonly unknown[]> {
  const ask = async (text: string): Promise<unknown> => {
    const { status, text: answer, headers } = await server.get(call.path, { ...call, body: text });
    return { status, answer, challenge: headers['www-authenticate'], type: headers['content-type'] };
  };
  return [await ask(' '.repeat(70_000) + body), await ask(body)];
}

test.each(CALLS)('a long body gets the same response as a short one, for a function: %s', async (...call) => {
  const [, method, path, type, body] = call;
  for (const user of [{}, bearer({ role: harbor.user, sub: 'x' })]) {
    const [long, short] = await callBoth({ method, path, headers: { 'Content-Type': type, ...user }, body });
    const isUser = 'Authorization' in user;
    expect(long).toMatchObject({ status: isUser ? 403 : 401, answer: expect.stringContaining('"42501"') });
    expect(long).toEqual(short);
  }
});

test.each(CALLS)('the body of a call is not awaited if no overload may be called: %s', async (...call) => {
  const [, method, path, type] = call;
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: `;
  const refused = { status: 401, code: '42501', isClosing: true };
  expect(await upload(`${head}5000000`, 'a')).toEqual(refused);
  expect(await upload(`${head}10\r\nExpect: 100-continue`, '')).toEqual(refused);
});

test('the text of a QUERY is not awaited if no overload may be called', async () => {
  const head = 'QUERY /rpc/secret_reading HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n';
  const refused = { status: 401, code: '42501', isClosing: true };
  expect(await upload(`${head}Content-Length: 5000000`, 'a')).toEqual(refused);
  expect(await upload(`${head}Content-Length: 10\r\nExpect: 100-continue`, '')).toEqual(refused);
});

test('a key that may repeat the call changes nothing', async () => {
  const head = `POST /rpc/secret HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Idempotency-Key: k\r\nContent-Length: ${LENGTH}`;
  expect(await upload(head, '{')).toEqual({ status: 401, code: '42501', isClosing: true });
});

test('where the role may call one overload, the body decides', async () => {
  const call = { method: 'POST', path: '/rpc/mixed', headers: { 'Content-Type': 'application/json' } };
  const [allowed] = await callBoth({ ...call, body: '{"b":"x"}' });
  expect(allowed).toMatchObject({ status: 200, answer: '"x"' });
  const [long, short] = await callBoth({ ...call, body: '{"a":1}' });
  expect(long).toMatchObject({ status: 401, answer: expect.stringContaining('"42501"') });
  expect(long).toEqual(short);
});

test('a grant counts at once, also one to a role that the role inherits from', async () => {
  const call = { method: 'POST', path: '/rpc/granted', headers: { 'Content-Type': 'application/json' } };
  const statuses = async (): Promise<unknown> => (await callBoth({ ...call, body: '{"doc":1}' })).map(statusOf);
  expect(await statuses()).toEqual([401, 401]);
  await harbor.sql(`grant ${harbor.user} to ${harbor.anon}`);
  expect(await statuses()).toEqual([200, 200]);
  await harbor.sql(`revoke ${harbor.user} from ${harbor.anon}`);
  expect(await statuses()).toEqual([401, 401]);
  await harbor.sql('grant execute on function api.granted to public');
  expect(await statuses()).toEqual([200, 200]);
});

function statusOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
}

test('long bodies of valid requests are read', async () => {
  const body = ' '.repeat(100_000) + JSON.stringify([{ id: 77, name: 'x'.repeat(200_000) }]);
  const headers = { 'Content-Type': 'application/json', ...bearer({ role: harbor.anon }) };
  for (const more of [{}, { 'Transfer-Encoding': 'chunked' }]) {
    const parts = { method: 'POST', headers: { ...headers, ...more }, body };
    expect((await server.get('/berth', parts)).status).toBe(201);
    await harbor.sql('delete from api.berth where id = 77');
  }
  const init = { method: 'POST', headers, body };
  expect((await fetchApi(new Request('http://x/berth', init))).status).toBe(201);
});

test('a body that the request does not use is skipped, whatever its length', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const parts = { method, headers: { 'Content-Length': '300000' }, body: 'x'.repeat(300_000) };
    expect((await server.get('/berth?select=id&id=eq.1', parts)).status, method).toBe(200);
  }
});

test.each(REFUSED.filter(([, line]) => line.startsWith('POST')))(
  'through the Fetch API no more than 64 kB are read: %s',
  async (_, line, header, status, code) => {
    let taken = 0;
    const body = new ReadableStream({
      pull(controller) {
        taken += 10_000;
        if (taken > LENGTH) controller.close();
        else controller.enqueue(new Uint8Array(10_000).fill(32));
      },
    });
    const [name = '', value = ''] = header.trim().split(': ');
    const headers = { 'Content-Type': 'application/json', ...(name !== '' && { [name]: value }) };
    const [method = '', target = ''] = line.split(' ');
    const init = { method, headers, body, duplex: 'half' } as RequestInit;
    const answer = await fetchApi(new Request(`http://x${target}`, init));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
    expect(taken).toBeLessThan(150_000);
  },
);

test('memory is allocated for received bytes, not for declared ones', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const head = `POST /berth HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 1000000000\r\n\r\n`;
  const sockets = Array.from({ length: 20 }, () => openSocket(server.port));
  const bytes = head + ' '.repeat(1_300_000);
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(bytes, resolve))));
  expect((await server.get('/berth?select=id&id=eq.1')).text).toBe('[{"id":1}]');
  // Clients declared 20 GB and sent 26 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000);
});
