// Orders by aggregates, conditions on groups, and further aggregates (`beyond.md` §1.1).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { useExtensionServers } from './extension-servers.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.client (id int primary key, name text, orders int);
    create table api.orders (
      id int primary key, client_id int references api.client, city text, amount numeric, paid bool, meta jsonb);
    insert into api.client values (1, 'Ada', 7), (2, 'Bob', 8), (3, 'Cid', 9);
    insert into api.orders
      select n, 1 + n % 2, (array['Oslo','Cork','Rome','Bern'])[1 + n % 4], nullif(n * n % 17, 0), n % 3 = 0,
        jsonb_build_object('n', n % 5)
      from generate_series(1, 40) as n;
    create function api.all_orders() returns setof api.orders stable language sql as 'select * from api.orders';
    grant select, update, delete on api.client, api.orders to ${harbor.anon}`);
const servers = await useExtensionServers(harbor, 'aggregates', {
  'db-aggregates-enabled': true,
  'db-tx-end': 'rollback',
});

const BY_HAND = 'select coalesce(json_agg(_), $$[]$$) from';

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const codeOf = (code: string): string => `${dialect === 'svc' ? 'SVC' : 'PGRST'}${code}`;
  const read = (target: string): Promise<unknown> => servers.on[dialect].json(target);
  const compare = async (target: string, sql: string): Promise<void> => {
    const [row] = await harbor.query(`${BY_HAND} (${sql}) as _`);
    expect(await read(target)).toEqual(row?.[0]);
  };

  test.each([
    ['select=city&order=amount.sum().desc', 'select city from api.orders group by city order by sum(amount) desc'],
    [
      'select=city,amount.sum()&order=amount.sum()::text.desc.nullslast,city',
      'select city, sum(amount) from api.orders group by city order by sum(amount)::text desc nulls last, city',
    ],
    [
      'select=client_id,paid&order=count().desc,client_id,amount::int.max().asc.nullsfirst,paid',
      'select client_id, paid from api.orders group by 1, 2 order by count(*) desc, 1, max(amount::int), paid',
    ],
    [
      'select=city&order=meta-%3En::int.sum(),city&limit=2',
      "select city from api.orders group by 1 order by sum((meta->'n')::int), 1 limit 2",
    ],
  ])('B1 %s', (query, sql) => compare(`/orders?${query}`, sql));

  test.each([
    [
      'select=city&amount.sum()=gt.60&order=city',
      'select city from api.orders group by 1 having sum(amount) > 60 order by 1',
    ],
    [
      'select=city,amount.max()&or=(count().gt.10,amount.max().lt.16)&order=city',
      'select city, max(amount) from api.orders group by 1 having count(*) > 10 or max(amount) < 16 order by 1',
    ],
    [
      'select=city&or=(city.eq.Oslo,amount.avg()::int.not.lte.7)&order=city',
      "select city from api.orders group by 1 having city = 'Oslo' or not avg(amount)::int <= 7 order by 1",
    ],
    [
      'select=city&amount=gt.3&count()=gte.7&meta-%3En::int.sum()=not.in.(1,2)&order=city',
      "select city from api.orders where amount > 3 group by 1 having count(*) >= 7 and not sum((meta->'n')::int) = any ('{1,2}') order by 1",
    ],
    ['select=city&count()=is.null', 'select city from api.orders group by 1 having count(*) is null'],
    ['select=count()&count()=gt.100', 'select count(*) from api.orders having count(*) > 100'],
    ['count()=gt.1', 'select * from api.orders where false'],
  ])('B2 %s', (query, sql) => compare(`/orders?${query}`, sql));

  test('B2 columns of a tree with aggregates must be grouped', async () => {
    expect(await read('/orders?select=city&or=(paid.is.true,count().gt.3)')).toMatchObject({ code: '42803' });
    expect(await read('/orders?select=city&order=amount,count()')).toMatchObject({ code: '42803' });
  });

  test('B2 an exact count counts the groups', async () => {
    const get = (target: string) => servers.on[dialect].get(target, { headers: { Prefer: 'count=exact' } });
    const { headers } = await get('/orders?select=city&amount.sum()=gt.60&limit=1&order=city');
    const [row] = await harbor.query(
      'select count(*) from (select city from api.orders group by 1 having sum(amount) > 60) as _',
    );
    expect(headers['content-range']).toBe(`0-0/${String(row?.[0])}`);
    const { headers: none } = await get('/orders?select=city&amount.sum()=gt.1000&limit=1');
    expect(none['content-range']).toBe('*/0');
  });

  test('B1 B2 in embeds and calls', async () => {
    await compare(
      '/client?select=name,orders(city)&orders.order=amount.sum().desc&orders.count()=gt.3&order=name',
      `select name, (select coalesce(json_agg(_), '[]') from (
         select city from api.orders where client_id = client.id group by 1 having count(*) > 3
         order by sum(amount) desc) as _) as orders from api.client order by name`,
    );
    await compare(
      '/client?select=name,orders!inner()&orders.amount.sum()=gt.140',
      'select name from api.client where (select sum(amount) from api.orders where client_id = client.id) > 140',
    );
    await compare(
      '/client?select=name,orders(city)&orders.or=(count().gt.9,amount.min().gt.5)&orders.order=city&order=name',
      `select name, (select coalesce(json_agg(_), '[]') from (
         select city from api.orders where client_id = client.id group by 1
         having count(*) > 9 or min(amount) > 5 order by 1) as _) as orders from api.client order by name`,
    );
    await compare(
      '/rpc/all_orders?select=city&amount.sum()=gt.60&order=id.max()',
      'select city from api.orders group by 1 having sum(amount) > 60 order by max(id)',
    );
  });

  test('B2 without an embed of that name, a column is counted', async () => {
    await compare('/client?select=name&orders.count()=eq.1&order=name', 'select name from api.client order by name');
  });

  test('B3 distinct in the brackets, and further aggregates', async () => {
    await compare(
      '/orders?select=city.count(distinct),total:amount.sum(distinct),mean:amount.avg(distinct)',
      'select count(distinct city), sum(distinct amount) as total, avg(distinct amount) as mean from api.orders',
    );
    await compare('/orders?select=city.countdistinct()', 'select count(distinct city) from api.orders');
    await compare(
      '/orders?select=amount.stddev(),amount.variance(),amount.median(),paid.bool_and(),or:paid.bool_or()',
      `select stddev(amount), variance(amount), percentile_cont(0.5) within group (order by amount) as median,
         bool_and(paid), bool_or(paid) as or from api.orders`,
    );
    await compare(
      '/orders?select=client_id,city.array_agg(distinct)&order=client_id',
      'select client_id, array_agg(distinct city) from api.orders group by 1 order by 1',
    );
    await compare('/orders?select=id.array_agg()&id=lt.4', 'select array_agg(id) from api.orders where id < 4');
    await compare(
      '/orders?select=city&amount.median()=gte.7&order=city.countdistinct(),city',
      'select city from api.orders group by 1 having percentile_cont(0.5) within group (order by amount) >= 7 order by 1',
    );
    await compare(
      '/orders?select=...client(name.count(distinct))',
      'select count(distinct name) from api.orders join api.client on client.id = client_id',
    );
  });

  test.each(['select=amount.max(distinct)', 'select=count(distinct)', 'order=amount.median(distinct)'])(
    'B3 %s is an error',
    async (query) => {
      expect(await read(`/orders?${query}`)).toMatchObject({ code: codeOf('100') });
    },
  );

  test('B5 writes have no groups to filter', async () => {
    const { status, text } = await servers.on[dialect].get('/orders?count()=gt.1', { method: 'DELETE' });
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { code: codeOf('127'), details: 'Aggregates are not available in filters of writes.' },
    ]);
  });

  test('B54 without the extension', async () => {
    await expectOff(servers.off[dialect], codeOf('100'));
    // The dialect `postgrest` ignores text after a complete name.
    const code = codeOf(dialect === 'svc' ? '100' : '108');
    expect(await servers.off[dialect].json('/orders?amount.sum()=gt.3')).toMatchObject({ code });
  });
});

const NEW_FORMS = [
  'order=amount.sum()',
  'or=(count().gt.3)',
  'select=amount.median()',
  'select=amount.count(distinct)',
];

async function expectOff(server: LocalServer, code: string): Promise<void> {
  for (const query of NEW_FORMS) expect(await server.json(`/orders?${query}`), query).toMatchObject({ code });
}

test('B1 without db-aggregates-enabled, aggregates anywhere say so, and distinct needs no option', async () => {
  const server = await startLocalServer(harbor);
  try {
    await expectOff(server, 'SVC123');
    expect(await server.json('/orders?select=amount.sum()')).toMatchObject({ code: 'SVC123' });
    expect(await server.json('/orders?amount.sum()=gt.5')).toMatchObject({ code: 'SVC123' });
    expect((await server.get('/orders?select=city&distinct=*')).status).toBe(200);
  } finally {
    await server.stop();
  }
});
