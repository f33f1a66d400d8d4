// Bulk updates: a PATCH whose elements find their rows by `match` (`beyond.md` §2.3).
import { beforeEach, describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { Random } from '../../support/generate/random.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.shelf (id int primary key, name text);
    create table api.item (
      id int primary key, sku text, price numeric(6,2) default 5, stock int, tags text[], doc jsonb, raw json,
      shelf_id int references api.shelf, match text, "c1" text, _n int);
    create table api.part (item_id int references api.item, name text);
    create view api.item_view as select id, sku, price from api.item where id < 100;
    create table api.write_only (id int primary key, a int, b int);
    create table api.own (id int primary key, owner text, n int);
    alter table api.own enable row level security;
    create policy seen on api.own using (owner <> 'hidden') with check (true);
    create function api.refuse() returns trigger language plpgsql as $$ begin return null; end $$;
    create table api.guarded (id int primary key, n int);
    create trigger refuse before update on api.guarded for each row when (old.id = 2) execute function api.refuse();
    grant select, insert, update on api.shelf, api.item, api.part, api.item_view, api.own, api.guarded to ${harbor.anon};
    grant update, select (id) on api.write_only to ${harbor.anon};
  `);
const server = await use(startLocalServer(harbor, {}));
beforeEach(() =>
  harbor.sql(`
    truncate api.shelf, api.item, api.part, api.write_only, api.own, api.guarded;
    insert into api.shelf values (1, 'top'), (2, 'low');
    insert into api.item(id, sku, price, stock, shelf_id) values (1, 'a', 10, 1, 1), (2, 'b', 20, 2, 2), (3, 'b', 30, 3, null);
    insert into api.part values (1, 'x'), (1, 'y'), (3, 'z');
    insert into api.write_only values (1, 1, 1), (2, 2, 2);
    insert into api.own values (1, 'me', 1), (2, 'hidden', 2);
    insert into api.guarded values (1, 1), (2, 2);
  `),
);

interface Sending {
  readonly type?: string;
  readonly prefer?: string;
  readonly to?: LocalServer;
  readonly accept?: string;
}

function patch(path: string, body: unknown, { type, prefer, to, accept }: Sending = {}): Promise<Answer> {
  const headers = {
    'Content-Type': type ?? 'application/json',
    ...(prefer === undefined ? {} : { Prefer: prefer }),
    ...(accept === undefined ? {} : { Accept: accept }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (to ?? server).get(path, { method: 'PATCH', headers, body: text });
}

async function rows(columns = 'id, sku, price, stock'): Promise<readonly string[]> {
  const found = await harbor.query(`select concat_ws(' ', ${columns}) from api.item order by id`);
  return found.map(([text]) => String(text));
}

const BEFORE = ['1 a 10.00 1', '2 b 20.00 2', '3 b 30.00 3'];

function errorOf({ status, text }: Answer): Record<string, unknown> {
  const { code, message, details } = JSON.parse(text) as Record<string, unknown>;
  return { status, code, message, details };
}

const SHOWN = 'return=representation';
const COMPLETE = 'unmatched=fail';
const OPERATIONS = 'application/vnd.svc.patch+json';

describe('elements', () => {
  test('B37 each element changes the rows that its columns match', async () => {
    const body = [
      { id: 2, price: 21, stock: 22 },
      { id: 1, price: 11, stock: 12 },
      { id: 9, price: 91, stock: 92 },
    ];
    const answer = await patch('/item?match=id&select=id,price', body, { prefer: `${SHOWN}, count=exact` });
    expect([answer.status, answer.text]).toEqual([200, '[{"id":2,"price":21.00}, \n {"id":1,"price":11.00}]']);
    expect(answer.headers['content-range']).toBe('0-1/2');
    expect(await rows()).toEqual(['1 a 11.00 12', '2 b 21.00 22', '3 b 30.00 3']);
    const minimal = await patch('/item?match=id', [{ id: 1, stock: 5 }]);
    expect([minimal.status, minimal.text, minimal.headers['content-range']]).toEqual([204, '', '0-0/*']);
    expect((await patch('/item?match=id', [])).status).toBe(204);
    expect((await patch('/item?match=id', [], { prefer: SHOWN })).text).toBe('[]');
  });

  test('B37 elements with different keys leave the other columns as they are', async () => {
    const body = [{ id: 1, price: 11 }, { stock: null, id: 2 }, { id: 3, sku: 'c', stock: 33 }, { id: 4 }];
    expect((await patch('/item?match=id', body)).status).toBe(204);
    expect(await rows('id, sku, price, stock is null')).toEqual(['1 a 11.00 f', '2 b 20.00 t', '3 c 30.00 f']);
    expect((await patch('/item?match=id', { stock: 7, id: 1 })).status).toBe(204);
    expect(await rows()).toEqual(['1 a 11.00 7', '2 b 20.00', '3 c 30.00 33']);
  });

  test('B37 several columns match, several rows match, null matches nothing', async () => {
    expect((await patch('/item?match=sku', [{ sku: 'b', stock: 9 }])).headers['content-range']).toBe('0-1/*');
    expect(await rows()).toEqual(['1 a 10.00 1', '2 b 20.00 9', '3 b 30.00 9']);
    expect((await patch('/item?match=sku,%20price', [{ sku: 'b', price: '30', stock: 8 }])).status).toBe(204);
    expect(await rows()).toEqual(['1 a 10.00 1', '2 b 20.00 9', '3 b 30.00 8']);
    const none = await patch('/item?match=shelf_id', [
      { shelf_id: null, stock: 1 },
      { shelf_id: null, stock: 2 },
    ]);
    expect([none.status, none.headers['content-range']]).toEqual([204, '*/*']);
  });

  test('B37 filters narrow further; a filter expression is a filter on a column of that name', async () => {
    const body = [
      { id: 1, stock: 9 },
      { id: 2, stock: 9 },
    ];
    const filtered = await patch('/item?match=id&price=gt.15&select=id', body, { prefer: `${SHOWN}, ${COMPLETE}` });
    expect(errorOf(filtered)).toMatchObject({ code: 'SVC134', details: [0] });
    expect((await patch('/item?match=id&price=gt.15', body)).status).toBe(204);
    expect(await rows()).toEqual(['1 a 10.00 1', '2 b 20.00 9', '3 b 30.00 3']);
    await harbor.sql(`update api.item set match = 'm' where id = 3`);
    expect((await patch('/item?match=eq.m', { stock: 4 })).status).toBe(204);
    const both = await patch('/item?match=eq.m&match=id', [
      { id: 3, stock: 5 },
      { id: 1, stock: 5 },
    ]);
    expect(both.headers['content-range']).toBe('0-0/*');
    expect(await rows('id, stock')).toEqual(['1 1', '2 9', '3 5']);
  });

  test('B37 columns lists the keys to use, and missing=default sets defaults', async () => {
    const body = [
      { id: 1, price: 11, stock: 11, other: 1 },
      { id: 2, stock: 22 },
    ];
    expect((await patch('/item?match=id&columns=price', body)).status).toBe(204);
    expect(await rows()).toEqual(['1 a 11.00 1', ...BEFORE.slice(1)]);
    expect((await patch('/item?match=id&columns=price,stock', body, { prefer: 'missing=default' })).status).toBe(204);
    expect(await rows()).toEqual(['1 a 11.00 11', '2 b 5.00 22', BEFORE[2]]);
    expect(errorOf(await patch('/item?match=id&columns=price,nope', body))).toMatchObject({ code: 'SVC204' });
    expect((await patch('/item?match=id&columns=sku', [{ id: 1 }])).status).toBe(204);
    expect(await rows('sku')).toEqual(['a', 'b', 'b']);
  });

  test('B37 the representation embeds, and is in the order of the body', async () => {
    const body = [3, 1, 2].map((id) => ({ id, stock: id }));
    const answer = await patch('/item?match=id&select=id,shelf(name),part(name)', body, { prefer: SHOWN });
    expect(JSON.parse(answer.text)).toEqual([
      { id: 3, shelf: null, part: [{ name: 'z' }] },
      { id: 1, shelf: { name: 'top' }, part: [{ name: 'x' }, { name: 'y' }] },
      { id: 2, shelf: { name: 'low' }, part: [] },
    ]);
    const all = await patch('/item?match=id', [{ id: 1, stock: 4 }], { prefer: SHOWN });
    expect(Object.keys((JSON.parse(all.text) as [object])[0])).toEqual(
      'id sku price stock tags doc raw shelf_id match c1 _n'.split(' '),
    );
    const ordered = await patch('/item?match=id&select=id&order=id', body, { prefer: SHOWN });
    expect(JSON.parse(ordered.text)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('B37 CSV, forms and views', async () => {
    expect((await patch('/item?match=id', 'id,stock\n1,11\n2,NULL\n', { type: 'text/csv' })).status).toBe(204);
    expect(await rows('id, stock')).toEqual(['1 11', '2', '3 3']);
    const form = 'application/x-www-form-urlencoded';
    expect((await patch('/item?match=id', 'id=3&stock=4', { type: form })).status).toBe(204);
    expect(await rows('id, stock')).toEqual(['1 11', '2', '3 4']);
    expect(
      (
        await patch('/item_view?match=id', [
          { id: 1, price: 1 },
          { id: 2, sku: 'v' },
        ])
      ).status,
    ).toBe(204);
    expect(await rows('id, sku, price')).toEqual(['1 a 1.00', '2 v 20.00', '3 b 30.00']);
    expect(errorOf(await patch('/item?match=id', 'stock\n1', { type: 'text/csv' }))).toMatchObject({ code: 'SVC102' });
  });

  test('B37 json keeps its text', async () => {
    const body = '[{"id":1,"raw":{"b" : 1,"a":2,"a":3}},{"id":2,"stock":1}]';
    expect((await patch('/item?match=id', body)).status).toBe(204);
    expect(await rows('raw')).toEqual(['{"b" : 1,"a":2,"a":3}', '', '']);
  });

  test('B37 elements of the same keys need no SELECT on what they change', async () => {
    expect(
      (
        await patch('/write_only?match=id', [
          { id: 1, a: 3 },
          { id: 2, a: 4 },
        ])
      ).status,
    ).toBe(204);
    expect(
      errorOf(
        await patch('/write_only?match=id', [
          { id: 1, a: 3 },
          { id: 2, b: 4 },
        ]),
      ),
    ).toMatchObject({
      status: 401,
      code: '42501',
    });
  });

  test('B37 patch operations and merge patches work per element', async () => {
    await harbor.sql(`update api.item set tags = '{x}', doc = '{"a":1}' where id < 3`);
    const body = [
      { id: 1, stock: { $add: 10 }, tags: { $append: ['y'] } },
      { id: 2, stock: { $add: -1 }, tags: { $remove: 'x' }, price: { $set: 1 } },
      { id: 3, stock: 7, doc: { $merge: { b: 1 } } },
    ];
    expect((await patch('/item?match=id', body, { type: OPERATIONS })).status).toBe(204);
    expect(await rows('id, price, stock, tags, doc')).toEqual([
      '1 10.00 11 {x,y} {"a": 1}',
      '2 1.00 1 {} {"a": 1}',
      '3 30.00 7 {"b": 1}',
    ]);
    const merge = [
      { id: 1, doc: { a: null, c: 1 } },
      { id: 2, doc: null, stock: 3 },
      { id: 3, doc: [1] },
    ];
    expect((await patch('/item?match=id', merge, { type: 'application/merge-patch+json' })).status).toBe(204);
    expect(await rows('id, stock, doc')).toEqual(['1 11 {"c": 1}', '2 3', '3 7 [1]']);
    expect((await patch('/item?match=id', { id: 1, stock: { $add: 1 } }, { type: OPERATIONS })).status).toBe(204);
    const twice = '[ {"id": 1, "stock": {"$add": 1}, "stock": 2} , {"id":2,"stock":5,"stock":{"$add":1}} ]';
    expect((await patch('/item?match=id', twice, { type: OPERATIONS })).status).toBe(204);
    expect(await rows('id, stock')).toEqual(['1 2', '2 4', '3 7']);
  });

  test('B37 operations that do not apply change nothing', async () => {
    await harbor.sql(`update api.item set doc = '{}' where id = 2`);
    const send = (body: unknown): Promise<Answer> => patch('/item?match=id', body, { type: OPERATIONS });
    for (const element of [
      { id: 2, sku: { $add: 1 } },
      { id: { $add: 1 }, stock: 1 },
      { id: 2, tags: { $append: 1 } },
      { id: 2, stock: { $nope: 1 } },
    ])
      expect(errorOf(await send([{ id: 1, stock: 9, tags: { $append: [] } }, element]))).toMatchObject({
        status: 400,
        code: 'SVC102',
      });
    expect(
      errorOf(
        await send([
          { id: 1, stock: 9 },
          { id: 2, doc: { $append: [1] } },
        ]),
      ),
    ).toMatchObject({
      status: 400,
      code: 'SVC102',
      message: "The column 'doc' takes $append and $remove only where it contains an array",
    });
    expect(
      errorOf(
        await send([
          { id: 1, $1: 9 },
          { id: 2, stock: { $add: 1 } },
        ]),
      ),
    ).toMatchObject({ code: 'SVC204' });
    expect(await rows()).toEqual(BEFORE);
  });

  test('B37 max-affected, singular responses and the filter that safe updates require', async () => {
    const body = [
      { id: 1, stock: 9 },
      { id: 2, stock: 9 },
    ];
    const limited = await patch('/item?match=id', body, { prefer: 'handling=strict, max-affected=1' });
    expect(errorOf(limited)).toMatchObject({ status: 400, code: 'SVC124' });
    const singular = await patch('/item?match=id', body, { prefer: SHOWN, accept: 'application/vnd.svc.object+json' });
    expect(errorOf(singular)).toMatchObject({ status: 406, code: 'SVC116' });
    expect(await rows()).toEqual(BEFORE);
    const one = await patch('/item?match=id&select=id', body.slice(0, 1), {
      prefer: SHOWN,
      accept: 'application/vnd.svc.object+json',
    });
    expect([one.status, one.text]).toEqual([200, '{"id":1}']);
  });

  test('B37 errors of match', async () => {
    const code = async (path: string, body: unknown): Promise<unknown> => errorOf(await patch(path, body))['code'];
    expect(await code('/item?match=', [{ id: 1 }])).toBe('SVC100');
    expect(await code('/item?match=nope', [{ id: 1, nope: 1 }])).toBe('SVC204');
    expect(await code('/item?match=nope', [])).toBe('SVC204');
    expect(await code('/item?match=id', [{ id: 1, nope: 1 }])).toBe('SVC204');
    expect(await code('/item?match=id', [{ id: 1, stock: 2 }, 3])).toBe('SVC102');
    expect(await code('/item?match=id', '[{"id":1}')).toBe('SVC102');
    expect(errorOf(await patch('/item?match=id,sku', [{ id: 1, sku: 'a' }, { id: 1 }]))).toEqual({
      status: 400,
      code: 'SVC102',
      message: "Every element needs the key 'sku', which is listed in match",
      details: null,
    });
    const post = await server.get('/item?match=id', { method: 'POST', body: '{"id":7}' });
    expect(errorOf(post)).toMatchObject({ status: 400, code: 'SVC100' });
    expect(await rows()).toEqual(BEFORE);
  });
});

describe('unmatched and duplicate elements', () => {
  test('B38 unmatched=fail names the elements that match nothing', async () => {
    const body = [
      { id: 8, stock: 9 },
      { id: 1, stock: 9 },
      { id: null, stock: 9 },
    ];
    expect(errorOf(await patch('/item?match=id', body, { prefer: COMPLETE }))).toEqual({
      status: 404,
      code: 'SVC134',
      message: '2 of the rows to change were not found',
      details: [0, 2],
    });
    expect(await rows()).toEqual(BEFORE);
    const complete = await patch('/item?match=id', [body[1]], { prefer: COMPLETE });
    expect([complete.status, complete.headers['preference-applied']]).toEqual([204, COMPLETE]);
    const plain = await patch('/item?id=eq.1', { stock: 1 }, { prefer: COMPLETE });
    expect([plain.status, plain.headers['preference-applied']]).toEqual([204, undefined]);
    expect(errorOf(await patch('/item?match=id', [{ id: 8 }], { prefer: COMPLETE }))).toMatchObject({ code: 'SVC134' });
    expect((await patch('/item?match=id', [], { prefer: COMPLETE })).status).toBe(204);
  });

  test('B38 hidden rows and rows that a trigger keeps are not found', async () => {
    const elements = [
      { id: 1, n: 5 },
      { id: 2, n: 5 },
    ];
    for (const table of ['own', 'guarded']) {
      const failed = await patch(`/${table}?match=id`, elements, { prefer: COMPLETE });
      expect(errorOf(failed)).toMatchObject({ status: 404, code: 'SVC134', details: [1] });
      expect((await patch(`/${table}?match=id`, elements)).headers['content-range']).toBe('0-0/*');
    }
  });

  test('B38 two elements for one row are rejected, after casting', async () => {
    const refused = {
      status: 400,
      code: '21000',
      message: 'PATCH cannot change a row a second time',
      details: 'Elements 0 and 2 match the same row',
    };
    const body = (first: unknown, second: unknown): unknown => [
      { id: first, stock: 9 },
      { id: 2, stock: 9 },
      { id: second, stock: 9 },
    ];
    expect(errorOf(await patch('/item?match=id', body(1, '1')))).toEqual(refused);
    expect(errorOf(await patch('/item?match=id', body(1, 1), { prefer: COMPLETE }))).toEqual(refused);
    const prices = [
      { price: 10, stock: 9 },
      { price: 20, stock: 9 },
      { price: '10.000', stock: 9 },
    ];
    expect(errorOf(await patch('/item?match=price', prices))).toEqual(refused);
    expect(await rows()).toEqual(BEFORE);
    // No row, no conflict.
    expect((await patch('/item?match=id', body(7, 7))).status).toBe(204);
    expect((await patch('/item?match=id&id=neq.1', body(1, 1))).status).toBe(204);
  });

  test('B38 equality follows the collation of the column', async () => {
    await harbor.sql(`
      create collation if not exists api.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create table api.word (word text collate api.folded, n int);
      insert into api.word values ('Bow', 1);
      grant select, update on api.word to ${harbor.anon};
      notify svc, 'reload schema'`);
    await expect.poll(async () => (await server.get('/word')).status).toBe(200);
    const twice = await patch('/word?match=word', [
      { word: 'bow', n: 2 },
      { word: 'BOW', n: 3 },
    ]);
    expect(errorOf(twice)).toMatchObject({ status: 400, code: '21000' });
    expect((await patch('/word?match=word', [{ word: 'BOW', n: 3 }])).headers['content-range']).toBe('0-0/*');
  });
});

describe('without the extension', () => {
  test.each(['patch', 'none'])(
    'B54 extensions=%s: match is a filter, and the preference is unknown',
    async (extensions) => {
      const to = await startLocalServer(harbor, { extensions });
      const body = [{ id: 1, stock: 9 }];
      expect(errorOf(await patch('/item?match=id', body, { to }))).toMatchObject({ status: 400, code: 'SVC100' });
      const strict = await patch('/item?id=eq.1', { stock: 1 }, { to, prefer: `handling=strict, ${COMPLETE}` });
      expect(errorOf(strict)).toMatchObject({ code: 'SVC122' });
      await to.stop();
      expect(await rows()).toEqual(BEFORE);
    },
  );

  test('B37 works in the dialect postgrest', async () => {
    const to = await startLocalServer(harbor, { dialect: 'postgrest', extensions: 'bulk' });
    expect((await patch('/item?match=id', [{ id: 1, stock: 9 }], { to })).status).toBe(204);
    const failed = await patch('/item?match=id', [{ id: 9 }], { to, prefer: COMPLETE });
    expect(errorOf(failed)).toMatchObject({ status: 404, code: 'PGRST134' });
    await to.stop();
  });
});

interface Stored {
  readonly price: number;
  readonly stock: number | null;
}

describe('oracle', () => {
  test.each([1, 2, 3])('B37 B38 random bulk patches agree with a model, seed %i', async (seed) => {
    const random = new Random(seed);
    const pick = (count: number): number => random.roll(count);
    let model = new Map<number, Stored>([1, 2, 3].map((id) => [id, { price: id * 10, stock: id }]));
    for (let round = 0; round < 40; round += 1) {
      const elements = Array.from({ length: pick(5) }, () => ({
        id: 1 + pick(6),
        ...(pick(2) === 0 ? { price: pick(100) } : {}),
        ...(pick(2) === 0 ? { stock: pick(4) === 0 ? null : pick(100) } : {}),
      }));
      const isComplete = pick(3) === 0;
      const ids = elements.map(({ id }) => id).filter((id) => model.has(id));
      const missing = elements.flatMap(({ id }, index) => (model.has(id) ? [] : [index]));
      const isTwice = new Set(ids).size < ids.length;
      const fails = isTwice || (isComplete && missing.length > 0);
      const prefer = isComplete ? `${SHOWN}, ${COMPLETE}` : SHOWN;
      const answer = await patch('/item?match=id&select=id,price,stock', elements, { prefer });
      if (!fails) {
        model = new Map(
          Array.from(model, ([id, row]) => [id, { ...row, ...elements.find((element) => element.id === id) }]),
        );
        const expected = ids.map((id) => ({ id, price: model.get(id)?.price, stock: model.get(id)?.stock }));
        expect({ status: answer.status, rows: JSON.parse(answer.text) }, JSON.stringify(elements)).toEqual({
          status: 200,
          rows: expected,
        });
      } else expect(errorOf(answer)).toMatchObject(isTwice ? { code: '21000' } : { code: 'SVC134', details: missing });
      const stored = await harbor.query('select id, price::int, stock from api.item order by id');
      expect(stored).toEqual(Array.from(model, ([id, { price, stock }]) => [id, price, stock]));
    }
  });
});
