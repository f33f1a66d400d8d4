// Lenient query strings: brackets that distinguish repeated parameters, text after complete values, and values too long
// to repeat in headers (`reading.md` §3.3, §3.6, §2.4).
import { describe, expect, test } from 'vitest';
import { PRODUCT } from '../../src/contract/product.ts';
import { useHarbor } from '../support/harbor.ts';
import { type LocalServer, post, startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`create table api.odd ("a[0]" int primary key, "order" int, data jsonb);
    insert into api.odd values (1, 10, '{"a[0]": 5}'), (2, 20, '{"a": 5}');
    insert into api.visit values (1, 1), (2, 2);
    grant select on api.odd to ${harbor.anon};
    grant delete, update on api.visit to ${harbor.anon};
    create function api.told("a[]" text) returns setof api.berth language sql stable
      as 'select * from api.berth where name <> $1'`);
const options = { 'db-tx-end': 'rollback' };
const svc = await use(startLocalServer(harbor, options));
const postgrest = await use(startLocalServer(harbor, { ...options, dialect: 'postgrest' }));

const AGENT = `299 ${PRODUCT.token}v${PRODUCT.version}`;
const trailingTextWarning = (text: string): string =>
  `${AGENT} "Trailing text in the query string was ignored: ${text}."`;

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const server = (): LocalServer => (dialect === 'svc' ? svc : postgrest);

  test.each([
    ['several search patterns', '/berth?select=id&name[0]=ilike.*o*&name[1]=ilike.*u*', [{ id: 2 }]],
    ['several conditions on a column', '/berth?select=id&id[]=gte.1&id[]=lt.3&order=id', [{ id: 1 }, { id: 2 }]],
    [
      'conditions on an embed',
      '/visit?select=id,berth!inner(name)&berth.name%5B0%5D=eq.South&berth.name%5B1%5D=like.S*',
      [{ id: 2, berth: { name: 'South' } }],
    ],
    ['a quoted column name with brackets', '/odd?select=order&%22a[0]%22=eq.1', [{ order: 10 }]],
    ['a JSON key with brackets', '/odd?select=order&data->a[0]=eq.5', [{ order: 10 }]],
    ['a column with the name of a keyword', '/odd?select=order&order[]=gt.10&order=order', [{ order: 20 }]],
    ['filters on the rows of a function', '/rpc/told?a[]=North&select=id&id[0]=gt.1&id[1]=lt.3', [{ id: 2 }]],
  ])('R238 brackets: %s', async (_title, target, rows) => {
    const { status, text, headers } = await server().get(target);
    expect([status, JSON.parse(text)]).toEqual([200, rows]);
    expect(headers).not.toHaveProperty('warning');
  });

  test('R238 brackets: only an operator makes a parameter a filter of a function', async () => {
    const { status, text } = await server().get('/rpc/told?a[0]=North');
    expect([status, JSON.parse(text)]).toMatchObject([404, { hint: expect.stringContaining('api.told') }]);
  });

  test('R238 brackets: a keyword with brackets is not a keyword', async () => {
    const { status, text } = await server().get('/berth?select[]=id');
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { message: '"failed to parse filter (id)" (line 1, column 1)' },
    ]);
  });

  test('R238 brackets: a cached plan is filled with the values of each request', async () => {
    for (const [from, to] of [
      [1, 2],
      [2, 3],
      [1, 3],
    ] as const) {
      const rows = await server().json(`/berth?select=id&id[0]=gte.${from}&id[1]=lt.${to}&order=id`);
      expect(rows).toEqual(Array.from({ length: to - from }, (_, index) => ({ id: from + index })));
    }
  });

  test('R240 Content-Location is omitted beyond 4096 bytes', async () => {
    const at = async (length: number): Promise<unknown> => {
      const start = '/berth?id=in.%281%2C';
      const target = `${start}${'1'.padStart(length - start.length - 3, '0')}%29`;
      const { status, headers } = await server().get(target);
      return [status, headers['content-location']?.length];
    };
    expect(await at(4096)).toEqual([200, 4096]);
    expect(await at(4097)).toEqual([200, undefined]);
  });

  test('R240 a client on Node.js can read the response to a long list', async () => {
    const ids = Array.from({ length: 3000 }, (_, index) => index + 1);
    const answer = await fetch(`http://127.0.0.1:${server().port}/berth?select=id&id=in.(${ids.join(',')})&order=id`);
    expect([answer.status, await answer.json()]).toEqual([200, [{ id: 1 }, { id: 2 }, { id: 3 }]]);
  });
});

describe('text after complete values in the postgrest dialect', () => {
  test.each([
    ['/berth?and=(id.eq.1,id.neq.2))&select=id', '`)` in `and`', [{ id: 1 }]],
    ['/visit?select=id,berth(id)zz&id=eq.1', '`zz` in `select`', [{ id: 1, berth: { id: 1 } }]],
    ['/berth?name=not.is.nullzz&id=eq.3&select=id', '`zz` in `name`', [{ id: 3 }]],
    ['/berth?id)=eq.1&select=id', '`)` in `id)`', [{ id: 1 }]],
    ['/rpc/told?a[]=North&id=in.(2)x&select=id', '`x` in `id`', [{ id: 2 }]],
    [
      '/berth?id=eq.1&columns=id%0d%0aX-Own:%20"1"%c3%a4%60&select=id',
      '`%0D%0AX-Own: %221%22%C3%A4%60` in `columns`',
      [{ id: 1 }],
    ],
    [
      `/berth?id=is.null${'z'.repeat(200)}&select=id)&or=(id.eq.1)%25&columns=id.&on_conflict=id!`,
      '`%25` in `or`, `.` in `columns`, `)` in `select` and 2 more',
      [],
    ],
    [`/berth?id=is.null${'z'.repeat(200)}`, `\`${'z'.repeat(97)}...\` in \`id\``, []],
  ])('R239 is ignored with a warning: %s', async (target, text, rows) => {
    const responses = [await postgrest.get(target), await postgrest.get(target)];
    for (const { status, text: body, headers } of responses) {
      expect([status, JSON.parse(body)]).toEqual([200, rows]);
      expect(headers['warning']).toBe(trailingTextWarning(text));
    }
  });

  test('R239 requests with other values share the cached plan and its warning', async () => {
    for (const id of [1, 2, 3]) {
      const { text, headers } = await postgrest.get(`/berth?id)=eq.${id}&select=id,name::text)`);
      expect(JSON.parse(text)).toMatchObject([{ id }]);
      expect(headers['warning']).toBe(trailingTextWarning('`)` in `select`, `)` in `id)`'));
    }
  });

  test('R239 is ignored in writes too', async () => {
    const written = await postgrest.get('/berth?columns=id,name)&select=id)&on_conflict=id)', {
      ...post({ id: 9, name: 'East' }),
      headers: { 'Content-Type': 'application/json', Prefer: 'return=representation' },
    });
    expect([written.status, written.text]).toEqual([201, '[{"id":9}]']);
    expect(written.headers['warning']).toBe(
      trailingTextWarning('`)` in `columns`, `)` in `select`, `)` in `on_conflict`'),
    );
    const removed = await postgrest.get('/visit?id]=eq.1', { method: 'DELETE', headers: { Prefer: 'count=exact' } });
    expect([removed.status, removed.headers['content-range']]).toEqual([204, '*/1']);
    expect(removed.headers['warning']).toBe(trailingTextWarning('`]` in `id]`'));
  });

  test('R239 the warning is sent along with other warnings', async () => {
    const both = await postgrest.get('/visit?select=id,%22q%0d\\%22%22:berth(name)x&berth.id=eq.1&id=eq.1');
    expect(both.status).toBe(200);
    expect(both.headers['warning']).toBe(
      `${AGENT} "Embedded resource was referenced by relation name even though it has an alias. This is deprecated and ` +
        'will stop working in a future release. Update `berth` to `q%0D%22` in query string filters, orders or limits.", ' +
        trailingTextWarning('`x` in `select`'),
    );
  });
});

test.each([
  ['/berth?and=(id.eq.1,id.neq.2))', 'logic tree ((id.eq.1,id.neq.2)))" (line 1, column 22)'],
  ['/visit?select=id,berth(id)zz', 'select parameter (id,berth(id)zz)" (line 1, column 13)'],
  ['/berth?id=is.nullzz', 'filter (is.nullzz)" (line 1, column 8)'],
  ['/berth?id)=eq.1', 'tree path (id))" (line 1, column 3)'],
  ['/berth?columns=id)', 'columns parameter (id))" (line 1, column 3)'],
  ['/berth?on_conflict=id)', 'on_conflict parameter (id))" (line 1, column 3)'],
])('R239 text after complete values is rejected in the svc dialect: %s', async (target, message) => {
  const { status, text, headers } = await svc.get(target);
  expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'SVC100', message: `"failed to parse ${message}` }]);
  expect(headers).not.toHaveProperty('warning');
});
