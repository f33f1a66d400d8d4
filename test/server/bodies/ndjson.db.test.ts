// `application/x-ndjson`: one JSON value per line, sent while the statement runs (`beyond.md` §1.9).
import { type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type LocalServer, type Options, post, startLocalServer } from '../../support/local-server.ts';
import { sendRaw, openSocket } from '../../support/raw-client.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;

const LINES = { headers: { Accept: 'application/x-ndjson' } };

await harbor.sql(`
    insert into api.visit values (10, 1), (11, 1), (12, 3);
    create table api.log (id int primary key, kind text, note json);
    insert into api.log select n, 'k' || n % 3, '{"a":\n 1}' from generate_series(1, 5000) n;
    create view api.mixed as select n as id, repeat(chr(97 + n % 26), (array[0, 300, 9000, 65510, 65536, 300000])[n % 6 + 1]) as filler
      from generate_series(1, 120) n;
    create view api.late as select n as id, 1000 / (4000 - n) as quotient, repeat('x', 40) as filler from generate_series(1, 5000) n;
    create view api.early as select n as id, 1000 / (400 - n) as quotient, repeat('x', 40) as filler from generate_series(1, 5000) n;
    -- Not out of one function: PostgreSQL would compute all of its rows before the first.
    create view api.endless as select a, b, repeat('y', 990) as filler
      from generate_series(1, 30000) a, generate_series(1, 30000) b;
    create function api.count_up(until int) returns table (n int, filler text) language sql stable
      as $$ select g, repeat('y', 990) from generate_series(1, until) g $$;
    create function api.numbers() returns setof int language sql stable as 'values (1), (null), (3)';
    create function api.one_berth() returns api.berth language sql stable as 'select * from api.berth where id = 1';
    create function api.written() returns setof api.berth language sql volatile as 'select * from api.berth order by id';
    create function api.marked() returns setof api.berth language plpgsql stable as $$ begin
      perform set_config('response.status', '202', true);
      perform set_config('response.headers', '[{"X-Mark": "m"}]', true);
      return query select * from api.berth order by id;
    end $$;
    create function api.connected() returns setof text language plpgsql stable as $$ begin
      perform set_config('response.headers', '[{"Trailer": "X-Sum"}, {"Connection": "upgrade"}, {"Upgrade": "h2c"}, {"X-Mark": "m"},
        {"Keep-Alive": "timeout=9"}, {"Proxy-Connection": "close"}, {"TE": "trailers"}, {"Transfer-Encoding": "gzip"}]', true);
      return query select repeat('z', 100) from generate_series(1, 2000);
    end $$;
    create function api.wrongly_marked() returns setof text language plpgsql stable as $$ begin
      perform set_config('response.headers', 'none', true);
      return query select repeat('z', 100) from generate_series(1, 100000);
    end $$;
    grant select on all tables in schema api to ${harbor.anon};
    grant insert on api.visit to ${harbor.anon};
  `);

async function start(options: Options = {}): Promise<void> {
  server = await use(startLocalServer(harbor, options));
}

/** @returns the received text, and the code of the error that closed the connection, if any */
async function readToEnd(request: string): Promise<{ readonly text: string; readonly error: string | undefined }> {
  const socket = openSocket(server.port);
  const chunks: Buffer[] = [];
  let error: string | undefined;
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', (problem: NodeJS.ErrnoException) => (error = problem.code));
  socket.write(request);
  // `once` would reject on an error event.
  await new Promise((resolve) => socket.on('close', resolve));
  return { text: Buffer.concat(chunks).toString(), error };
}

function linesOf({ text }: Answer): readonly unknown[] {
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

/** Sends a request and does not read the response until the test does. */
function ask(target: string): Socket {
  const socket = openSocket(server.port).pause();
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n`);
  return socket;
}

async function activity(condition: string): Promise<number> {
  const rows = await harbor.query(
    `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and ${condition}`,
  );
  return Number(rows[0]?.[0]);
}

/** Resolves once all connections of the pool are available again. */
async function untilPoolIsWhole(): Promise<void> {
  await until(async () => (await activity(`state <> 'idle'`)) === 0);
  const whole = await server.metric('db_pool_max');
  await until(async () => {
    const [available, open] = [
      await server.metric('db_pool_available'),
      await server.metric('http_requests_in_flight'),
    ];
    return available === whole || open === 0;
  });
  expect((await server.get('/berth?id=eq.1')).status).toBe(200);
}

describe('responses', () => {
  test('B24 one line per row, in order, with embeds and json values on one line', async () => {
    await start();
    const answer = await server.get('/berth?select=id,name,visit(id)&order=id.desc&visit.order=id', LINES);
    expect([answer.status, answer.headers['content-type'], answer.headers['content-range']]).toEqual([
      200,
      'application/x-ndjson',
      undefined,
    ]);
    expect(answer.text).toBe(
      '{"id":3,"name":"West","visit":[{"id":12}]}\n' +
        '{"id":2,"name":"South","visit":[]}\n' +
        '{"id":1,"name":"North","visit":[{"id":10}, \n {"id":11}]}\n'.replace('\n ', '  '),
    );
    const logged = await server.get('/log?select=note&limit=1', LINES);
    expect(logged.text).toBe('{"note":{"a":  1}}\n');
  });

  test('B24 5,000 rows arrive in chunks and equal those of the array', async () => {
    await start();
    const [lines, array] = [await server.get('/log?order=id', LINES), await server.json('/log?order=id')];
    expect(linesOf(lines)).toEqual(array);
    expect([lines.headers['transfer-encoding'], lines.headers['content-length']]).toEqual(['chunked', undefined]);
  });

  test('B24 lines of any length equal the array, for several clients at once', async () => {
    await start();
    const array = await server.json('/mixed?order=id');
    const answers = await Promise.all([1, 2, 3].map(() => server.get('/mixed?order=id', LINES)));
    for (const answer of answers) expect(linesOf(answer)).toEqual(array);
  });

  test('B24 no rows produce an empty body', async () => {
    await start();
    const answer = await server.get('/log?id=eq.0', { headers: { ...LINES.headers, Prefer: 'count=exact' } });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([200, '', '*/0']);
  });

  test.each([
    ['/log?order=id', 'count=exact', 200, '0-4999/5000'],
    ['/log?order=id&limit=3000&offset=1000', 'count=exact', 206, '1000-3999/5000'],
    ['/log?order=id&limit=3000&offset=4000', 'count=exact', 206, '4000-4999/5000'],
    ['/log?order=id&limit=0', 'count=exact', 206, '*/5000'],
    ['/log?select=kind,count()&order=kind', 'count=exact', 200, '*/5000'],
    ['/log?limit=3', 'count=none', 200, undefined],
    ['/rpc/count_up?until=300&limit=10', 'count=exact', 206, '0-9/300'],
    ['/rpc/numbers', 'count=exact', 200, '0-2/3'],
  ])('B24 %s with %s is %i and %s: the count is sent before the rows', async (target, prefer, status, range) => {
    await start({ 'db-aggregates-enabled': true });
    const headers = { ...LINES.headers, Prefer: prefer };
    const [answer, head] = [
      await server.get(target, { headers }),
      await server.get(target, { headers, method: 'HEAD' }),
    ];
    expect([answer.status, answer.headers['content-range']]).toEqual([status, range]);
    expect([head.status, head.headers['content-range'], head.text]).toEqual([status, range, '']);
  });

  test.each(['planned', 'estimated'])('B24 a %s total is sent without the rows of the page', async (count) => {
    await start();
    await harbor.sql('analyze api.log');
    const headers = { ...LINES.headers, Prefer: `count=${count}` };
    const answer = await server.get('/log?limit=10&order=id', { headers });
    expect([answer.status, answer.headers['content-range'], linesOf(answer).length]).toEqual([206, '*/5000', 10]);
  });

  test('B24 an offset beyond the total is 416, and row limits apply', async () => {
    await start({ 'db-max-rows': 2 });
    const headers = { ...LINES.headers, Prefer: 'count=exact' };
    expect((await server.get('/log?offset=6000', { headers })).status).toBe(416);
    const answer = await server.get('/log?order=id', { headers });
    expect([answer.status, answer.headers['content-range'], linesOf(answer).length]).toEqual([206, '0-1/5000', 2]);
  });

  test('B24 sets of values, and functions that set status and headers', async () => {
    await start();
    expect((await server.get('/rpc/numbers', LINES)).text).toBe('1\nnull\n3\n');
    const marked = await server.get('/rpc/marked?select=id', LINES);
    expect([marked.status, marked.headers['x-mark'], marked.text]).toEqual([
      202,
      'm',
      '{"id":1}\n{"id":2}\n{"id":3}\n',
    ]);
    expect((await server.get('/rpc/wrongly_marked', LINES)).status).toBe(500);
    await untilPoolIsWhole();
  });

  test('B24 writes and volatile functions send lines after they commit', async () => {
    await start();
    const parts = post([
      { id: 20, berth_id: 1 },
      { id: 21, berth_id: 2 },
    ]);
    const headers = { ...parts.headers, ...LINES.headers, Prefer: 'return=representation, tx=rollback' };
    const written = await server.get('/visit', { ...parts, headers });
    expect([written.status, written.text]).toEqual([201, '{"id":20,"berth_id":1}\n{"id":21,"berth_id":2}\n']);
    const called = await server.get('/rpc/written?select=id', { ...post({}), headers: { ...LINES.headers } });
    expect([called.status, called.headers['content-range'], called.text]).toEqual([
      200,
      '0-2/*',
      '{"id":1}\n{"id":2}\n{"id":3}\n',
    ]);
  });

  test('B24 a result that is not a set of rows is unavailable as NDJSON', async () => {
    await start();
    expect((await server.get('/rpc/one_berth', LINES)).status).toBe(415);
    expect((await server.get('/rpc/who', LINES)).status).toBe(415);
  });

  test('B24 requests of the same shape share a plan', async () => {
    await start();
    for (const id of [1, 2, 3])
      expect(linesOf(await server.get(`/log?select=id&id=eq.${id}`, LINES))).toEqual([{ id }]);
  });

  test.each([
    ['svc', 'none', 415],
    ['svc', 'ingest', 415],
    ['svc', 'stream', 200],
    ['postgrest', null, 406],
    ['postgrest', 'stream', 200],
  ])('B54 in the %s dialect with extensions = %s the status is %i', async (dialect, extensions, status) => {
    await start({ dialect, extensions });
    const answer = await server.get('/berth', { headers: { Accept: 'Application/X-NDJSON; charset=utf-8' } });
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.text).toContain('available: Application/X-NDJSON;charset=utf-8"');
  });

  test('B54 a media type handler of that name takes precedence', async () => {
    await harbor.sql(`
      create domain api."application/x-ndjson" as text;
      create function api.own_lines() returns api."application/x-ndjson" language sql stable as $$ select 'own' $$;
      grant execute on function api.own_lines() to ${harbor.anon}`);
    await start();
    const answer = await server.get('/rpc/own_lines', LINES);
    expect([answer.text, answer.headers['content-type']]).toEqual(['own', 'application/x-ndjson']);
    await harbor.sql('drop domain api."application/x-ndjson" cascade');
  });

  test('B24 OpenAPI 3.1 lists NDJSON if it is enabled', async () => {
    await start({ 'openapi-version': '3.1' });
    expect((await server.get('/')).text).toContain('"application/x-ndjson"');
    await server.stop();
    await start({ 'openapi-version': '3.1', extensions: 'none' });
    expect((await server.get('/')).text).not.toContain('x-ndjson');
  });
});

describe('errors', () => {
  test('B27 errors before the first 64 kB are sent with their status', async () => {
    await start();
    const answer = await server.get('/early', LINES);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { code: '22012' }]);
  });

  test('B27 later errors end the response without its last chunk, and are logged with their code', async () => {
    await start({ 'db-pool': 2 });
    await expect(server.get('/late', LINES)).rejects.toThrow('aborted');
    await server.logged(/^The response to GET \/late was cut off\. \{"code":"22012"/u);
    await untilPoolIsWhole();
    const text = await sendRaw(server.port, 'GET /late HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
    expect(text).toContain('"id":3');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
  });

  test('B27 to HTTP/1.0, which has no chunks, a complete response ends with a close, a truncated one with a reset', async () => {
    await start();
    const request = (target: string): string => `GET ${target} HTTP/1.0\r\nAccept: application/x-ndjson\r\n\r\n`;
    const part = await readToEnd(request('/late'));
    expect(part.text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/u);
    expect([part.text.includes('"id":3,'), part.error]).toEqual([true, 'ECONNRESET']);
    const whole = await readToEnd(request('/log?order=id'));
    const [head = '', body = ''] = whole.text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close(?:\r\n|$)/u);
    expect(head).not.toMatch(/^(?:Content-Length|Transfer-Encoding):/imu);
    expect([body.split('\n').length, whole.error]).toEqual([5001, undefined]);
  });

  test.each(['1.0', '1.1'])(
    'B27 to HTTP/%s, functions cannot set headers that concern the connection',
    async (version) => {
      await start();
      const head = `GET /rpc/connected HTTP/${version}\r\nHost: x\r\nConnection: close\r\nAccept: application/x-ndjson\r\n\r\n`;
      const { text, error } = await readToEnd(head);
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*X-Mark: m\r\n/u);
      expect(text).not.toMatch(/^(?:Trailer|Upgrade|Keep-Alive|Proxy-Connection|TE):|upgrade|gzip/imu);
      expect([text.match(/z"/gu)?.length, error]).toEqual([2000, undefined]);
      await untilPoolIsWhole();
    },
  );

  test('B26 to HTTP/1.0, no more is read from the database than the client reads', async () => {
    await start();
    const socket = openSocket(server.port).pause();
    socket.write('GET /endless HTTP/1.0\r\nAccept: application/x-ndjson\r\n\r\n');
    await until(async () => (await activity(`wait_event = 'ClientWrite' and query like '%endless%'`)) === 1);
    socket.destroy();
    await untilPoolIsWhole();
  });
});

describe('clients', () => {
  test('B25 the first line is sent before the last row is computed', async () => {
    await start();
    const socket = ask('/endless');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text = text === '' ? chunk.toString() : text)).resume();
    await until(() => text !== '');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Transfer-Encoding: chunked\r\n/u);
    expect(await activity(`state = 'active' and query like '%endless%'`)).toBe(1);
  });

  test('B26 a client that stops reading is disconnected after the timeout, and its statement is cancelled', async () => {
    await start({ 'db-pool': 2, 'server-send-timeout': 1 });
    const socket = ask('/endless');
    await until(async () => (await activity(`wait_event = 'ClientWrite'`)) === 1);
    await until(async () => (await activity(`state = 'active'`)) === 0);
    await until(() => server.server.service.serving.requests.metrics.inFlight === 0);
    await untilPoolIsWhole();
    socket.resume();
    await until(() => socket.closed);
  });

  test('B26 a client that leaves frees its connection at once', async () => {
    await start({ 'db-pool': 2 });
    const socket = ask('/endless');
    await until(async () => (await activity(`wait_event = 'ClientWrite'`)) === 1);
    socket.destroy();
    await untilPoolIsWhole();
  });

  test('B26 slow clients leave half of the pool to others; more streams wait their turn', async () => {
    await start({ 'db-pool': 4, 'db-pool-acquisition-timeout': 1 });
    const [first] = [ask('/endless'), ask('/endless')];
    await until(async () => (await activity(`wait_event = 'ClientWrite'`)) === 2);
    expect((await server.get('/berth?id=eq.1')).status).toBe(200);
    expect((await server.get('/berth?id=eq.1', LINES)).status).toBe(504);
    first.destroy();
    await until(async () => (await server.get('/berth?id=eq.1', LINES)).status === 200);
  });

  test('B25 rows that a slow client has not read are not buffered', async () => {
    await start();
    const begin = process.memoryUsage().rss;
    ask('/endless');
    ask('/endless');
    await until(async () => (await activity(`wait_event = 'ClientWrite'`)) === 2);
    expect(process.memoryUsage().rss - begin).toBeLessThan(32_000_000);
  });

  test('B27 losing the database in the middle of a response truncates it', async () => {
    await start();
    const socket = ask('/endless');
    await until(async () => (await activity(`wait_event = 'ClientWrite'`)) === 1);
    await harbor.terminate(`query like '%endless%'`);
    let end = '';
    socket.on('data', (chunk: Buffer) => (end = chunk.toString('latin1').slice(-5))).resume();
    await until(() => socket.closed);
    expect(end).not.toBe('0\r\n\r\n');
    await server.logged(/^The response to GET \/endless was cut off\. \{"code":"(?:57P01|SVC001)"/u);
    await untilPoolIsWhole();
  });
});
