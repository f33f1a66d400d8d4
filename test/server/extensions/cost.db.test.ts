// The cost budget, over real servers (`beyond.md` §1.2).
import { describe, expect, test } from 'vitest';
import { renderIdempotencySetup } from '../../../src/extensions/idempotency/idempotency-setup.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, bearer, type RequestParts, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
const BUDGET = 300;

const { anon, user } = harbor;
await harbor.sql(`
    create table api.item (id int primary key, kind text, size int);
    insert into api.item select n, case when n <= 3 then 'rare' else 'common' end, n from generate_series(1, 30000) n;
    create index on api.item (kind);
    create table api.part (id int primary key, item_id int references api.item, name text);
    insert into api.part select n, n, 'part ' || n from generate_series(1, 100) n;
    create table api.entry (id int generated always as identity primary key, note text);
    create table api.guarded (note text);
    alter table api.guarded enable row level security;
    create policy growing on api.guarded with check ((select count(*) from api.guarded) >= 0);
    create policy visible on api.guarded for select using (true);
    create view api.common_item as select * from api.item where kind = 'common';
    create table api.call (at timestamptz default clock_timestamp());
    create function api.dear() returns int language plpgsql volatile cost 1000000 security definer as $$ begin
      insert into api.call default values; return 1;
    end $$;
    create function api.find_kind(kind text) returns setof api.item language sql stable as
      $$ select * from api.item where item.kind = find_kind.kind $$;
    create function api.weight(api.item) returns int language plpgsql volatile cost 1000000 security definer as $$ begin
      insert into api.call default values; return 1;
    end $$;
    create view api.materialized as with x as materialized (select * from api.item) select id, kind from x;
    create view api.counted as select id, (select count(*) from api.item i where i.size > 0) from api.item;
    create function api.all_items() returns setof api.item language plpgsql stable rows 100000 as
      $$ begin return query select * from api.item; end $$;
    create table api.owned (id int primary key, note text);
    insert into api.owned select n, 'x' from generate_series(1, 5) n;
    create function api.before() returns void language plpgsql as $$ begin
      if current_setting('request.headers')::json->>'x-scan' = 'yes' then perform set_config('enable_indexscan', 'off', true),
        set_config('enable_indexonlyscan', 'off', true), set_config('enable_bitmapscan', 'off', true); end if;
    end $$;
    grant select, insert, update, delete on all tables in schema api to ${anon}, ${user};
    ${renderIdempotencySetup('keys').join(';\n')};
    grant usage on schema keys to ${anon}, ${user};
    analyze;
    alter role ${anon} set svc.max_cost = '${BUDGET}';
    alter role ${anon} set pgrst.max_cost = '400.5'`);
const options = {
  'db-config': true,
  'db-aggregates-enabled': true,
  'db-plan-enabled': true,
  'db-tx-end': 'commit-allow-override',
};
const server = await use(
  startLocalServer(harbor, {
    ...options,
    'db-idempotency-schema': 'keys',
    'idempotency-anonymous': true,
  }),
);
const prepared = await use(startLocalServer(harbor, { ...options, 'db-pre-request': 'api.before', 'db-pool': 1 }));
const foreign = await use(startLocalServer(harbor, { ...options, dialect: 'postgrest', extensions: 'cost' }));
const unknown = await use(startLocalServer(harbor, { ...options, extensions: 'none', 'db-max-cost': 1 }));

const RARE = '/item?kind=eq.rare';
const COMMON = '/item?kind=eq.common';
const JSON_BODY = { 'Content-Type': 'application/json' };

async function countCalls(): Promise<unknown> {
  const [[calls]] = (await harbor.query('select count(*)::int from api.call')) as [[number]];
  return calls;
}

function isRefused({ status, text }: Answer): boolean {
  return status === 400 && text.startsWith('{"code":"SVC130",');
}

async function expectRefused(target: string, parts?: RequestParts): Promise<void> {
  const answer = await server.get(target, parts);
  expect(isRefused(answer), `${target}: ${answer.status} ${answer.text.slice(0, 200)}`).toBe(true);
}

describe('the budget', () => {
  test('B6 refuses a read before it runs, and says what it costs and what would help', async () => {
    const answer = await server.get('/item?select=id,part(*)&order=size', { headers: { Prefer: 'count=exact' } });
    const body = JSON.parse(answer.text) as Record<string, string>;
    expect(answer.status).toBe(400);
    expect(body).toStrictEqual({
      code: 'SVC130',
      message: expect.stringMatching(
        new RegExp(`^The request is estimated to cost \\d+, and role ${harbor.anon} may spend ${BUDGET}$`, 'u'),
      ) as string,
      details: 'Estimated rows: 30000',
      hint: 'To make the request cheaper, filter by an indexed column, or set a limit, or embed fewer relations',
    });
  });

  test('B6 admits what is cheap, unchanged', async () => {
    expect(await server.json(`${RARE}&select=id`)).toStrictEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect((await server.get('/item?limit=2', { headers: { Accept: 'text/csv' } })).text).toBe(
      'id,kind,size\n1,rare,1\n2,rare,2',
    );
    expect((await server.get('/item?id=eq.7', { method: 'HEAD' })).status).toBe(200);
  });

  test.each([
    ['a view', '/common_item'],
    ['a set-returning function that PostgreSQL inlines', '/rpc/find_kind?kind=common'],
    ['a computed column', '/item?id=eq.1&select=weight'],
    ['a filter by a computed column', '/item?id=eq.1&weight=eq.1'],
    ['an order by a computed column', '/item?id=eq.1&order=weight'],
    ['a cast', '/item?select=id::text'],
    ['an embed', '/item?select=id,part(*)&id=lt.2000'],
    ['a CTE of a view', '/materialized?id=eq.1'],
    ['a subquery of a view', '/counted?id=eq.1'],
    ['a function with many rows', '/rpc/all_items?limit=1&offset=99999'],
    ['an aggregate', '/item?select=count()'],
    ['a member of a tree on a related row', '/item?or=(id.eq.1,part.name.like.*9*)'],
    ['a logic tree', '/item?or=(id.eq.1,size.eq.3)'],
    ['a list of values', `/item?size=in.(${Array.from({ length: 50 }, (_, n) => n).join(',')})`],
    ['an offset', '/item?limit=1&offset=29000&order=size'],
  ])('B6 counts %s', async (_, target) => {
    const before = await countCalls();
    await expectRefused(target);
    expect(await countCalls()).toBe(before);
  });

  test('B6 calls no volatile function', async () => {
    const before = await countCalls();
    await expectRefused('/rpc/dear', { method: 'POST' });
    await expectRefused('/rpc/dear', { method: 'POST', headers: { Prefer: 'tx=rollback' } });
    expect(await countCalls()).toBe(before);
    expect((await server.get('/rpc/dear', { method: 'POST', headers: bearer({ role: harbor.user }) })).status).toBe(
      200,
    );
    expect(await countCalls()).toBe(Number(before) + 1);
  });

  test('B6 refuses writes before they run', async () => {
    const body = '{"size": 0}';
    await expectRefused(COMMON, { method: 'PATCH', headers: JSON_BODY, body });
    await expectRefused(COMMON, {
      method: 'PATCH',
      headers: { ...JSON_BODY, Prefer: 'handling=strict, max-affected=5' },
      body,
    });
    await expectRefused('/part?item_id=eq.1&select=*,item(weight)', {
      method: 'DELETE',
      headers: { Prefer: 'return=representation' },
    });
    expect(await harbor.query('select count(*)::int from api.item where size = 0')).toStrictEqual([[0]]);
    const cheap = { method: 'PATCH', headers: { ...JSON_BODY, Prefer: 'return=representation' }, body: '{"size": 2}' };
    expect(await server.json('/item?id=eq.2&select=size', cheap)).toStrictEqual([{ size: 2 }]);
    const put = { method: 'PUT', headers: JSON_BODY, body: '{"id": 1, "item_id": 1, "name": "part 1"}' };
    expect((await server.get('/part?id=eq.1', put)).status).toBe(204);
  });

  test('B6 exempts execution plans unless they run the statement', async () => {
    const accept = (options: string): RequestParts => ({
      headers: { Accept: `application/vnd.svc.plan+json; options=${options}` },
    });
    expect((await server.get('/item', accept('verbose'))).status).toBe(200);
    await expectRefused('/item', accept('analyze'));
    await expectRefused('/rpc/find_kind?kind=common', accept('analyze'));
    await expectRefused(COMMON, {
      method: 'PATCH',
      headers: { ...JSON_BODY, Accept: 'application/vnd.svc.plan+json; options=analyze' },
      body: '{"size": 0}',
    });
    expect((await server.get(RARE, accept('analyze'))).status).toBe(200);
  });

  test('B54 does not exist without the extension, and has the name of the dialect', async () => {
    expect((await unknown.get('/item')).status).toBe(200);
    const answer = await foreign.get('/item');
    expect(answer.text).toContain('"code":"PGRST130"');
    expect(answer.text).toContain('may spend 400.5');
  });
});

describe('roles', () => {
  test('B7 0 means none, a role has its own budget without the option, and both reload', async () => {
    const own = await startLocalServer(harbor, { 'db-config': true }, { file: 'db-max-cost = 200.5' });
    try {
      const asUser = { headers: bearer({ role: harbor.user }) };
      expect((await own.get('/item', asUser)).text).toContain('may spend 200.5');
      await harbor.sql(`alter role ${harbor.user} set svc.max_cost = '0'`);
      await own.server.service.reloadConfig();
      expect((await own.get('/item', asUser)).status).toBe(200);
      await harbor.sql(`alter role ${harbor.user} reset svc.max_cost`);
      await harbor.sql(`alter role ${harbor.user} set svc.max_cost = '20k'`);
      await own.reconfigure('db-max-cost = 0');
      expect(own.count(/svc\.max_cost of the role .*, which must be a number that is not negative, not "20k"/u)).toBe(
        1,
      );
      expect((await own.get('/item', asUser)).status).toBe(200);
      await harbor.sql(`alter role ${harbor.user} set svc.max_cost = '7'`);
      await harbor.sql(`do $$ begin execute format('alter role ${harbor.user} in database %I set svc.max_cost = %L',
        current_database(), '9.5'); end $$`);
      await own.reconfigure('');
      expect((await own.get('/item', asUser)).text).toContain('may spend 9.5');
    } finally {
      await harbor.sql(`alter role ${harbor.user} reset svc.max_cost`);
      await harbor.sql(`do $$ begin execute format('alter role ${harbor.user} in database %I reset svc.max_cost',
        current_database()); end $$`);
      await own.stop();
    }
  });
});

test('B7 a role reached through another one has its budget, too', async () => {
  const [group, member] = [`${harbor.login}_group`, `${harbor.login}_member`];
  await harbor.sql(`create role ${group}; create role ${member}; grant ${group} to ${harbor.login};
    grant ${member} to ${group}; grant usage on schema api to ${member}; grant select on api.item to ${member};
    alter role ${member} set svc.max_cost = '8'`);
  try {
    await server.server.service.reloadConfig();
    const answer = await server.get('/item', { headers: bearer({ role: member }) });
    expect(answer.text).toContain(`role ${member} may spend 8`);
  } finally {
    await harbor.sql(`drop owned by ${member}; drop role ${member}; drop role ${group}`);
  }
});

describe('sequences of requests', () => {
  test('B8 a cheap twin opens no door, whatever its plan', async () => {
    for (let turn = 0; turn < 12; turn += 1) expect((await server.get(RARE)).status).toBe(200);
    for (let turn = 0; turn < 3; turn += 1) await expectRefused(COMMON);
    for (let turn = 0; turn < 6; turn += 1) expect((await server.get('/rpc/find_kind?kind=rare')).status).toBe(200);
    await expectRefused('/rpc/find_kind?kind=common');
    const without = { headers: bearer({ role: harbor.user }) };
    for (let turn = 0; turn < 6; turn += 1) expect((await server.get(COMMON, without)).status).toBe(200);
    await expectRefused(COMMON);
  });

  test('B8 concurrent requests are estimated one by one', async () => {
    const targets = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? RARE : COMMON));
    const answers = await Promise.all(targets.map((target) => server.get(target)));
    expect(answers.map(isRefused)).toStrictEqual(targets.map((target) => target === COMMON));
  });

  test('B8 an estimate that is kept serves the same key lookup only', async () => {
    for (const id of [5, 6, 7, 8]) expect(await server.json(`/item?id=eq.${id}&select=id`)).toStrictEqual([{ id }]);
    await expectRefused('/item?id=gt.5&select=id');
    await expectRefused('/item?select=id');
    await harbor.sql(
      'alter table api.part drop constraint part_item_id_fkey; alter table api.item drop constraint item_pkey',
    );
    try {
      await server.reload();
      await expectRefused('/item?id=eq.5&select=id');
    } finally {
      await harbor.sql(`alter table api.item add primary key (id);
        alter table api.part add foreign key (item_id) references api.item`);
      await server.reload();
    }
    expect((await server.get('/item?id=eq.5&select=id')).status).toBe(200);
  });

  test('B8 an estimate is not kept if a policy has a subquery, even one that the server has not seen', async () => {
    const ask = (kind: string): Promise<Answer> => server.get('/owned?id=eq.1', { headers: { 'X-Kind': kind } });
    await harbor.sql(`alter table api.owned enable row level security;
      create policy costly on api.owned using ((select count(*) from api.item
        where kind = current_setting('request.headers', true)::json->>'x-kind') >= 0)`);
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await ask('none')).status).toBe(200);
      expect(isRefused(await ask('common'))).toBe(true);
    }
  });

  test('B8 an estimate that is kept serves no other role, whose policies may cost more', async () => {
    const member = `${harbor.login}_dear`;
    await harbor.sql(`create role ${member}; grant ${member} to ${harbor.login}; grant usage on schema api to ${member};
      grant select on api.item to ${member}; alter role ${member} set svc.max_cost = '${BUDGET}';
      alter table api.item enable row level security;
      create policy cheap on api.item to ${harbor.anon} using (true);
      create policy costly on api.item to ${member} using (api.dear() = 1)`);
    try {
      await server.server.service.reloadConfig();
      expect((await server.get('/item?id=eq.6&select=id')).status).toBe(200);
      await expectRefused('/item?id=eq.6&select=id', { headers: bearer({ role: member }) });
    } finally {
      await harbor.sql(`drop policy cheap on api.item; drop policy costly on api.item;
        alter table api.item disable row level security; drop owned by ${member}; drop role ${member}`);
    }
  });

  test('B8 no header changes what is estimated', async () => {
    for (const headers of [
      { Accept: 'text/csv' },
      { Accept: 'application/vnd.svc.object+json' },
      { Prefer: 'count=exact' },
      { 'If-None-Match': '*' },
      { Prefer: 'timezone=Asia/Tokyo, handling=lenient' },
    ])
      await expectRefused(COMMON, { headers });
    expect((await server.get(COMMON, { method: 'HEAD' })).status).toBe(400);
    expect((await server.get(COMMON, { headers: { Range: '0-0' } })).status).toBe(200);
    await expectRefused(`${COMMON}&order=size`, { headers: { Range: '0-0' } });
  });

  test('B8 a batch ends at its first expensive request and keeps nothing', async () => {
    const requests = [
      { method: 'POST', path: '/entry', body: { note: 'batch' } },
      { id: 'second', method: 'GET', path: RARE },
      { id: 'third', method: 'GET', path: COMMON },
      { method: 'POST', path: '/rpc/dear' },
    ];
    const send = (some: readonly object[]): Promise<Answer> =>
      server.get('/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/vnd.svc.batch+json' },
        body: JSON.stringify(some),
      });
    const before = await countCalls();
    const answer = await send(requests);
    expect(isRefused(answer), answer.text).toBe(true);
    expect(JSON.parse(answer.text)).toMatchObject({ request: 2, id: 'third' });
    expect(await countCalls()).toBe(before);
    expect(await harbor.query('select count(*)::int from api.entry')).toStrictEqual([[0]]);
    const [created, read] = JSON.parse((await send(requests.slice(0, 2))).text) as readonly {
      status: number;
      body: unknown;
    }[];
    expect(created?.status).toBe(201);
    expect(read?.body).toHaveLength(3);
    await harbor.sql('delete from api.entry');
  });

  test('B8 an idempotency key changes nothing, and a refused request leaves its key free', async () => {
    const parts = { method: 'PATCH', headers: { ...JSON_BODY, 'Idempotency-Key': '"one"' }, body: '{"size": 0}' };
    await expectRefused(COMMON, parts);
    await expectRefused(COMMON, parts);
    expect((await server.get('/item?id=eq.1', parts)).status).toBe(204);
    expect((await server.get('/item?id=eq.1', parts)).headers['idempotency-replayed']).toBe('true');
  });

  test('B8 rows as they come are no way around it, in either direction', async () => {
    const lines = { headers: { Accept: 'application/x-ndjson' } };
    await expectRefused(COMMON, lines);
    expect((await server.get(RARE, lines)).text.split('\n')).toHaveLength(4);
    const body = `${JSON.stringify({ note: 'x'.repeat(40) })}\n`.repeat(40_000);
    const rows = { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body };
    const taken = await server.get('/entry', rows);
    expect([taken.status, taken.headers['content-range']]).toStrictEqual([201, '*/40000']);
    // The policy counts the rows that have come so far, so a later batch costs more than the first.
    await expectRefused('/guarded', rows);
    expect(await harbor.query('select count(*)::int from api.guarded')).toStrictEqual([[0]]);
  });

  test('B8 QUERY and the POST that means the same are reads like any other', async () => {
    const body = 'kind=eq.common';
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await expectRefused('/item', { method: 'QUERY', headers: form, body });
    await expectRefused('/item', { method: 'POST', headers: { 'Content-Type': 'application/vnd.svc.query' }, body });
    expect((await server.get('/item', { method: 'QUERY', headers: form, body: 'kind=eq.rare' })).status).toBe(200);
  });

  test('B8 the settings of the pre-request function count', async () => {
    const scanning = { headers: { 'X-Scan': 'yes' } };
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await prepared.json('/item?id=eq.4&select=id')).toStrictEqual([{ id: 4 }]);
      expect(isRefused(await prepared.get('/item?id=eq.4&select=id', scanning))).toBe(true);
    }
  });
});

describe('counts', () => {
  test('B9 an exact count costs, an estimated one falls back to the planned one', async () => {
    const prefer = (count: string): RequestParts => ({ headers: { Prefer: `count=${count}` } });
    const exact = await server.get('/item?limit=2', prefer('exact'));
    expect(isRefused(exact)).toBe(true);
    expect(exact.text).toContain('or ask for count=estimated');
    for (let turn = 0; turn < 2; turn += 1) {
      const estimated = await server.get('/item?limit=2&id=gt.0&order=id&select=id', prefer('estimated'));
      expect([estimated.status, estimated.text]).toStrictEqual([206, '[{"id":1}, \n {"id":2}]']);
      expect(estimated.headers['content-range']).toMatch(/^0-1\/\d{5}$/u);
    }
    expect((await server.get('/item?limit=2', prefer('planned'))).headers['content-range']).toMatch(/^0-1\/\d{5}$/u);
    expect((await server.get(`${RARE}&limit=2`, prefer('estimated'))).headers['content-range']).toBe('0-1/3');
    expect(
      (await server.get('/rpc/find_kind?kind=common&limit=1', prefer('estimated'))).headers['content-range'],
    ).toMatch(/^0-0\/\d{5}$/u);
    await expectRefused('/item', prefer('estimated'));
  });
});
