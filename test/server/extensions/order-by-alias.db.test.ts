// Orders by aliases of the same level (`beyond.md` §1.1).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { useExtensionServers } from './extension-servers.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.client (id int primary key, name text not null);
    create table api.stay (
      id int primary key, client_id int not null references api.client, at timestamp not null, fee int, label text,
      meta jsonb not null);
    insert into api.client values (1, 'Ada'), (2, 'Bob');
    insert into api.stay
      select n, 1 + n % 2, timestamp '2026-03-01' + n * interval '7 hours', nullif(n * 5 % 11, 0), 'v' || n % 7,
        jsonb_build_object('n', n % 4)
      from generate_series(1, 20) as n;
    create function api.rank(api.stay) returns int immutable language sql as 'select -$1.id';
    create function public.depth(api.stay) returns int immutable language sql as 'select -$1.id';
    create function api.all_stays() returns setof api.stay stable language sql as 'select * from api.stay';
    create function api.numbers() returns table (n int) stable language sql as 'select generate_series(1, 3)';
    grant select on api.client, api.stay to ${harbor.anon};
    grant insert on api.stay to ${harbor.anon}`);
const servers = await useExtensionServers(harbor, 'aggregates', { 'db-aggregates-enabled': true });

describe.each(['svc', 'postgrest'] as const)('in the dialect %s', (dialect) => {
  const read = (target: string): Promise<unknown> => servers.on[dialect].json(target);

  test.each([
    [
      'a cast in a grouped level',
      '/stay?select=day:at::date,fee.sum()&order=day.desc',
      'select at::date as day, sum(fee) from api.stay group by 1 order by 1 desc',
    ],
    [
      'a path in a grouped level, nulls and further terms',
      '/stay?select=n:meta->n,kind:label,fee.max()&order=n.desc.nullslast,kind',
      "select meta->'n' as n, label as kind, max(fee) from api.stay group by 1, 2 order by 1 desc, 2",
    ],
    [
      'an aggregate, with casts on both sides',
      '/stay?select=label,total:fee::numeric.sum()::text&order=total,label',
      'select label, sum(fee::numeric)::text as total from api.stay group by 1 order by 2, 1',
    ],
    [
      'a count of rows',
      '/stay?select=kind:label,times:count()&order=times.desc,kind.desc',
      'select label as kind, count(*) as times from api.stay group by 1 order by 2 desc, 1 desc',
    ],
    [
      'a column with another name, beside conditions on groups',
      '/stay?select=kind:label&count()=gt.2&order=kind.desc',
      'select label as kind from api.stay group by 1 having count(*) > 2 order by 1 desc',
    ],
    [
      'a cast of plain rows, where text orders numbers otherwise',
      '/stay?select=word:id::text&order=word.desc&limit=4',
      'select id::text as word from api.stay order by 1 desc limit 4',
    ],
    [
      'a computed column',
      '/stay?select=id,last:rank&order=last&limit=3',
      'select id, -id as last from api.stay order by 2 limit 3',
    ],
    [
      'a to-many embed',
      '/client?select=name,stay(word:id::text)&stay.order=word.desc&stay.limit=3&order=name',
      `select name, (select json_agg(_) from (
         select id::text as word from api.stay where client_id = client.id order by 1 desc limit 3) as _) as stay
       from api.client order by name`,
    ],
    [
      'a grouped embed',
      '/client?select=name,stay(day:at::date,count())&stay.order=day.desc&order=name',
      `select name, (select json_agg(_) from (
         select at::date as day, count(*) from api.stay where client_id = client.id group by 1 order by 1 desc) as _
       ) as stay from api.client order by name`,
    ],
    [
      'a function that returns rows of a table',
      '/rpc/all_stays?select=day:at::date,fee.sum()&order=day.desc&limit=2',
      'select at::date as day, sum(fee) from api.stay group by 1 order by 1 desc limit 2',
    ],
    [
      'a function that returns a table',
      '/rpc/numbers?select=word:n::text&order=word.desc',
      'select n::text as word from api.numbers() order by 1 desc',
    ],
    [
      'different rows',
      '/stay?select=day:at::date&distinct=*&order=day.desc',
      'select distinct at::date as day from api.stay order by 1 desc',
    ],
    [
      'the first row of each combination',
      '/stay?select=kind:label,id&distinct=label&order=kind.desc,id.desc',
      'select distinct on (label) label as kind, id from api.stay order by label desc, id desc',
    ],
  ])('B101 %s', async (_, target, sql) => {
    const [row] = await harbor.query(`select json_agg(_) from (${sql}) as _`);
    expect(await read(target)).toEqual(row?.[0]);
  });

  test('B101 a column of that name takes precedence, stored or computed', async () => {
    const [row] = await harbor.query(
      'select json_agg(_) from (select id as fee from api.stay order by stay.fee desc nulls last, id limit 2) as _',
    );
    expect(await read('/stay?select=fee:id&order=fee.desc.nullslast,id&limit=2')).toEqual(row?.[0]);
    expect(await read('/stay?select=rank:id&order=rank&limit=2')).toEqual([{ rank: 20 }, { rank: 19 }]);
    expect(await read('/stay?select=depth:id&order=depth&limit=2')).toEqual([{ depth: 20 }, { depth: 19 }]);
  });

  test('B101 what select gives of a write is ordered by the alias', async () => {
    const response = await servers.on[dialect].get('/stay?select=word:id::text&order=word.desc', {
      method: 'POST',
      headers: { Prefer: 'return=representation', 'Content-Type': 'application/json' },
      body: JSON.stringify([9_000, 10_000].map((id) => ({ id, client_id: 1, at: '2027-01-01', meta: {} }))),
    });
    expect([response.status, response.text]).toEqual([201, '[{"word":"9000"}, \n {"word":"10000"}]']);
    await harbor.sql('delete from api.stay where id >= 9000');
  });

  test('B101 in filters, on other levels and behind arrows, an alias means nothing', async () => {
    for (const target of [
      '/stay?select=day:at::date&day=eq.2026-03-01',
      '/stay?select=day:at::date,client(name)&client.order=day',
      '/stay?select=m:meta&order=m->n',
      '/client?select=name,...stay(word:id::text)&order=word',
    ])
      expect(await read(target), target).toMatchObject({ code: '42703' });
  });

  test('B101 without the extension, the name is that of a column', async () => {
    expect(await servers.off[dialect].json('/stay?select=day:at::date&order=day')).toMatchObject({ code: '42703' });
  });
});

test('B58 B101 the score of the level takes precedence over an alias', async () => {
  const read = (query: string): Promise<unknown> => servers.on.svc.json(`/stay?select=score:id&${query}&limit=1`);
  expect(await read('score=label.fts.v3&order=score.desc,id')).toEqual([{ score: 3 }]);
  expect(await read('order=score.desc')).toEqual([{ score: 20 }]);
});

test('B101 pages by token, forward and back', async () => {
  const words = (await harbor.query('select id::text from api.stay order by meta->$$n$$ desc, id::text')).flat();
  const query = 'select=word:id::text,n:meta->n&order=n.desc,word&limit=6';
  const seen: unknown[] = [];
  let [target, back] = [`/stay?${query}`, ''];
  while (target !== '') {
    const { headers, text } = await servers.on.svc.get(target, { headers: { Prefer: 'paging=cursor' } });
    seen.push(...(JSON.parse(text) as { word: string }[]).map(({ word }) => word));
    target = linkOf(headers['link'], 'next');
    back = linkOf(headers['link'], 'prev');
  }
  expect(seen).toEqual(words);
  expect(await servers.on.svc.json(back)).toMatchObject(words.slice(12, 18).map((word) => ({ word })));
});

test('B101 a token of the order without the cast is of another order', async () => {
  const { headers } = await servers.on.svc.get('/stay?select=word:id::text&order=word&limit=2', {
    headers: { Prefer: 'paging=cursor' },
  });
  const target = linkOf(headers['link'], 'next').replace('order=word', 'order=id');
  expect(await servers.on.svc.json(target)).toMatchObject({ code: 'SVC132' });
});

/** Returns the target of a link of the relation `/stay`, `''` if there is none. */
function linkOf(links: unknown, rel: string): string {
  const [, query] = new RegExp(`<([^>]*)>; rel="${rel}"`, 'u').exec(String(links)) ?? [];
  return query === undefined ? '' : `/stay${query}`;
}
