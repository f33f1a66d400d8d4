// A row found by its key skips counting and aggregation, and the response is the same. The test compares it with the
// same row behind a view, which is counted and aggregated.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, type Options, type RequestParts, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;
/** Bytes of a row that is streamed. */
const LONG = 3_000_000;

await harbor.sql(`
    create table api.crate (id int primary key, crate text, price numeric, "a ""b""" int[], extra json, berth_id int references api.berth);
    insert into api.crate values (1, E'ü " \\\\ \\n', 1.50, '{1,null}', '{"a": null, "b": [1]}', 1), (2, null, null, null, null, null),
      (3, repeat('ö', ${LONG}), 0, '{}', '[]', 2);
    create view api.crate_seen as select * from api.crate;
    create table api.slot (deck int, place int, note text, primary key (deck, place));
    insert into api.slot select deck, place, deck || '-' || place from generate_series(1, 3) deck, generate_series(1, 3) place;
    create view api.slot_seen as select * from api.slot;
    create table api.kin (id int primary key, name text);
    create table api.kin_child () inherits (api.kin);
    insert into api.kin values (1, 'of the table'), (2, repeat('t', ${LONG}));
    insert into api.kin_child values (1, 'of its child'), (2, repeat('c', ${LONG}));
    create view api.kin_seen as select * from api.kin;
    create table api.heir (id int primary key, kin int references api.kin);
    insert into api.heir values (1, 1), (2, 2);
    create view api.heir_seen as select * from api.heir;
    create materialized view api.copies as select berth.*, number from api.berth, generate_series(1, 2) number;
    create view api.copies_seen as select * from api.copies;
    create table api.none ();
    insert into api.none default values;
    create view api.none_seen as select * from api.none;
    create function api.welcome() returns void language plpgsql as
      $$ begin perform set_config('response.headers', '[{"X-Welcome": "yes"}]', true); end $$;
    grant select on api.crate, api.crate_seen, api.slot, api.slot_seen, api.kin, api.kin_seen, api.heir, api.heir_seen, api.copies,
      api.copies_seen, api.none, api.none_seen
      to ${harbor.anon}`);

async function start(options: Options = {}): Promise<void> {
  server = await use(startLocalServer(harbor, options));
}

const OBJECT = 'application/vnd.svc.object+json';
const STRIPPED = 'application/vnd.svc.array+json;nulls=stripped';

test.each<[string, RequestParts['headers']?]>([
  ['/crate?id=eq.1'],
  ['/crate?id=eq.2'],
  ['/crate?id=eq.9'],
  ['/crate?id=eq.3'],
  ['/crate?id=eq.1', { Prefer: 'count=exact' }],
  ['/crate?id=eq.9', { Prefer: 'count=exact' }],
  ['/crate?id=eq.1', { Prefer: 'count=planned' }],
  ['/crate?id=eq.1', { Range: '0-0' }],
  ['/crate?id=eq.1', { Range: '3-' }],
  ['/crate?id=eq.1', { Accept: OBJECT }],
  ['/crate?id=eq.3', { Accept: OBJECT }],
  ['/crate?id=eq.9', { Accept: OBJECT }],
  ['/crate?id=eq.1', { Accept: `${OBJECT};nulls=stripped` }],
  ['/crate?id=eq.2', { Accept: STRIPPED }],
  ['/crate?id=eq.9', { Accept: STRIPPED }],
  ['/crate?id=eq.1', { Accept: 'text/csv' }],
  ['/crate?id=eq.1&select='],
  ['/crate?id=eq.1&select=no:id,crate,extra->b,berth(name)'],
  ['/crate?id=eq.1&select=id,berth(name)&berth.name=eq.North'],
  ['/crate?id=eq.2&select=id,berth!inner(name)'],
  ['/crate?id=eq.1&select=id,...berth(name)'],
  ['/crate?id=eq.1&crate=is.null'],
  ['/crate?id=eq.1&id=eq.2'],
  ['/crate?id=not.eq.1&select=id&order=id'],
  ['/crate?id=in.(1,2)&select=id&order=id'],
  ['/crate?id=eq(any).{1,2}&select=id&order=id'],
  ['/crate?or=(id.eq.1,id.eq.2)&select=id&order=id'],
  ['/crate?order=id.desc&limit=1&offset=1', { Prefer: 'count=exact' }],
  ['/crate?order=id.desc&limit=1&offset=1'],
  ['/crate?order=id&limit=1', { Accept: OBJECT }],
  ['/crate?id=eq.x'],
  ['/crate?id=eq.1&limit=0'],
  ['/slot?deck=eq.2&place=eq.3'],
  ['/slot?deck=eq.2&order=place'],
  ['/slot?deck=eq.2', { Accept: OBJECT }],
  ['/kin?id=eq.1&order=name'],
  ['/kin?id=eq.1', { Accept: OBJECT }],
  ['/kin?id=eq.1', { Accept: STRIPPED }],
  ['/kin?id=eq.2&order=name'],
  ['/kin?id=eq.2', { Accept: OBJECT }],
  ['/heir?id=eq.1&select=id,kin(name)&order=kin(name)'],
  ['/heir?id=eq.2&select=id,...kin(name)&order=kin(name)', { Prefer: 'count=exact' }],
  ['/copies?id=eq.2&order=number'],
  ['/none?limit=1'],
])('R223 R224 %s with %j equals the same rows behind a view', async (target, headers = {}) => {
  await start();
  const seen = await server.get(target.replace(/^\/\w+/u, '$&_seen'), { headers });
  const { status, headers: got, text } = await server.get(target, { headers });
  const { date: _, 'content-location': _location, ...expected } = seen.headers;
  expect([status, got]).toEqual([seen.status, expect.objectContaining(expected)]);
  expect(Object.keys(got).toSorted()).toEqual(Object.keys(seen.headers).toSorted());
  expect(text.replaceAll('crate_seen', 'crate') === seen.text.replaceAll('crate_seen', 'crate')).toBe(true);
});

test('R142 HEAD answers like GET', async () => {
  await start();
  for (const target of ['/crate?id=eq.1', '/crate?id=eq.9']) {
    const head = await server.get(target, { method: 'HEAD', headers: { Prefer: 'count=exact' } });
    const get = await server.get(target, { headers: { Prefer: 'count=exact' } });
    expect([head.status, head.headers['content-range'], head.text]).toEqual([
      get.status,
      get.headers['content-range'],
      '',
    ]);
  }
});

test('O123 headers of a pre-request function are sent with a single row, too', async () => {
  await start({ 'db-pre-request': 'api.welcome' });
  const { headers, text } = await server.get('/berth?id=eq.1');
  expect([headers['x-welcome'], text]).toEqual(['yes', '[{"id":1,"name":"North"}]']);
});

test('R224 a key dropped since the schema was loaded returns all matching rows', async () => {
  await harbor.sql(`
    create table api.loose (id int primary key, note text);
    insert into api.loose values (1, 'one');
    grant select on api.loose to ${harbor.anon}`);
  await start({ 'db-channel-enabled': false });
  await harbor.sql(`
    alter table api.loose drop constraint loose_pkey;
    insert into api.loose values (1, 'two'), (2, repeat('x', ${LONG})), (2, repeat('y', ${LONG}))`);
  const both = await server.get('/loose?id=eq.1', { headers: { Prefer: 'count=exact' } });
  expect([both.status, both.headers['content-range']]).toEqual([200, '0-1/2']);
  expect(both.text).toBe('[{"id":1,"note":"one"}, \n {"id":1,"note":"two"}]');
  const one = await server.get('/loose?id=eq.1', { headers: { Accept: OBJECT } });
  expect([one.status, one.text]).toEqual([
    406,
    '{"code":"SVC116","details":"The result contains 2 rows","hint":null,"message":"Cannot coerce the result to a single JSON object"}',
  ]);
  const rows = ['x', 'y'].map((letter) => `{"id":2,"note":"${letter.repeat(LONG)}"}`);
  expect((await server.get('/loose?id=eq.2')).text === `[${rows.join(', \n ')}]`).toBe(true);
  const stripped = await server.get('/loose?id=eq.1', { headers: { Accept: STRIPPED } });
  expect(stripped.text).toBe('[{"id":1,"note":"one"},{"id":1,"note":"two"}]');
  expect((await server.get('/loose?id=eq.2&limit=1')).text.length).toBe(LONG + '[{"id":2,"note":""}]'.length);
});

test('R224 a filter that fails on another row after a long one is reported', async () => {
  await harbor.sql(`
    create table api.crag (id int primary key, note text);
    insert into api.crag values (1, repeat('b', ${LONG})), (2, 'sxx');
    analyze api.crag;
    grant select on api.crag to ${harbor.anon}`);
  await start({ 'db-pool': 1 });
  // Twice: the second time, the statement is known to return long rows.
  for (const id of [1, 1]) {
    const { status, text } = await server.get(`/crag?note=not.like.s%5C&id=eq.${id}`);
    expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: '22025' })]);
  }
  for (const id of [1, 2, 1])
    expect((await server.get(`/crag?id=eq.${id}`)).text.length).toBe(id === 1 ? LONG + 20 : 23);
});
