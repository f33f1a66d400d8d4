// Nested writes whose keys the database makes, and rows that cannot be written.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { failureOf, sendNested, useMarket, written } from './market.ts';

const market = await useMarket();
const { anon, user } = market;
await market.sql(`
  create table api.box (id text primary key default 'x', name text);
  create table api.thing (id serial primary key, box_id text not null references api.box, name text);
  create function api.rename_box() returns trigger language plpgsql as $$ begin
    if new.name like 'drop%' then return null; end if;
    new.id := md5(new.name); return new; end $$;
  create trigger rename_box before insert on api.box for each row execute function api.rename_box();
  create table api.room (id int generated always as identity primary key, name text, owner text default current_user);
  create table api.chair (
    id int generated always as identity primary key, room_id int references api.room, name text,
    loud text generated always as (upper(name)) stored);
  alter table api.room enable row level security;
  alter table api.chair enable row level security;
  create policy rooms on api.room using (owner = current_user);
  create policy chairs on api.chair using (exists (select from api.room r where r.id = room_id));
  create table api.late (id int primary key, next int references api.late deferrable initially deferred);
  create table api.gate (id int primary key, secret text);
  create table api.lock (id serial primary key, gate_id int references api.gate, name text, hidden text);
  create view api.room_view as select id, name from api.room;
  create function api.computed(api.orders) returns setof api.item rows 1 language sql stable as
    $$ select * from api.item where order_id = $1.id $$;
  grant select, insert, update, delete on api.box, api.thing, api.room, api.chair, api.late to ${anon}, ${user};
  grant select (id), insert (id) on api.gate to ${anon};
  grant select (id), insert (gate_id, name) on api.lock to ${anon};
  create table api.seal (id serial primary key, tag_id uuid references api.tag, note text);
  grant select, insert on api.seal to ${anon};
  grant usage on all sequences in schema api to ${anon}, ${user};
  create schema hidden;
  create table hidden.orders_person (order_id int references api.orders, person_id int references api.person,
    primary key (order_id, person_id));
  create table api.quiet (order_id int references api.orders, box_id text references api.box,
    primary key (order_id, box_id));
  revoke all on api.quiet from ${anon};
`);
const start = useServers(market);
const server = await start();

describe('keys', () => {
  test('B34 a key that a trigger sets is the one that children refer to', async () => {
    const body = [
      { name: 'b', thing: [{ name: 'of b' }] },
      { name: 'a', thing: [{ name: 'of a' }] },
    ];
    expect(await written(server, '/box?select=name,thing(name)', body)).toEqual([
      { name: 'b', thing: [{ name: 'of b' }] },
      { name: 'a', thing: [{ name: 'of a' }] },
    ]);
  });

  test('B34b a parent that a trigger drops fails the request, and a row without related rows does not', async () => {
    const body = [
      { name: 'kept', thing: [{ name: 't' }] },
      { name: 'drop', thing: [{ name: 'orphan' }] },
    ];
    expect(await failureOf(server, '/box', body)).toMatchObject({ status: 400, code: 'SVC135', details: '/1' });
    expect(await market.query("select count(*)::int from api.box where name = 'kept'")).toEqual([[0]]);
    const accepted = [
      { name: 'kept', thing: [{ name: 't' }] },
      { name: 'drop', thing: null },
    ];
    expect(await written(server, '/box?select=name', accepted)).toEqual([{ name: 'kept' }]);
  });

  test('B34c policies, defaults and generated columns hold as they do for single writes', async () => {
    const body = { name: 'hall', chair: [{ name: 'red' }, { name: 'blue' }] };
    expect(await written(server, '/room?select=name,chair(loud)', body)).toEqual([
      { name: 'hall', chair: [{ loud: 'RED' }, { loud: 'BLUE' }] },
    ]);
    const foreign = { name: 'hall', owner: 'someone', chair: [{ name: 'red' }] };
    expect(await failureOf(server, '/room', foreign)).toMatchObject({ status: 401, code: '42501' });
    const generated = { name: 'hall', chair: [{ loud: 'x' }] };
    expect(await failureOf(server, '/room', generated)).toMatchObject({ code: '428C9' });
  });

  test('B34d column privileges hold on each level', async () => {
    const ok = await sendNested(server, '/gate', { id: 1, lock: [{ name: 'a' }] });
    expect(ok.status).toBe(201);
    const refused = await failureOf(server, '/gate', { id: 2, lock: [{ name: 'a', hidden: 'x' }] });
    expect(refused).toMatchObject({ status: 401, code: '42501' });
    expect(await market.query('select id from api.gate')).toEqual([[1]]);
  });

  test('B34e a deferred constraint fails the whole request at its end', async () => {
    const cycle = { id: 1, next: 2, late: [{ id: 2 }] };
    expect((await sendNested(server, '/late', cycle)).status).toBe(201);
    const broken = { id: 3, next: 99, late: [{ id: 4 }] };
    expect(await failureOf(server, '/late', broken)).toMatchObject({ status: 409, code: '23503' });
    expect(await market.query('select count(*)::int from api.late')).toEqual([[2]]);
  });

  test('B34f a key that the relationship fills in may be repeated, but not differ', async () => {
    const same = [{ name: 'same', thing: [{ box_id: createHash('md5').update('same').digest('hex'), name: 's' }] }];
    expect((await sendNested(server, '/box', same)).status).toBe(201);
    const other = [{ name: 'other', thing: [{ box_id: 'different', name: 's' }] }];
    expect(await failureOf(server, '/box', other)).toMatchObject({
      status: 400,
      code: 'SVC135',
      details: '/0/thing/0',
    });
    const above = { note: 'x', customer_id: 0, customer: { name: 'c' } };
    expect(await failureOf(server, '/orders', above)).toMatchObject({ code: 'SVC135', details: '""' });
    const spelled = { id: 77, name: 'n', order_id: null };
    expect(await failureOf(server, '/orders', { item: [spelled] })).toMatchObject({ details: '/item/0' });
    expect(await market.query("select count(*)::int from api.box where name = 'other'")).toEqual([[0]]);
  });

  test('B34g a repeated key is compared as a value of its type', async () => {
    const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
    const rows = [{ id, label: 'typed', seal: [{ tag_id: id.toUpperCase(), note: 's' }] }];
    expect(await written(server, '/tag?select=seal(note)', rows)).toEqual([{ seal: [{ note: 's' }] }]);
  });
});

describe('rows that cannot be written', () => {
  const cases: readonly (readonly [title: string, path: string, body: unknown, details: string])[] = [
    ['an unknown key with an array', '/orders', { note: 'a', nothing: [] }, '/nothing'],
    ['an unknown key with an object', '/orders', [{ note: 'a', 'a/b~c': {} }], '/0/a~1b~0c'],
    ['a level below', '/orders', [{ item: [{ name: 'a' }, { name: 'b', nope: [{}] }] }], '/0/item/1/nope'],
    ['an object for an array', '/orders', { item: {} }, '/item'],
    ['an array for an object', '/orders', { customer: [] }, '/customer'],
    ['a scalar for related rows', '/orders', { item: 5 }, '/item'],
    ['an element that is no object', '/orders', { item: [{ name: 'a' }, 5] }, '/item/1'],
    ['a computed relationship', '/orders', { computed: {} }, '/computed'],
    ['several relationships', '/person', { name: 'p', 'person!x': [] }, '/person!x'],
    ['a view without a known key', '/customer', { name: 'c', order_view: [{ note: 'v' }] }, '/order_view'],
    ['a parent view without a known key', '/order_view', { note: 'v', customer: { name: 'c' } }, '""'],
    ['a junction with further required columns', '/orders', { badge: [{ id: 1 }] }, '/badge'],
    ['a junction that is not exposed', '/orders', { 'person!orders_person': [{ name: 'p' }] }, '/person!orders_person'],
    ['a junction that the role cannot see', '/orders', { box: [{ name: 'p' }] }, '/box'],
  ];
  for (const [title, path, body, details] of cases) {
    test(`B36 ${title}`, async () => {
      const { code, status, details: place } = await failureOf(server, path, body);
      expect([status, code, place]).toEqual([400, 'SVC135', details]);
    });
  }

  test('B36b an unknown key with a scalar is an unknown column', async () => {
    for (const body of [{ nope: 1 }, { nope: null }, { item: [{ nope: 1 }] }, { item: [{ nope: null }] }])
      expect(await failureOf(server, '/orders', body)).toMatchObject({ status: 400, code: 'SVC204' });
  });

  test('B36c the keys of the objects in one array match, except for relationships', async () => {
    const mixed = { item: [{ name: 'a' }, { quantity: 1 }] };
    expect(await failureOf(server, '/orders', mixed)).toMatchObject({ status: 400, code: 'SVC102' });
    const arrays = [{ item: [{ name: 'a' }] }, { item: [{ name: 'b', quantity: 2 }] }];
    expect((await sendNested(server, '/orders', arrays)).status).toBe(201);
    expect(await failureOf(server, '/orders', '[{"item": [}]')).toMatchObject({ status: 400, code: 'SVC102' });
  });

  test('B36d levels are limited', async () => {
    const deep = (levels: number): unknown =>
      levels === 0 ? { name: 'p' } : { name: 'p', person: [deep(levels - 1)] };
    expect((await sendNested(server, '/person', deep(5))).status).toBe(201);
    expect(await failureOf(server, '/person', deep(6))).toMatchObject({ status: 400, code: 'SVC129' });
  });
});
