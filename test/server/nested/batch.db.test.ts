// Nested writes inside a batch and with an idempotency key.
import { expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { answersOf, failureOf } from '../batch/send-batch.ts';
import { sendNested, useMarket } from './market.ts';

const market = await useMarket();
const start = useServers(market);
const server = await start();

const NESTED = { Prefer: 'nested=write, return=representation' };

test('B33h a nested write in a batch sees what came before it and is seen by what follows', async () => {
  const answers = await answersOf(server, [
    {
      id: 'ann',
      method: 'POST',
      path: '/customer?select=id',
      body: { name: 'Ann' },
      headers: { Prefer: 'return=representation' },
    },
    {
      id: 'order',
      method: 'POST',
      path: '/orders?select=id,item(name)',
      body: { customer_id: { $from: 'ann', at: '/0/id' }, item: [{ name: 'a' }, { name: 'b' }] },
      headers: NESTED,
    },
    { method: 'POST', path: '/orders?select=item(name)', body: { item: [{ name: 'c' }] }, headers: NESTED },
    { path: '/orders?select=note,customer(name),item(name)&id=eq.{order#/0/id}' },
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200]);
  expect(answers[2]?.body).toEqual([{ item: [{ name: 'c' }] }]);
  expect(answers[3]?.body).toEqual([{ note: null, customer: { name: 'Ann' }, item: [{ name: 'a' }, { name: 'b' }] }]);
});

test('B33i a failing row of a batch keeps nothing, and names the request', async () => {
  const before = await market.query('select count(*) from api.item');
  const failed = await failureOf(server, [
    { method: 'POST', path: '/orders', body: { item: [{ name: 'kept?' }] }, headers: NESTED },
    { id: 'bad', method: 'POST', path: '/orders', body: { item: [{ name: null }] }, headers: NESTED },
  ]);
  expect(failed).toMatchObject({ status: 400, code: '23502', request: 1, id: 'bad' });
  const refused = await failureOf(server, [
    { method: 'POST', path: '/orders', body: { item: [{ name: 'kept?' }] }, headers: NESTED },
    { method: 'POST', path: '/orders', body: { nothing: [] }, headers: NESTED },
  ]);
  expect(refused).toMatchObject({ status: 400, code: 'SVC135', details: '/nothing', request: 1 });
  expect(await market.query('select count(*) from api.item')).toEqual(before);
});

test('B33j as many rows as one round trip cannot take', async () => {
  const body = Array.from({ length: 1203 }, (_, index) => ({ note: `many ${index}`, item: [{ name: `${index}` }] }));
  const answer = await sendNested(server, '/orders', body, { prefer: 'count=exact' });
  expect([answer.status, answer.headers['content-range']]).toEqual([201, '*/1203']);
  const wrong = `select count(*)::int from api.orders o join api.item i on i.order_id = o.id
    where o.note like 'many %' and o.note <> 'many ' || i.name`;
  expect(await market.query(wrong)).toEqual([[0]]);
});
