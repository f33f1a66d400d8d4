// Upserts that name the columns to change, or pass over every conflict (`beyond.md` §2.4).
import { beforeEach, describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.item (
      id int primary key, sku text unique, price int, stock int default 0, merge text,
      span int4range, exclude using gist (span with &&));
    grant select, insert, update, delete on api.item to ${harbor.anon};
    create table api.keyless (a int unique, b int);
    grant select, insert on api.keyless to ${harbor.anon};
  `);
const server = await use(startLocalServer(harbor, {}));
beforeEach(() =>
  harbor.sql(
    `truncate api.item, api.keyless; insert into api.item values (1, 'a', 10, 5, 'm', '[1,5)'), (2, 'b', 20, 6, null, null)`,
  ),
);

interface Sending {
  readonly method?: string;
  readonly prefer?: string;
  readonly to?: LocalServer;
}

function send(path: string, body: unknown, { method = 'POST', prefer = '', to }: Sending = {}): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', ...(prefer === '' ? {} : { Prefer: prefer }) };
  return (to ?? server).get(path, { method, headers, body: JSON.stringify(body) });
}

async function rows(): Promise<unknown> {
  const found = await harbor.query('select id, sku, price, stock from api.item order by id');
  return found.map((row) => row.join(' '));
}

function errorOf({ status, text }: Answer): unknown {
  const { code, details } = JSON.parse(text) as Record<string, unknown>;
  return { status, code, details };
}

const MERGE = 'resolution=merge-duplicates';
const IGNORE = 'resolution=ignore-duplicates';

describe('merge', () => {
  test('B41 changes only these columns of existing rows', async () => {
    const body = [
      { id: 1, sku: 'x', price: 11, stock: 50 },
      { id: 3, sku: 'c', price: 30, stock: 60 },
    ];
    const answer = await send('/item?merge=price,stock', body, { prefer: MERGE });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([201, MERGE]);
    expect(await rows()).toEqual(['1 a 11 50', '2 b 20 6', '3 c 30 60']);
    expect((await send('/item?merge=price', [{ id: 1, price: 12, stock: 9 }], { prefer: MERGE })).status).toBe(200);
    expect(await rows()).toEqual(['1 a 12 50', '2 b 20 6', '3 c 30 60']);
  });

  test('B41 works with on_conflict, columns and repeated names', async () => {
    const path = '/item?on_conflict=sku&columns=id,sku,price&merge=price,"price"';
    expect((await send(path, { id: 9, sku: 'b', price: 21, stock: 1 }, { prefer: MERGE })).status).toBe(200);
    expect(await rows()).toEqual(['1 a 10 5', '2 b 21 6']);
  });

  test('B41 needs merge-duplicates', async () => {
    const details = 'merge without resolution=merge-duplicates';
    const refused = { status: 400, code: 'SVC127', details };
    expect(errorOf(await send('/item?merge=price', { id: 3, price: 1 }))).toEqual(refused);
    expect(errorOf(await send('/item?merge=price', { id: 3, price: 1 }, { prefer: IGNORE }))).toEqual(refused);
    expect(errorOf(await send('/item?merge=price&id=eq.1', { price: 1 }, { method: 'PATCH' }))).toEqual(refused);
    const put = await send('/item?merge=price&id=eq.1', { id: 1, price: 1 }, { method: 'PUT', prefer: MERGE });
    expect(errorOf(put)).toEqual(refused);
    expect(await rows()).toEqual(['1 a 10 5', '2 b 20 6']);
  });

  test('B41 an empty list, an unknown column and one that is not sent', async () => {
    const body = { id: 1, price: 1 };
    expect(errorOf(await send('/item?merge=', body, { prefer: MERGE }))).toMatchObject({ status: 400, code: 'SVC100' });
    for (const column of ['cost', 'stock'])
      expect(errorOf(await send(`/item?merge=price,${column}`, body, { prefer: MERGE }))).toMatchObject({
        status: 400,
        code: 'SVC204',
      });
    expect(await rows()).toEqual(['1 a 10 5', '2 b 20 6']);
  });

  test('B41 a filter expression is a filter on a column of that name', async () => {
    expect((await send('/item?merge=eq.m', { price: 1 }, { method: 'PATCH' })).status).toBe(204);
    expect(await rows()).toEqual(['1 a 1 5', '2 b 20 6']);
    const inserted = await send(
      '/item?merge=not.in.(a,b)&merge=price',
      { id: 2, price: 3, stock: 3 },
      { prefer: MERGE },
    );
    expect(inserted.status).toBe(200);
    expect(await rows()).toEqual(['1 a 1 5', '2 b 3 6']);
  });
});

describe('on_conflict=*', () => {
  test('B40 passes over conflicts with any constraint', async () => {
    const body = [
      { id: 1, sku: 'new', span: null },
      { id: 7, sku: 'a', span: null },
      { id: 8, sku: 'h', span: '[2,3)' },
      { id: 9, sku: 'i', span: '[7,8)' },
      { id: 10, sku: 'i', span: null },
    ];
    const prefer = `${IGNORE}, return=representation`;
    const answer = await send('/item?on_conflict=*&select=id', body, { prefer });
    expect([answer.status, answer.text]).toEqual([201, '[{"id":9}]']);
    expect(answer.headers['preference-applied']).toBe(prefer);
    expect(await rows()).toEqual(['1 a 10 5', '2 b 20 6', '9 i  0']);
  });

  test('B40 works without a primary key', async () => {
    const body = [{ a: 1 }, { a: 1 }];
    const answer = await send('/keyless?on_conflict=*', body, { prefer: IGNORE });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([201, IGNORE]);
    expect(await harbor.query('select count(*)::int from api.keyless')).toEqual([[1]]);
  });

  test('B40 is rejected with merge-duplicates, and ignored without a resolution and on PUT', async () => {
    const merged = await send('/item?on_conflict=*', { id: 1, price: 1 }, { prefer: MERGE });
    const details = 'on_conflict=* with resolution=merge-duplicates';
    expect(errorOf(merged)).toEqual({ status: 400, code: 'SVC127', details });
    expect(errorOf(await send('/item?on_conflict=*', { id: 1, price: 1 }))).toMatchObject({
      status: 409,
      code: '23505',
    });
    const put = await send('/item?on_conflict=*&id=eq.1', { id: 1, price: 1 }, { method: 'PUT', prefer: MERGE });
    expect(put.status).toBe(204);
    expect(await rows()).toEqual(['1 a 1 5', '2 b 20 6']);
  });

  test('B40 a quoted star is a column', async () => {
    const answer = await send('/item?on_conflict=%22*%22', { id: 1 }, { prefer: IGNORE });
    expect(errorOf(answer)).toMatchObject({ status: 400, code: '42703' });
  });
});

describe('oracle', () => {
  test('B40 B41 random upserts agree with a model', async () => {
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 40; round += 1) {
      await harbor.sql(
        'truncate api.item; insert into api.item (id, price, stock) values (0, 0, 0), (1, 1, 1), (2, 2, 2)',
      );
      const model = new Map([0, 1, 2].map((id) => [id, [id, id] as readonly [number, number]]));
      const ids = [0, 1, 2, 3, 4].filter(() => random(2) === 0);
      const body = ids.map((id) => ({ id, price: random(50) + 10, stock: random(50) + 10 }));
      const merge = [['price'], ['stock'], ['stock', 'price']][random(3)] ?? [];
      const isMerge = random(2) === 0;
      for (const { id, price, stock } of body) {
        const [oldPrice, oldStock] = model.get(id) ?? [price, stock];
        const isChanged = (column: string): boolean => isMerge && merge.includes(column);
        model.set(id, [isChanged('price') ? price : oldPrice, isChanged('stock') ? stock : oldStock]);
      }
      const path = isMerge ? `/item?merge=${merge.join(',')}` : '/item?on_conflict=*';
      if (body.length > 0) await send(path, body, { prefer: isMerge ? MERGE : IGNORE });
      const expected = [...model]
        .map(([id, [price, stock]]) => [id, price, stock] as const)
        .toSorted(([a], [b]) => a - b);
      expect(await harbor.query('select id, price, stock from api.item order by id')).toEqual(expected);
    }
  });
});

describe('dialects', () => {
  test('B54 without the extension, both forms are errors of the query string', async () => {
    const off = await startLocalServer(harbor, { extensions: 'none' });
    for (const query of ['on_conflict=*', 'merge=price']) {
      const answer = await send(`/item?${query}`, { id: 1, price: 1 }, { prefer: MERGE, to: off });
      expect(errorOf(answer)).toMatchObject({ status: 400, code: 'SVC100' });
    }
    await off.stop();
  });

  test('B54 reads do not know merge', async () => {
    expect(errorOf(await server.get('/item?merge=price'))).toMatchObject({ status: 400, code: 'SVC100' });
  });

  test('B40 B41 both forms work in the dialect postgrest', async () => {
    const other = await startLocalServer(harbor, { dialect: 'postgrest', extensions: 'upsert' });
    await send('/item?merge=price', { id: 1, price: 11, stock: 11 }, { prefer: MERGE, to: other });
    await send('/item?on_conflict=*', { id: 9, sku: 'b' }, { prefer: IGNORE, to: other });
    expect(await rows()).toEqual(['1 a 11 5', '2 b 20 6']);
    const refused = await send('/item?merge=price', { id: 1, price: 11 }, { to: other });
    expect(errorOf(refused)).toMatchObject({ status: 400, code: 'PGRST127' });
    await other.stop();
  });
});
