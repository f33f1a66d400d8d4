// Nested writes together with other extensions: cost budgets, idempotency keys, conditions, upserts, batches.
import { beforeEach, describe, expect, test } from 'vitest';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { answersOf, failureOf as batchFailureOf, type InnerRequest } from '../batch/send-batch.ts';
import { type LocalServer, useServers } from '../../support/local-server.ts';
import { failureOf, sendNested, useMarket, written } from './market.ts';

const market = await useMarket();
const { anon, user } = market;
await market.sql(`
  create table api.entry as select n as id from generate_series(1, 100000) n;
  create index on api.item (order_id);
  create table api.rack (id int primary key);
  create table api.slot (
    id int generated always as identity primary key, rack_id int references api.rack, code text, note text,
    live boolean default true);
  create unique index slot_code on api.slot (rack_id, code) where live;
  create table api.dear (id int generated always as identity primary key, order_id int references api.orders, name text);
  create index on api.dear (order_id);
  alter table api.dear enable row level security;
  create policy expensive on api.dear with check ((select count(*) from api.entry) > 0);
  create policy seen on api.dear for select using (true);
  grant select, insert, update, delete on all tables in schema api to ${anon}, ${user};
  grant usage on all sequences in schema api to ${anon}, ${user};
  ${renderIdempotencySetup('keys').join(';\n')};
  grant usage on schema keys to ${anon}, ${user};
  analyze`);
const start = useServers(market);
const OPTIONS = {
  'db-idempotency-schema': 'keys',
  'idempotency-anonymous': true,
  'db-tx-end': 'commit-allow-override',
};
const rich = await start(OPTIONS);
const poor = await start({ ...OPTIONS, 'db-max-cost': 1500 });

beforeEach(() => market.sql('truncate api.orders, api.tag restart identity cascade'));

const SHOWN = 'return=representation';
const NESTED = { Prefer: `nested=write, ${SHOWN}` };
const TREE = { note: 'a', item: [{ name: 'x' }, { name: 'y' }] };
const DEAR = { ...TREE, dear: [{ name: 'z' }] };

async function countRows(): Promise<unknown> {
  const [counts] = await market.query(
    'select (select count(*)::int from api.orders), (select count(*)::int from api.item), (select count(*)::int from api.dear)',
  );
  return counts;
}

describe('with a budget', () => {
  test('B6 B33 each statement is estimated, and one that is refused leaves nothing', async () => {
    expect(await written(poor, '/orders?select=note,item(name)', TREE)).toEqual([TREE]);
    const refused = await failureOf(poor, '/orders', DEAR);
    expect(refused).toMatchObject({ status: 400, code: 'SVC130', details: 'Estimated rows: 100000' });
    expect(await countRows()).toEqual([1, 2, 0]);
    expect(await written(rich, '/orders?select=note,dear(name)', DEAR)).toEqual([{ note: 'a', dear: DEAR.dear }]);
  });

  test('B6 B60 so is each command of a PATCH', async () => {
    const [{ id }] = (await written(poor, '/orders?select=id', TREE)) as [{ id: number }];
    const patch = { note: 'b', item: { create: [{ name: 'new' }] }, dear: { create: [{ name: 'z' }] } };
    const refused = await failureOf(poor, `/orders?id=eq.${id}`, patch, { method: 'PATCH' });
    expect(refused).toMatchObject({ status: 400, code: 'SVC130' });
    expect(await market.query('select note from api.orders')).toEqual([['a']]);
    expect(await countRows()).toEqual([1, 2, 0]);
  });

  test('B28 B33 a batch with references ends at its first expensive row and keeps nothing', async () => {
    const requests: readonly InnerRequest[] = [
      { id: 'o', method: 'POST', path: '/orders?select=id', body: TREE, headers: NESTED },
      { method: 'POST', path: '/item', body: { order_id: { $from: 'o', at: '/0/id' }, name: 'later' } },
      {
        method: 'PATCH',
        path: '/orders?select=item(name)&id=eq.{o#/0/id}',
        body: { item: { create: [{ name: 'last' }] } },
        headers: NESTED,
      },
    ];
    const answers = await answersOf(poor, requests);
    expect(answers.at(-1)?.body).toEqual([{ item: ['x', 'y', 'later', 'last'].map((name) => ({ name })) }]);
    const dear = { id: 'd', method: 'POST', path: '/orders', body: DEAR, headers: NESTED };
    const refused = await batchFailureOf(poor, [...requests, dear], { 'Idempotency-Key': 'refused' });
    expect(refused).toMatchObject({ status: 400, code: 'SVC130', request: 3, id: 'd' });
    expect(await countRows()).toEqual([1, 4, 0]);
  });

  test('B33g max-affected counts the rows of all levels', async () => {
    const limit = (rows: number) => ({ prefer: `handling=strict, max-affected=${rows}, tx=rollback` });
    expect(await failureOf(poor, '/orders', TREE, limit(2))).toMatchObject({ status: 400, code: 'SVC124' });
    expect((await sendNested(poor, '/orders', TREE, limit(3))).status).toBe(201);
    expect(await countRows()).toEqual([0, 0, 0]);
  });
});

describe('with an idempotency key', () => {
  for (const [title, server] of [
    ['without-budget', rich],
    ['with-budget', poor],
  ] as const) {
    const headers = { 'Idempotency-Key': title };

    test(`B49 B33 a nested write is done once and repeats its response, ${title}`, async () => {
      const send = (body: unknown) =>
        sendNested(server, '/orders?select=note,item(name)', body, { prefer: SHOWN, headers });
      // A request that fails leaves its key free.
      expect(await failureOf(server, '/orders', { item: [{ name: null }] }, { headers })).toMatchObject({
        status: 400,
      });
      const first = await send(TREE);
      const again = await send(TREE);
      expect([first.status, JSON.parse(first.text)]).toEqual([201, [TREE]]);
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true']);
      expect((await send(DEAR)).status).toBe(422);
      expect(await countRows()).toEqual([1, 2, 0]);
    });

    test(`B49 B60 so is a nested PATCH, ${title}`, async () => {
      const [{ id }] = (await written(server, '/orders?select=id', TREE)) as [{ id: number }];
      const parts = { method: 'PATCH', prefer: SHOWN, headers: { 'Idempotency-Key': `patch-${title}` } } as const;
      const body = { item: { create: [{ name: 'new' }] } };
      const first = await sendNested(server, `/orders?select=item(name)&id=eq.${id}`, body, parts);
      const again = await sendNested(server, `/orders?select=item(name)&id=eq.${id}`, body, parts);
      expect(JSON.parse(first.text)).toEqual([{ item: ['x', 'y', 'new'].map((name) => ({ name })) }]);
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
      expect(await countRows()).toEqual([1, 3, 0]);
    });

    test(`B49 B33 a rollback leaves the key free, ${title}`, async () => {
      const parts = { prefer: `tx=rollback, ${SHOWN}`, headers: { 'Idempotency-Key': `rollback-${title}` } };
      for (const _ of [1, 2]) {
        const answer = await sendNested(server, '/orders?select=note,item(name)', TREE, parts);
        expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
      }
      expect(await countRows()).toEqual([0, 0, 0]);
    });
  }
});

describe('with conditions and upserts', () => {
  test('B21 B60 conditions are refused where rows are nested, and checked where none are', async () => {
    const [{ id }] = (await written(rich, '/orders?select=id', TREE)) as [{ id: number }];
    const patch = { method: 'PATCH', headers: { 'If-Match': '*' } } as const;
    const refusal = { status: 400, code: 'SVC127', details: 'If-Match with nested=write' };
    const create = { item: { create: [{ name: 'new' }] } };
    expect(await failureOf(rich, `/orders?id=eq.${id}`, create, patch)).toMatchObject(refusal);
    expect(await failureOf(rich, `/orders?id=eq.${id}`, { customer: null }, patch)).toMatchObject(refusal);
    expect((await sendNested(rich, `/orders?id=eq.${id}`, { note: 'b' }, patch)).status).toBe(204);
    expect(await failureOf(rich, '/orders?id=eq.0', { note: 'b' }, patch)).toMatchObject({ status: 412 });
    expect(await countRows()).toEqual([1, 2, 0]);
  });

  test('B63 B33 existing rows are kept where none are nested', async () => {
    const prefer = `${SHOWN}, resolution=keep-duplicates, inserted=true`;
    const nested = { label: 'a', orders: [{ note: 'n' }] };
    expect(await failureOf(rich, '/tag?on_conflict=label', nested, { prefer })).toMatchObject({ code: 'SVC127' });
    for (const inserted of [true, false])
      expect(await written(rich, '/tag?on_conflict=label&select=label', { label: 'a' }, { prefer })).toEqual([
        { label: 'a', inserted },
      ]);
  });

  test('B42 B33 new rows are marked where none are nested, and only there', async () => {
    const send = (body: object) => sendNested(rich, '/orders?select=note', body, { prefer: `${SHOWN}, inserted=true` });
    const flat = await send({ note: 'a' });
    expect(flat.text).toBe('[{"note":"a","inserted":true}]');
    expect(flat.headers['preference-applied']).toBe('return=representation, inserted=true, nested=write');
    const nested = await send(TREE);
    expect(nested.text).toBe('[{"note":"a"}]');
    expect(nested.headers['preference-applied']).toBe('return=representation, nested=write');
  });
});

test('B39 B35 the predicate of a partial index is added on each level', async () => {
  const merge = (server: LocalServer, note: string) =>
    sendNested(
      server,
      '/rack?slot.on_conflict=rack_id,code',
      { id: 1, slot: [{ code: 'a', note }] },
      { prefer: 'resolution=merge-duplicates' },
    );
  expect((await merge(rich, 'old')).status).toBe(201);
  expect((await merge(rich, 'new')).status).toBe(200);
  expect(await market.query('select code, note from api.slot')).toEqual([['a', 'new']]);
  const plain = await start({ ...OPTIONS, extensions: 'nested' });
  expect((await merge(plain, 'other')).text).toContain('"42P10"');
});

test('B54 each extension is off by itself', async () => {
  const [{ id }] = (await written(rich, '/orders?select=id', TREE)) as [{ id: number }];
  const target = `/orders?id=eq.${id}`;
  const create = { item: { create: [{ name: 'new' }] } };
  const withoutTags = await start({ ...OPTIONS, extensions: 'nested,idempotency' });
  const patch = { method: 'PATCH', headers: { 'If-Match': '"none"' } } as const;
  expect((await sendNested(withoutTags, target, create, patch)).status).toBe(204);
  const keyed = { headers: { 'Idempotency-Key': 'off' } };
  const unlimited = await start({ ...OPTIONS, 'db-max-cost': 1, extensions: 'nested' });
  for (const _ of [1, 2]) expect((await sendNested(unlimited, '/orders', DEAR, keyed)).status).toBe(201);
  expect(await countRows()).toEqual([3, 7, 2]);
  const flat = await start({ ...OPTIONS, extensions: 'etag,idempotency,cost,upsert' });
  expect(await failureOf(flat, '/orders', TREE)).toMatchObject({ status: 400, code: 'SVC204' });
});
