// `Content-Range` sent before the rows (`beyond.md` §1.9): it contains the page only if the page is certain.
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;

await harbor.sql(`
    create table api.pier (id int primary key, name text);
    create table api.old_pier () inherits (api.pier);
    insert into api.pier values (1, 'new'), (2, 'other');
    insert into api.old_pier values (1, 'old');
    create table api.dock (id int primary key, pier_id int references api.pier, berth_id int references api.berth);
    insert into api.dock select n, 1, 1 + n % 2 from generate_series(1, 20) n;
    create table api.crate (id int primary key, dock_id int references api.dock);
    insert into api.crate select n, n from generate_series(1, 10) n;
    create view api.some_docks as select id from api.dock where random() < 0.5;
    create function api.luck(api.dock) returns boolean language sql volatile as 'select random() < 0.5';
    create function api.parts(api.dock) returns setof int language sql stable as 'values (1), (2)';
    create function api.some() returns setof api.dock language sql volatile as 'select * from api.dock where random() < 0.5';
    create table api.guarded (id int primary key);
    insert into api.guarded select generate_series(1, 20);
    alter table api.guarded enable row level security;
    create policy chance on api.guarded using (random() < 0.5);

    create extension file_fdw;
    create server programs foreign data wrapper file_fdw;
    create foreign table api.far (id int) server programs options (program 'seq $(shuf -i 1000-3000 -n 1)');
    create table api.split (id int) partition by range (id);
    create foreign table api.split_far partition of api.split for values from (0) to (9999)
      server programs options (program 'seq $(shuf -i 1000-3000 -n 1)');
    create table api.heads (id int);
    create table api.heirs () inherits (api.heads);
    create foreign table api.far_heirs () inherits (api.heirs)
      server programs options (program 'seq $(shuf -i 1000-3000 -n 1)');

    grant select on all tables in schema api to ${harbor.anon};
  `);

describe('NDJSON', () => {
  const headers = { Accept: 'application/x-ndjson', Prefer: 'count=exact' };

  test.each([
    ['/dock', 200, '0-19/20'],
    ['/dock?limit=5&offset=3', 206, '3-7/20'],
    ['/dock?id=gt.15&order=id', 200, '0-4/5'],
    ['/dock?select=id,berth(name)', 200, '0-19/20'],
    ['/dock?select=id,...berth(name)&order=berth(name)', 200, '0-19/20'],
    ['/dock?select=id,crate(id)&crate.limit=0', 200, '0-19/20'],
    ['/dock?select=id,crate!inner(id)', 200, '0-9/10'],
    ['/dock?select=id,crate!inner(id)&crate.limit=1', 200, '0-9/10'],
    ['/dock?select=id,crate(id)&crate=is.null', 200, '0-9/10'],
    ['/crate?select=id,dock(id,crate(id))', 200, '0-9/10'],
    ['/berth?select=id,dock(id,pier(name))', 200, '0-2/3'],
    ['/pier', 200, '0-2/3'],
  ])('B24 the page of %s is certain: %i, %s', async (target, status, range) => {
    server = await use(startLocalServer(harbor));
    const answer = await server.get(target, { headers });
    expect([answer.status, answer.headers['content-range']]).toEqual([status, range]);
    const [first = '', last = ''] = range.split('/')[0]?.split('-') ?? [];
    expect(answer.text.split('\n').length - 1).toBe(Number(last) - Number(first) + 1);
  });

  test.each([
    ['/dock?select=id,pier(name)', 200, '*/20', 40],
    ['/dock?select=id,...pier(name)', 200, '*/20', 40],
    ['/crate?select=id,dock(id,pier(name))', 200, '*/10', 20],
    ['/dock?select=id,pier(name)&limit=3', 206, '*/20', 3],
    ['/dock?select=id,crate!inner(id)&crate.limit=0', 200, '*/10', 0],
    ['/dock?select=id,crate!inner(id)&crate.offset=1', 200, '*/10', 0],
    ['/dock?select=id,crate(id)&crate=not.is.null&crate.limit=0', 200, '*/10', 0],
    ['/dock?select=id,crate!inner(count())', 200, '*/10', 20],
    ['/dock?select=id,parts', 200, '*/20', 40],
  ])('B24 %s may return more or fewer rows: %i, %s, and %i are sent', async (target, status, range, lines) => {
    server = await use(startLocalServer(harbor, { 'db-aggregates-enabled': true }));
    const answer = await server.get(target, { headers });
    expect([answer.status, answer.headers['content-range'], answer.text.split('\n').length - 1]).toEqual([
      status,
      range,
      lines,
    ]);
  });

  test.each(['/some_docks', '/dock?luck=is.true', '/guarded', '/rpc/some?luck=is.true', '/far', '/split', '/heads'])(
    'B24 %s is counted separately from its rows, and only the total is sent',
    async (target) => {
      server = await use(startLocalServer(harbor));
      const answers = [await server.get(target, { headers }), await server.get(target, { headers, method: 'HEAD' })];
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.headers['content-range']).toMatch(/^\*\/\d+$/u);
      }
    },
  );

  test('B24 a function runs once, so its page follows from its total', async () => {
    server = await use(startLocalServer(harbor));
    const answer = await server.get('/rpc/some', { headers });
    const lines = answer.text.split('\n').length - 1;
    expect(answer.headers['content-range']).toBe(lines === 0 ? '*/0' : `0-${lines - 1}/${lines}`);
  });
});

test.each(['/far', '/split', '/heads', '/heirs'])(
  'B24 the counted rows of %s are those that are sent, whatever the foreign table returns next',
  async (target) => {
    server = await use(startLocalServer(harbor));
    for (const Accept of ['application/json', 'text/csv']) {
      const { headers, text } = await server.get(target, { headers: { Accept } });
      const rows = text.split('\n').length - (Accept === 'text/csv' ? 1 : 0);
      expect(headers['content-range']).toBe(`0-${rows - 1}/*`);
    }
  },
);
