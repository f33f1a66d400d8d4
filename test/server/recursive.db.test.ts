// Embeds that contain themselves, over a real server (`beyond.md` §1.11).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { startLocalServer } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.category (id int primary key, name text not null, parent_id int references api.category);
    insert into api.category values (1, 'a', null), (2, 'b', 1), (3, 'c', 1), (4, 'd', 2), (5, 'e', 4), (6, 'f', 5);
    create table api.item (id int primary key, category_id int references api.category);
    insert into api.item values (1, 1), (2, 4), (3, 4);
    grant select on api.category, api.item to ${harbor.anon}`);
const options = { 'db-aggregates-enabled': true };
const server = await use(startLocalServer(harbor, options));
const plain = await use(startLocalServer(harbor, { ...options, extensions: 'none' }));
const other = await use(startLocalServer(harbor, { ...options, dialect: 'postgrest', extensions: 'recursive' }));

describe('down', () => {
  test('B59 contains itself under the same key, to the last level, which lacks the key', async () => {
    const target = '/category?id=eq.1&select=id,children:category!parent_id{3}(id)&children.order=id.desc';
    const expected = [
      {
        id: 1,
        children: [
          { id: 3, children: [] },
          { id: 2, children: [{ id: 4, children: [{ id: 5 }] }] },
        ],
      },
    ];
    expect(await server.json(target)).toEqual(expected);
    expect(await other.json(target)).toEqual(expected);
  });

  test('B59 {1} is the embed without it', async () => {
    const answers = ['', '{1}'].map((levels) => server.get(`/category?select=id,category${levels}(id)&order=id`));
    const [without, one] = await Promise.all(answers);
    expect([one!.status, one!.text]).toEqual([200, without!.text]);
    expect((await server.get('/item?select=id,category{1}(id)')).status).toBe(200);
    expect((await server.get('/item?select=id,...category{1}(name)')).status).toBe(200);
  });

  test('B59 filters, order and ranges on its path hold on every level', async () => {
    const select = 'select=id,children:category!parent_id{4}(id)';
    expect(await server.json(`/category?id=eq.1&${select}&children.id=neq.2`)).toEqual([
      { id: 1, children: [{ id: 3, children: [] }] },
    ]);
    expect(await server.json(`/category?id=eq.1&${select}&children.limit=1&children.order=id`)).toEqual([
      { id: 1, children: [{ id: 2, children: [{ id: 4, children: [{ id: 5, children: [{ id: 6 }] }] }] }] },
    ]);
    expect(await server.json(`/category?id=eq.1&${select}&children.or=(id.eq.3,id.eq.4)`)).toEqual([
      { id: 1, children: [{ id: 3, children: [] }] },
    ]);
  });

  test('B59 with other embeds, required levels and aliases', async () => {
    expect(
      await server.json(
        '/category?id=eq.2&select=id,below:category!parent_id!inner{2}(name,item(id))&below.item.order=id',
      ),
    ).toEqual([{ id: 2, below: [{ name: 'd', item: [{ id: 2 }, { id: 3 }], below: [{ name: 'e', item: [] }] }] }]);
    expect(await server.json('/category?select=id,below:category!parent_id!inner{3}(id)&order=id')).toEqual([
      { id: 1, below: [{ id: 2, below: [{ id: 4, below: [{ id: 5 }] }] }] },
      { id: 2, below: [{ id: 4, below: [{ id: 5, below: [{ id: 6 }] }] }] },
    ]);
  });

  test('B59 equals a recursive query', async () => {
    await harbor.sql(`
      create table api.node (id int primary key, up int references api.node);
      insert into api.node select n, nullif(n / 3, 0) from generate_series(1, 80) n;
      grant select on api.node to ${harbor.anon};
      create function api.tree(n int, depth int) returns json language sql as $$
        select case when depth = 0 then json_build_object('id', n) else json_build_object('id', n, 'node',
          coalesce((select json_agg(api.tree(id, depth - 1) order by id) from api.node where up = n), '[]')) end $$`);
    await server.reload();
    const [[expected]] = (await harbor.query(
      'select json_agg(api.tree(id, 4) order by id) from api.node where up is null',
    )) as [[unknown]];
    expect(await server.json('/node?up=is.null&order=id&select=id,node{4}(id)&node.order=id')).toEqual(expected);
  });
});

describe('up', () => {
  test('B59 a to-one embed goes upward, to null', async () => {
    expect(await server.json('/category?id=eq.4&select=name,parent:parent_id{8}(name)')).toEqual([
      { name: 'd', parent: { name: 'b', parent: { name: 'a', parent: null } } },
    ]);
    expect(await server.json('/category?id=eq.4&select=name,parent_id{2}(name)&order=parent_id(name)')).toEqual([
      { name: 'd', parent_id: { name: 'b', parent_id: { name: 'a' } } },
    ]);
  });
});

describe('errors', () => {
  test.each(['{0}', '{-1}', '{}', '{x}', '{1.5}', '{2', '2}', '{2}!inner', '{01}', ' {2}{2}'])(
    'B59 "%s" is SVC100',
    async (levels) => {
      const answer = await server.get(`/category?select=id,category${encodeURIComponent(levels)}(id)`);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([400, expect.objectContaining({ code: 'SVC100' })]);
    },
  );

  test.each([
    [
      '/item?select=id,category{2}(id)',
      "'category' cannot contain itself, because it embeds another relation than the one it is embedded in.",
    ],
    ['/category?select=id,...parent_id{2}(id)', 'A spread cannot contain itself: ...parent_id{2}'],
  ])('B59 %s is SVC127', async (target, details) => {
    const answer = await server.get(target);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { code: 'SVC127', message: 'Feature not implemented', details, hint: null },
    ]);
  });

  test('B59 the embed has one path for all its levels', async () => {
    const answer = await server.get(
      '/category?select=id,children:category!parent_id{3}(id)&children.children.order=id',
    );
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('SVC108')]);
  });

  test('B59 counts as that many levels and embeds', async () => {
    const limited = await startLocalServer(harbor, { 'url-max-embed-depth': 4, 'url-max-embeds': 12 });
    const statuses = await Promise.all(
      [
        'category{4}(id)',
        'category{5}(id)',
        'category{3}(id,parent_id(id))',
        'category{2}(id,parent_id{2}(id))',
        'category{2}(id,parent_id{3}(id))',
        'category{3}(id,a:parent_id(id),b:parent_id(id),c:parent_id(id))',
        'category{3}(id,a:parent_id(id),b:parent_id(id),c:parent_id(id)),item(id)',
        'category{999999999999}(id)',
      ].map(async (select) => {
        const { status, text } = await limited.get(`/category?id=eq.1&select=id,${select}`);
        return [select, status, /SVC129/u.test(text)];
      }),
    );
    expect(statuses.map(([, status, isLimit]) => [status, isLimit])).toEqual([
      [200, false],
      [400, true],
      [200, false],
      [200, false],
      [400, true],
      [200, false],
      [400, true],
      [400, true],
    ]);
    await limited.stop();
  });

  test('B54 without the extension it does not parse, as before', async () => {
    const answer = await plain.get('/category?select=id,category{2}(id)');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      {
        code: 'SVC100',
        message: '"failed to parse select parameter (id,category{2}(id))" (line 1, column 12)',
        details: `unexpected '{' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
        hint: null,
      },
    ]);
  });
});
