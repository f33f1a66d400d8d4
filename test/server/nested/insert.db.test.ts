// Nested writes by POST: rows with their related rows in one request.
import { describe, expect, test } from 'vitest';
import { useServers } from '../../support/local-server.ts';
import { failureOf, sendNested, useMarket, written } from './market.ts';

const market = await useMarket();
const start = useServers(market);
const server = await start();

describe('related rows', () => {
  test('B33 children take the key of their parent, in the order of the array', async () => {
    const rows = await written(server, '/orders?select=note,total,item(name,quantity,part(name,size))&item.order=id', [
      {
        note: 'a',
        item: [
          { name: 'x', quantity: 2 },
          { name: 'y', quantity: 3 },
        ],
      },
      { note: 'b' },
      {
        note: 'c',
        item: [
          { name: 'z', part: [{ name: 'p' }, { name: 'q' }] },
          { name: 'w', part: null },
        ],
      },
    ]);
    expect(rows).toEqual([
      {
        note: 'a',
        total: 5,
        item: [
          { name: 'x', quantity: 2, part: [] },
          { name: 'y', quantity: 3, part: [] },
        ],
      },
      { note: 'b', total: 0, item: [] },
      {
        note: 'c',
        total: 2,
        item: [
          {
            name: 'z',
            quantity: 1,
            part: [
              { name: 'p', size: 7 },
              { name: 'q', size: 7 },
            ],
          },
          { name: 'w', quantity: 1, part: [] },
        ],
      },
    ]);
  });

  test('B33b a row that the parent refers to is written before it', async () => {
    const body = { note: 'to-one', customer: { name: 'Ann' }, receipt: { number: 'R1' } };
    const rows = await written(server, '/orders?select=note,customer(name),receipt(number)', body);
    expect(rows).toEqual([{ note: 'to-one', customer: { name: 'Ann' }, receipt: { number: 'R1' } }]);
  });

  test('B33c rows beyond a junction are written and linked', async () => {
    const body = [
      { note: 'm2m', tag: [{ label: 'red' }, { label: 'blue' }] },
      { note: 'none', tag: [] },
    ];
    const rows = await written(server, '/orders?select=note,tag(label)&tag.order=label', body);
    expect(rows).toEqual([
      { note: 'm2m', tag: [{ label: 'blue' }, { label: 'red' }] },
      { note: 'none', tag: [] },
    ]);
  });

  test('B33d a hint names one of several relationships, and a relation may contain itself', async () => {
    const body = { name: 'chief', person: [{ name: 'one', person: [{ name: 'two' }] }] };
    expect(await written(server, '/person?select=name,person(name,person(name))', body)).toEqual([
      { name: 'chief', person: [{ name: 'one', person: [{ name: 'two' }] }] },
    ]);
    const hinted = await written(server, '/orders?select=item(name)', { 'item!item_order_id_fkey': [{ name: 'h' }] });
    expect(hinted).toEqual([{ item: [{ name: 'h' }] }]);
  });

  test('B33e a body without related rows is an ordinary insert', async () => {
    const answer = await sendNested(server, '/orders', [{ note: 'plain' }, { note: 'rows' }], {
      prefer: 'count=exact',
    });
    expect([answer.status, answer.headers['content-range'], answer.headers['preference-applied']]).toEqual([
      201,
      '*/2',
      'count=exact, nested=write',
    ]);
  });
});

describe('responses', () => {
  test('B33f count, status, Location and singular answers speak of the top level', async () => {
    const body = { note: 'loc', item: [{ name: 'a' }, { name: 'b' }] };
    const located = await sendNested(server, '/orders', body, { prefer: 'return=headers-only, count=exact' });
    expect([located.status, located.headers['content-range'], located.text]).toEqual([201, '*/1', '']);
    expect(located.headers.location).toMatch(/^\/orders\?id=eq\.\d+$/u);
    const headers = { Accept: 'application/vnd.pgrst.object+json' };
    const singular = await written(server, '/orders?select=note,item(name)', body, { headers });
    expect(singular).toEqual({ note: 'loc', item: [{ name: 'a' }, { name: 'b' }] });
    const before = await market.query('select count(*) from api.item');
    const several = await failureOf(server, '/orders', [body, body], { headers, prefer: 'return=representation' });
    expect([several.status, several.code]).toEqual([406, 'SVC116']);
    expect(await market.query('select count(*) from api.item')).toEqual(before);
    const minimal = await sendNested(server, '/orders', [body, body]);
    expect([minimal.status, minimal.text, minimal.headers['content-range']]).toEqual([201, '', '*/*']);
  });

  test('B33g max-affected counts every row', async () => {
    const body = [{ note: 'max', customer: { name: 'M' }, item: [{ name: 'a' }], tag: [{ label: 'max' }] }];
    const prefer = 'handling=strict, max-affected=4';
    expect(await failureOf(server, '/orders', body, { prefer })).toMatchObject({ status: 400, code: 'SVC124' });
    expect(await market.query("select count(*)::int from api.tag where label = 'max'")).toEqual([[0]]);
    const allowed = await sendNested(server, '/orders', body, { prefer: 'handling=strict, max-affected=5' });
    expect([allowed.status, allowed.headers['preference-applied']]).toEqual([
      201,
      'handling=strict, max-affected=5, nested=write',
    ]);
  });
});

test('B54 without the extension, the preference is unknown and the body has only columns', async () => {
  const plain = await start({ extensions: 'batch, stream' });
  const body = { note: 'plain', item: [{ name: 'a' }] };
  expect(await failureOf(plain, '/orders', body)).toMatchObject({ status: 400, code: 'SVC204' });
  const strict = await failureOf(plain, '/orders', { note: 'a' }, { prefer: 'handling=strict' });
  expect(strict).toMatchObject({ status: 400, code: 'SVC122' });
  const filtered = await failureOf(plain, '/orders?item.columns=id', { note: 'a' });
  expect(filtered).toMatchObject({ status: 400, code: 'SVC100' });
});

test('B33k a body of another format is an ordinary insert', async () => {
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await sendNested(server, '/orders', 'note\nfrom csv', { headers });
  expect([answer.status, answer.headers['preference-applied']]).toEqual([201, undefined]);
  const limited = await sendNested(server, '/orders', [{ note: 'a' }, { note: 'b' }], {
    prefer: 'handling=strict, max-affected=1',
  });
  expect([limited.status, limited.text]).toEqual([400, expect.stringContaining('SVC124')]);
});
