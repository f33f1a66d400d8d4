// Batches: several requests in one transaction.
import { describe, expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { answersOf, BATCH_TYPE, failureOf, type InnerRequest, sendBatch, SHOWN } from './send-batch.ts';
import { useShop } from './shop.ts';

const shop = await useShop();
const start = useServers(shop);
const server = await start({ 'db-tx-end': 'commit-allow-override', 'db-plan-enabled': true });

describe('responses', () => {
  test('B28 each request is answered in order, with status, headers and body', async () => {
    const { status, headers, text } = await sendBatch(server, [
      { id: 'first', path: '/product?id=eq.1' },
      { path: '/product?select=id&id=lt.3&order=id', headers: { Prefer: 'count=exact' } },
      { method: 'HEAD', path: '/product' },
      { path: '/product?id=eq.1&select=name', headers: { Accept: 'text/csv' } },
      { path: '/rpc/raw', headers: { Accept: 'application/octet-stream' } },
    ]);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const answers = JSON.parse(text) as readonly Record<string, unknown>[];
    expect(answers).toEqual([
      {
        id: 'first',
        status: 200,
        headers: expect.objectContaining({
          'content-type': ['application/json; charset=utf-8'],
          'content-range': ['0-0/*'],
          'content-location': ['/product?id=eq.1'],
        }),
        body: [{ id: 1, name: 'Lamp', stock: 3 }],
      },
      {
        status: 200,
        headers: expect.objectContaining({ 'content-range': ['0-1/2'], 'preference-applied': ['count=exact'] }),
        body: [{ id: 1 }, { id: 2 }],
      },
      { status: 200, headers: expect.objectContaining({ 'content-range': ['0-2/*'] }), body: null },
      {
        status: 200,
        headers: expect.objectContaining({ 'content-type': ['text/csv; charset=utf-8'] }),
        body: 'name\nLamp',
      },
      { status: 200, headers: expect.anything(), body: Buffer.from([0, 1, 2]).toString('base64'), encoding: 'base64' },
    ]);
  });

  test('B28b each request sees what the ones before it did', async () => {
    const answers = await answersOf(server, [
      { method: 'POST', path: '/slip', body: { id: 1, body: 'a' } },
      { method: 'PATCH', path: '/slip?id=eq.1', body: { body: 'b' }, headers: SHOWN },
      { path: '/slip' },
      { method: 'DELETE', path: '/slip?id=eq.1' },
      { path: '/slip' },
    ]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [201, null],
      [200, [{ id: 1, body: 'b' }]],
      [200, [{ id: 1, body: 'b' }]],
      [204, null],
      [200, []],
    ]);
  });

  test('B28c headers and status that a function sets count for its own response', async () => {
    const answers = await answersOf(server, [
      { method: 'POST', path: '/rpc/teapot', body: {} },
      { path: '/product?id=eq.1&select=id' },
    ]);
    expect(answers.map(({ status, headers }) => [status, headers['x-pot']])).toEqual([
      [299, ['tea', 'mint']],
      [200, undefined],
    ]);
  });

  test('B28d the description of the API and an execution plan are responses like others', async () => {
    const [description, plan] = await answersOf(server, [
      { path: '/' },
      { path: '/product', headers: { Accept: 'application/vnd.svc.plan+json' } },
    ]);
    expect(description?.body).toMatchObject({ swagger: '2.0' });
    expect([plan?.status, plan?.body]).toEqual([200, [{ Plan: expect.anything() }]]);
  });
});

describe('one transaction', () => {
  test('B28e it is read only if every request is a read', async () => {
    const state = async (...others: InnerRequest[]): Promise<unknown> => {
      const [first] = await answersOf(server, [{ path: '/rpc/state' }, ...others]);
      return first?.body;
    };
    expect(await state({ path: '/product' }, { method: 'POST', path: '/rpc/state', body: {} })).toMatchObject({
      readOnly: 'on',
    });
    expect(await state({ method: 'POST', path: '/rpc/count_call', body: {} })).toMatchObject({ readOnly: 'off' });
    expect(await state({ method: 'DELETE', path: '/slip?id=eq.0' })).toMatchObject({ readOnly: 'off' });
    expect(await failureOf(server, [{ path: '/rpc/count_call' }])).toMatchObject({
      status: 405,
      code: '25006',
      request: 0,
    });
  });

  test('B28f the isolation level is given outside and holds for all requests', async () => {
    const levels = async (prefer: string): Promise<unknown> => {
      const { text, headers } = await sendBatch(server, [{ path: '/rpc/state' }, { path: '/rpc/strict_stable' }], {
        Prefer: prefer,
      });
      const answers = JSON.parse(text) as readonly { readonly body: { readonly isolation: string } }[];
      return [answers[0]?.body.isolation, answers[1]?.body, headers['preference-applied']];
    };
    expect(await levels('isolation="repeatable read", tx=commit')).toEqual([
      'repeatable read',
      'repeatable read',
      'tx=commit, isolation="repeatable read"',
    ]);
    expect(await levels('isolation=serializable')).toEqual(['serializable', 'serializable', 'isolation=serializable']);
    expect(await levels('isolation="read committed"')).toEqual([
      'read committed',
      'read committed',
      'isolation="read committed"',
    ]);
    expect(await levels('handling=lenient')).toEqual(['read committed', 'read committed', 'handling=lenient']);
    expect(
      await failureOf(server, [{ path: '/rpc/state' }], { Prefer: 'handling=strict, isolation=chaos' }),
    ).toMatchObject({ code: 'SVC122' });
  });

  test('B28g a single request has an isolation level too, but that of its function takes precedence', async () => {
    const ask = async (path: string, isolation: string): Promise<unknown> => {
      const { text, headers } = await server.get(path, { headers: { Prefer: `isolation=${isolation}` } });
      const body = JSON.parse(text) as { readonly isolation?: string };
      return [body.isolation ?? body, headers['preference-applied']];
    };
    expect(await ask('/rpc/state', 'serializable')).toEqual(['serializable', 'isolation=serializable']);
    expect(await ask('/rpc/state', '"repeatable read"')).toEqual(['repeatable read', 'isolation="repeatable read"']);
    expect(await ask('/rpc/strict_stable', '"read committed"')).toEqual(['serializable', undefined]);
  });

  test('B28h Prefer: tx=rollback undoes all requests', async () => {
    const { headers } = await sendBatch(
      server,
      [{ method: 'POST', path: '/slip', body: { id: 7 } }, { path: '/slip?id=eq.7' }],
      { Prefer: 'tx=rollback' },
    );
    expect(headers['preference-applied']).toBe('tx=rollback');
    expect(await server.json('/slip?id=eq.7')).toEqual([]);
  });
});

describe('settings', () => {
  test('B32 each request has its own method, path and headers; those of the sender hold for all', async () => {
    const colored = await start({ 'batch-headers': 'X-Color' });
    const answers = await answersOf(
      colored,
      [
        { path: '/rpc/state', headers: { 'X-Color': 'red' } },
        { method: 'POST', path: '/rpc/state', body: {}, headers: { 'x-color': 'blue', Prefer: 'timezone=Asia/Tokyo' } },
        { path: '/rpc/state' },
      ],
      { 'User-Agent': 'shop/1' },
    );
    const states = answers.map(({ body }) => body as Record<string, unknown>);
    expect(states.map(({ method, color, agent, path }) => [method, color, agent, path])).toEqual([
      ['GET', 'red', 'shop/1', '/rpc/state'],
      ['POST', 'blue', 'shop/1', '/rpc/state'],
      ['GET', null, 'shop/1', '/rpc/state'],
    ]);
    expect(new Set(states.map(({ transaction }) => transaction)).size).toBe(1);
    expect(states.map(({ zone }) => zone === 'Asia/Tokyo')).toEqual([false, true, false]);
  });

  test('B32r a request replaces a header of the batch only if batch-headers names it', async () => {
    const colored = await start({ 'batch-headers': 'X-Color' });
    const outer = { 'X-Color': 'green', 'X-Forwarded-User': 'mira' };
    const answers = await answersOf(
      colored,
      [{ path: '/rpc/state' }, { path: '/rpc/state', headers: { 'X-COLOR': 'red' } }],
      outer,
    );
    expect(answers.map(({ body }) => (body as { color: unknown }).color)).toEqual(['green', 'red']);
    for (const name of ['x-forwarded-user', 'X-Forwarded-User'])
      expect(await failureOf(colored, [{ path: '/rpc/state', headers: { [name]: 'forged' } }], outer)).toMatchObject({
        status: 400,
        code: 'SVC102',
        request: 0,
        hint: 'Send it with the batch itself, for all requests. Headers of a request in a batch: Accept, Content-Type, If-Match, If-None-Match, Prefer, Range, Range-Unit, x-color. The operator allows others with batch-headers',
      });
  });

  test('B32s every header that the server reads for a single request is allowed in one of a batch', async () => {
    const answers = await answersOf(server, [
      { method: 'GET', path: '/product?order=id&select=id', headers: { Range: '1-1', 'Range-Unit': 'items' } },
      { method: 'PUT', path: '/slip?id=eq.31', headers: { 'If-None-Match': '*' }, body: { id: 31, body: 'x' } },
      { method: 'DELETE', path: '/slip?id=eq.31', headers: { 'if-match': '*', Prefer: 'return=minimal' } },
      { path: '/product?select=name&id=eq.1', headers: { accept: 'text/csv' } },
    ]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, [{ id: 2 }]],
      [204, null],
      [204, null],
      [200, 'name\nLamp'],
    ]);
  });

  test('B32b settings that a request makes end with it', async () => {
    const answers = await answersOf(server, [
      { method: 'POST', path: '/rpc/note', body: 'x', headers: { 'Content-Type': 'text/plain' } },
      { path: '/rpc/state' },
    ]);
    expect(answers[0]?.body).toBe('x');
    expect(answers[1]?.body).toMatchObject({ note: null });
  });
});

describe('failures', () => {
  const product = (
    id: number,
    stock = 1,
  ): { readonly method: string; readonly path: string; readonly body: unknown } => ({
    method: 'POST',
    path: '/product',
    body: { id, name: 'x', stock },
  });

  test('B29 the first failing request ends all, and nothing is kept', async () => {
    const failed = await failureOf(server, [product(10), { id: 'bad', ...product(11, -1) }, product(12)]);
    expect(failed).toEqual({
      status: 400,
      code: '23514',
      details: expect.stringContaining('Failing row'),
      hint: null,
      message: 'new row for relation "product" violates check constraint "product_stock_check"',
      request: 1,
      id: 'bad',
    });
    expect(await server.json('/product?id=gte.10')).toEqual([]);
  });

  test('B29b errors before the database have the index too, and those of earlier requests come first', async () => {
    const unknown = { path: '/nothing' };
    expect(await failureOf(server, [product(10), unknown])).toMatchObject({ status: 404, code: 'SVC205', request: 1 });
    expect(await failureOf(server, [product(10, -1), unknown])).toMatchObject({
      status: 400,
      code: '23514',
      request: 0,
    });
    expect(await failureOf(server, [unknown, product(10, -1)])).toMatchObject({ status: 404, request: 0 });
    expect(await server.json('/product?id=gte.10')).toEqual([]);
  });

  test('B29c nothing behind a request is executed that fails by its result', async () => {
    const before = await shop.query('select last_value, is_called from api.calls');
    const counted = { method: 'POST', path: '/rpc/count_call', body: {} };
    const single = { Accept: 'application/vnd.svc.object+json' };
    const affected = { Prefer: 'handling=strict, max-affected=1' };
    for (const failing of [
      { path: '/product', headers: single, code: 'SVC116' },
      { path: '/product?offset=90', headers: { Prefer: 'count=exact' }, code: 'SVC103' },
      { method: 'PATCH', path: '/product?id=gt.0', body: { name: 'y' }, headers: affected, code: 'SVC124' },
      { method: 'PUT', path: '/slip?id=eq.1', body: { id: 2, body: 'z' }, code: 'SVC115' },
    ]) {
      const { code, ...request } = failing;
      expect(await failureOf(server, [request, counted])).toMatchObject({ code, request: 0 });
    }
    expect(await shop.query('select last_value, is_called from api.calls')).toEqual(before);
    expect(await server.json('/product?name=eq.y')).toEqual([]);
  });

  test('B29d an error at COMMIT has no index', async () => {
    const orphan = { method: 'POST', path: '/item', body: { purchase_id: 999_999 } };
    const failed = await failureOf(server, [orphan, { path: '/item' }]);
    expect(failed).toMatchObject({ status: 409, code: '23503' });
    expect(failed).not.toHaveProperty('request');
    expect(await server.json('/item')).toEqual([]);
  });

  test('B29e an error of the minimal verbosity has the index', async () => {
    const terse = await start({ 'client-error-verbosity': 'minimal' });
    const { text } = await sendBatch(terse, [{ id: 'a', path: '/nothing' }]);
    expect(JSON.parse(text)).toEqual({ code: 'SVC205', message: expect.anything(), request: 0, id: 'a' });
  });
});

/** Headers that the batch itself has for all its requests, those that only a gateway sets, and those of a message. */
const FORBIDDEN =
  'Authorization Cookie Host Accept-Profile Content-Profile Idempotency-Key Origin X-Forwarded-User X-Real-IP Forwarded SSL-Client-Verify User-Agent traceparent svc-lsn Content-Length Connection If-Range';

describe('malformed batches', () => {
  const get = { method: 'GET', path: '/product' };

  test.each<readonly [title: string, text: string, request: number | undefined]>([
    ['no JSON', '[{', undefined],
    ['an object', '{}', undefined],
    ['no request', '[]', undefined],
    ['a number', '[1]', 0],
    ['no path', '[{"method":"GET"}]', 0],
    ['a relative path', '[{"method":"GET","path":"product"}]', 0],
    ['a path with a blank', '[{"method":"GET","path":"/product?name=eq.a b"}]', 0],
    ['no method', '[{"path":"/product"}]', 0],
    ['an unknown member', JSON.stringify([get, { ...get, header: {} }]), 1],
    ['an id that is a number', JSON.stringify([{ ...get, id: 1 }]), 0],
    ['a repeated id', JSON.stringify([{ ...get, id: 'a' }, get, { ...get, id: 'a' }]), 2],
    ['OPTIONS', JSON.stringify([{ method: 'OPTIONS', path: '/product' }]), 0],
    ['a header of the wrong type', JSON.stringify([{ ...get, headers: { Accept: 1 } }]), 0],
    ['a header with a line break', JSON.stringify([{ ...get, headers: { 'X-A': 'a\r\nb' } }]), 0],
    ...[...FORBIDDEN.split(' '), 'x'.repeat(1000)].map(
      (name) => [name.slice(0, 20), JSON.stringify([get, { ...get, headers: { [name]: 'x' } }]), 1] as const,
    ),
    ['Prefer: tx', JSON.stringify([{ ...get, headers: { Prefer: 'count=exact, tx=rollback' } }]), 0],
    ['Prefer: isolation', JSON.stringify([{ ...get, headers: { Prefer: 'isolation=serializable' } }]), 0],
    ['an event stream', JSON.stringify([{ ...get, headers: { Accept: 'text/event-stream' } }]), 0],
    ['a batch', JSON.stringify([{ method: 'POST', path: '/', headers: { 'Content-Type': BATCH_TYPE }, body: [] }]), 0],
    ['a web page', JSON.stringify([{ method: 'GET', path: '/', headers: { Accept: 'text/html' } }]), 0],
  ])('B32c %s is SVC102', async (_, text, request) => {
    const failed = await failureOf(server, text);
    expect(failed).toMatchObject({ status: 400, code: 'SVC102' });
    if (request === undefined) expect(failed).not.toHaveProperty('request');
    else expect(failed).toHaveProperty('request', request);
  });
});

describe('limits', () => {
  test('B32d a batch has up to batch-max-requests requests', async () => {
    const few = await start({ 'batch-max-requests': 2 });
    const get = { path: '/product?id=eq.1' };
    expect(await answersOf(few, [get, get])).toHaveLength(2);
    expect(await failureOf(few, [get, get, get])).toMatchObject({ status: 400, code: 'SVC102' });
  });

  test('B32e all responses together have up to batch-max-response bytes', async () => {
    const small = await start({ 'batch-max-response': 1500 });
    const long = {
      path: '/rpc/note',
      method: 'POST',
      body: 'x'.repeat(700),
      headers: { 'Content-Type': 'text/plain' },
    };
    expect(await answersOf(small, [long])).toHaveLength(1);
    const failed = await failureOf(small, [long, long]);
    expect(failed).toMatchObject({ status: 400, code: 'SVC129', request: 1 });
    const huge = await failureOf(small, [{ path: '/product' }, { ...long, body: 'x'.repeat(3_000_000) }]);
    expect(huge).toMatchObject({ status: 400, code: 'SVC129', request: 1 });
    expect(await answersOf(small, [{ path: '/product?select=id' }])).toHaveLength(1);
  });

  test('B32f all bodies together have up to server-max-body-size bytes', async () => {
    const small = await start({ 'server-max-body-size': 400 });
    const [read] = await answersOf(small, [{ path: '/product?id=eq.1' }]);
    expect(read?.status).toBe(200);
    expect((await sendBatch(small, [{ path: `/product?name=eq.${'x'.repeat(500)}` }])).status).toBe(413);
  });
});

describe('switched off', () => {
  test('B54 without the extension, POST / answers as before', async () => {
    const off = await start({ extensions: 'none' });
    const answer = await sendBatch(off, [{ path: '/product' }]);
    expect([answer.status, answer.text]).toEqual([
      405,
      expect.stringContaining('"message":"Unsupported HTTP method: POST"'),
    ]);
    const { headers, text } = await off.get('/rpc/state', { headers: { Prefer: 'isolation=serializable' } });
    expect(headers['preference-applied']).toBeUndefined();
    expect(JSON.parse(text)).toMatchObject({ isolation: 'read committed' });
    expect((await off.get('/', { method: 'OPTIONS' })).headers.allow).toBe('OPTIONS,GET,HEAD');
  });

  test('B54b the dialect postgrest has it with its own media type', async () => {
    const other = await start({ dialect: 'postgrest', extensions: 'batch' });
    const answer = await sendBatch(other, [{ path: '/product?id=eq.1&select=id' }], {
      'Content-Type': 'application/vnd.pgrst.batch+json',
    });
    expect(JSON.parse(answer.text)).toMatchObject([{ status: 200, body: [{ id: 1 }] }]);
    expect((await sendBatch(other, [{ path: '/product' }])).status).toBe(405);
  });
});
