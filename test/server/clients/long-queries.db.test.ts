// QUERY (RFC 10008) and the POST that means the same (`beyond.md` §1.8).
import { describe, expect, test } from 'vitest';
import { createFetchHandler } from '../../../src/http/adapters/fetch.ts';
import { UnsentBytes } from '../../../src/http/limits/unsent-bytes.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type RequestParts, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
const FORM = 'application/x-www-form-urlencoded';
const OWN = 'application/vnd.svc.query';

await harbor.sql(`
    grant insert on api.berth to ${harbor.anon};
    create function api.add(a int, b int) returns int language sql immutable as 'select a + b';
    create function api.write_berth() returns void language sql volatile as $$ insert into api.berth values (9, 'x') $$;
    create view archive.berth as select 7 as id;
    grant select on archive.berth to ${harbor.anon};
  `);
const server = await use(startLocalServer(harbor, { 'db-schemas': 'api,archive', 'url-max-length': 200 }));
const foreign = await use(startLocalServer(harbor, { dialect: 'postgrest', extensions: 'query' }));
const plain = await use(startLocalServer(harbor, { extensions: 'none' }));

function query(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestParts {
  return { method: 'QUERY', headers: { 'Content-Type': FORM, ...headers }, body };
}

function postQuery(body: string, type: string = OWN): RequestParts {
  return { method: 'POST', headers: { 'Content-Type': type }, body };
}

function codeOf({ status, text }: Answer): string {
  return `${status} ${(JSON.parse(text) as { code: string }).code}`;
}

function bodyOf(answer: Answer): unknown {
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text);
}

describe('reading', () => {
  test('B22 QUERY reads its body like the query string that continues the one of the URL', async () => {
    expect(bodyOf(await server.get('/berth?select=id', query('id=gte.2&order=id.desc')))).toEqual([
      { id: 3 },
      { id: 2 },
    ]);
    expect(bodyOf(await server.get('/berth', query('select=name&name=eq.N%6Frth')))).toEqual([{ name: 'North' }]);
    expect(bodyOf(await server.get('/berth?order=id.desc&select=id', query('order=id&limit=1')))).toEqual([{ id: 3 }]);
    expect(bodyOf(await server.get('/berth?select=id', query('')))).toHaveLength(3);
  });

  test('B22 QUERY calls functions with arguments, read-only', async () => {
    expect(bodyOf(await server.get('/rpc/add?a=1', query('b=41')))).toBe(42);
    expect(codeOf(await server.get('/rpc/write_berth', query('')))).toBe('405 25006');
  });

  test('B22 what determines a GET determines a QUERY: Range, Accept-Profile, Prefer', async () => {
    const { status, headers, text } = await server.get(
      '/berth',
      query('select=id&order=id', { Range: '1-1', Prefer: 'count=exact' }),
    );
    expect([status, headers['content-range'], text]).toEqual([206, '1-1/3', '[{"id":2}]']);
    expect(bodyOf(await server.get('/berth', query('', { 'Accept-Profile': 'archive' })))).toEqual([{ id: 7 }]);
    const both = { 'Accept-Profile': 'archive', 'Content-Profile': 'api' };
    expect(bodyOf(await server.get('/berth', query('', both)))).toEqual([{ id: 7 }]);
  });

  test('B22 there is no Content-Location, also for cached plans and beside a GET of the same shape', async () => {
    for (const id of [1, 2, 3]) {
      const { headers, text } = await server.get('/berth', query(`id=eq.${id}&select=id`));
      expect([headers['content-location'], text]).toEqual([undefined, `[{"id":${id}}]`]);
      const got = await server.get(`/berth?id=eq.${id}&select=id`, { headers: { 'Content-Type': FORM } });
      expect(got.headers['content-location']).toBe(`/berth?id=eq.${id}&select=id`);
    }
  });

  test('B22 the body may be longer than a URL; the URL itself is not limited either', async () => {
    const ids = Array.from({ length: 40_000 }, (_, index) => index + 2);
    expect(bodyOf(await server.get('/berth', query(`select=id&id=in.(${ids.join()})`)))).toHaveLength(2);
    const long = `/berth?select=id&name=neq.${'x'.repeat(300)}`;
    expect(codeOf(await server.get(long))).toBe('414 SVC129');
    expect(bodyOf(await server.get(long, query('')))).toHaveLength(3);
  });

  test('B22 functions see the method QUERY', async () => {
    expect(bodyOf(await server.get('/rpc/setting', query('name=request.method')))).toBe('QUERY');
    expect(bodyOf(await server.get('/rpc/setting', postQuery('name=request.method')))).toBe('QUERY');
  });

  test('B23 POST with the media type of queries means the same', async () => {
    for (const type of [OWN, `${OWN}; charset=utf-8`, 'Application/VND.pgrst.Query'])
      expect(bodyOf(await server.get('/berth?select=id', postQuery('id=eq.2', type)))).toEqual([{ id: 2 }]);
    const { headers } = await server.get('/berth', postQuery('id=eq.2'));
    expect(headers['content-location']).toBeUndefined();
    expect(bodyOf(await server.get('/rpc/add', postQuery('a=1&b=2')))).toBe(3);
    expect(codeOf(await server.get('/', postQuery('')))).toBe('405 SVC117');
  });
});

describe('errors', () => {
  test('B55 the type of the body is required', async () => {
    expect(codeOf(await server.get('/berth', { method: 'QUERY' }))).toBe('400 SVC102');
    expect(codeOf(await server.get('/berth', { method: 'QUERY', body: 'id=eq.1' }))).toBe('400 SVC102');
  });

  test('B55 another type is 415, and the response names the accepted one', async () => {
    const answer = await server.get(
      '/berth',
      query('{}', { 'Content-Type': 'application/json', Origin: 'http://a.test' }),
    );
    expect([codeOf(answer), answer.headers['accept-query']]).toEqual(['415 SVC107', FORM]);
    expect(answer.headers['access-control-expose-headers']).toContain('Accept-Query');
    const own = await foreign.get('/berth', query('{}', { 'Content-Type': 'application/json' }));
    expect([codeOf(own), own.headers['accept-query']]).toEqual(['415 PGRST107', FORM]);
  });

  test('B55 the root, unknown paths and unknown relations', async () => {
    expect(codeOf(await server.get('/', query('')))).toBe('405 SVC117');
    expect(codeOf(await server.get('/a/b/c', query('')))).toBe('404 SVC125');
    expect(codeOf(await server.get('/nothing', query('')))).toBe('404 SVC205');
    expect(codeOf(await server.get('/berth', query('select=(')))).toBe('400 SVC100');
    expect(codeOf(await server.get('/berth', query(new Uint8Array([0x61, 0x3d, 0xff]))))).toBe('400 SVC102');
  });

  test('B55 a body above 8 MiB, or above server-max-body-size, is 413', async () => {
    const long = 'a'.repeat(8_388_609);
    const answer = await server.get('/berth', query(long));
    expect(codeOf(answer)).toBe('413 SVC129');
    expect(answer.text).toContain('8388608');
    const chunked = await server.get('/berth', query(long, { 'Transfer-Encoding': 'chunked' }));
    expect(codeOf(chunked)).toBe('413 SVC129');
    const small = await startLocalServer(harbor, { 'server-max-body-size': 1000 });
    expect(codeOf(await small.get('/berth', query('a'.repeat(1001))))).toBe('413 SVC129');
    expect(codeOf(await small.get('/berth', postQuery('a'.repeat(1001))))).toBe('413 SVC129');
    await small.stop();
  });

  test('B55 a long body is refused by its head', async () => {
    const parts = query('a'.repeat(100_000), { 'Content-Type': 'text/plain' });
    expect(codeOf(await server.get('/berth', parts))).toBe('415 SVC107');
  });
});

describe('limits', () => {
  const beyond = (details: string, hint?: string): unknown => ({
    code: 'SVC129',
    message: 'The request exceeds a limit of this server',
    details,
    hint: hint ?? null,
  });
  const errorOf = async (answer: Promise<Answer>): Promise<unknown> => {
    const { status, text } = await answer;
    expect(status).toBe(400);
    return JSON.parse(text);
  };

  test.each([
    ['filters', 'id=gte.1&'.repeat(900_000)],
    ['unknown parameters', 'a=1&'.repeat(2_000_000)],
    ['ampersands', '&'.repeat(8_000_000)],
    ['members of a tree', `or=(${'id.eq.1,'.repeat(1_000_000)}id.eq.1)`],
    ['words of a search', `name=fts.${'a%26'.repeat(900_000)}a`],
    ['columns', `columns=${'a,'.repeat(4_000_000)}a`],
  ])('B22v a query has up to 10,000 terms: %s', async (_, body) => {
    expect(await errorOf(server.get('/berth', query(body)))).toEqual(
      beyond(
        'a query has up to 10000 parameters, conditions and other terms',
        'The operator sets this limit with url-max-terms',
      ),
    );
  });

  test('B22w as many conditions as may be are one query', async () => {
    const filters = 'id=gte.1&'.repeat(9998);
    expect(bodyOf(await server.get('/berth?select=id', query(`${filters}id=gte.1`)))).toHaveLength(3);
    expect(codeOf(await server.get('/berth?select=id', query(`${filters}id=gte.1&`)))).toBe('400 SVC129');
    const members = 'id.eq.2,'.repeat(9995);
    expect(bodyOf(await server.get('/berth', query(`select=id&or=(${members}id.eq.1)&order=name`)))).toHaveLength(2);
    expect(codeOf(await server.get('/berth', query(`select=id&or=(${members}id.eq.1)&order=name,id`)))).toBe(
      '400 SVC129',
    );
  });

  test('B22x a list has up to 250,000 elements', async () => {
    const list = (count: number): RequestParts => query(`select=id&id=in.(${'7,'.repeat(count - 1)}1)`);
    expect(bodyOf(await server.get('/berth', list(250_000)))).toEqual([{ id: 1 }]);
    expect(await errorOf(server.get('/berth', list(250_001)))).toEqual(
      beyond('lists have up to 250000 elements together'),
    );
  });

  test('B22z the hint of an error does not depend on a long query', async () => {
    await harbor.sql(`create table api.locked (id int)`);
    await server.reload();
    const hintFor = async (filters: number): Promise<unknown> =>
      (
        JSON.parse((await server.get('/locked', query(`${'id=gte.1&'.repeat(filters)}id=gte.1`))).text) as {
          hint: unknown;
        }
      ).hint;
    expect(await hintFor(0)).toMatch(/GRANT SELECT ON api\.locked/u);
    expect(await hintFor(9000)).toBeNull();
  });

  test('B22y a value may be as long as the body, whatever its escapes', async () => {
    const values = ['%41', '%C3%A9', '%ff', '+', '%25', '*', 'a'];
    for (const value of values) {
      const body = query(`select=id&name=ilike.${value.repeat(Math.floor(8_000_000 / value.length))}z`);
      expect(bodyOf(await server.get('/berth', body))).toEqual([]);
    }
  });

  test('B22y a long list finds the texts that it means, whatever they contain', async () => {
    const odd = String.raw`\"%_é🚢`.repeat(20_000);
    await harbor.sql(`
      create table api.odd_name as
        select repeat($x$${String.raw`\"%_é🚢`}$x$, 20000) as name union all select 'plain' union all select '%';
      grant select on api.odd_name to ${harbor.anon}`);
    await server.reload();
    const quoted = `"${odd.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
    for (const [filter, count] of [
      [`name=in.(${encodeURIComponent(quoted)},plain)`, 2],
      [`or=(name.eq.${encodeURIComponent(quoted)},name.eq."%25")`, 2],
      [`name=starts.${encodeURIComponent(odd)}`, 1],
      [`name=not.has.${encodeURIComponent(odd)}`, 2],
    ] as const) {
      expect(bodyOf(await server.get('/odd_name', query(`select=name&${filter}`))), filter.slice(0, 20)).toHaveLength(
        count,
      );
    }
  });

  test('B12i a tree that leads far through related rows is refused, also in a URL', async () => {
    const wide = await startLocalServer(harbor, {});
    const related = `or=(${'a.'.repeat(40_000)}eq.1)`;
    const error = beyond(
      'embedded resources nest up to 32 levels deep',
      'The operator sets this limit with url-max-embed-depth',
    );
    expect(await errorOf(wide.get(`/berth?${related}`))).toEqual(error);
    expect(await errorOf(wide.get('/berth', query(`${related}&id=eq.1`)))).toEqual(error);
    await wide.stop();
  });
});

describe('discovery', () => {
  test('B22 OPTIONS lists QUERY behind HEAD and the accepted type', async () => {
    const { headers } = await server.get('/berth', { method: 'OPTIONS' });
    expect([headers['allow'], headers['accept-query']]).toEqual(['OPTIONS,GET,HEAD,QUERY,POST,PUT,PATCH,DELETE', FORM]);
    const routine = await server.get('/rpc/who', { method: 'OPTIONS' });
    expect([routine.headers['allow'], routine.headers['accept-query']]).toEqual(['OPTIONS,GET,HEAD,QUERY,POST', FORM]);
    const root = await server.get('/', { method: 'OPTIONS' });
    expect([root.headers['allow'], root.headers['accept-query']]).toEqual(['OPTIONS,GET,HEAD', undefined]);
  });

  test('B22 CORS allows the method', async () => {
    const headers = { Origin: 'http://a.test', 'Access-Control-Request-Method': 'QUERY' };
    const preflight = await server.get('/berth', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(200);
    expect(preflight.headers['access-control-allow-methods']).toBe(
      'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY',
    );
  });

  test('B22 the Fetch handler takes QUERY as well', async () => {
    const handle = createFetchHandler(server.server.service, {
      options: {},
      onLimit: () => undefined,
      unsent: new UnsentBytes(),
    });
    const headers = { 'Content-Type': FORM };
    const response = await handle(
      new Request('http://a.test/berth?select=id', { method: 'QUERY', headers, body: 'id=eq.3' }),
    );
    expect([response.status, await response.json()]).toEqual([200, [{ id: 3 }]]);
    const body = 'a'.repeat(8_388_609);
    const long = await handle(new Request('http://a.test/berth', { method: 'QUERY', headers, body }));
    expect(long.status).toBe(413);
  });

  test('B54 without the extension nothing knows QUERY', async () => {
    expect(codeOf(await plain.get('/berth', query('id=eq.1')))).toBe('405 SVC117');
    expect(codeOf(await plain.get('/rpc/who', query('')))).toBe('405 SVC101');
    expect(codeOf(await plain.get('/berth', postQuery('id=eq.1')))).toBe('415 SVC107');
    const { headers } = await plain.get('/berth', { method: 'OPTIONS' });
    expect([headers['allow'], headers['accept-query']]).toEqual(['OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE', undefined]);
    const asked = { Origin: 'http://a.test', 'Access-Control-Request-Method': 'GET' };
    const preflight = await plain.get('/berth', { method: 'OPTIONS', headers: asked });
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD');
  });

  test('B22 the dialect postgrest can have it on, with its own media type only', async () => {
    expect(bodyOf(await foreign.get('/berth?select=id', query('id=eq.2')))).toEqual([{ id: 2 }]);
    const type = 'application/vnd.pgrst.query';
    expect(bodyOf(await foreign.get('/berth?select=id', postQuery('id=eq.2', type)))).toEqual([{ id: 2 }]);
    expect(codeOf(await foreign.get('/berth', postQuery('id=eq.1')))).toBe('400 PGRST102');
  });
});
