// State that functions leave in the shared session: the next request must not see it.
import { describe, expect, test } from 'vitest';
import { useHarbor, type Harbor } from '../../support/harbor.ts';
import { bearer, type LocalServer, type Options, post, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
let server: LocalServer;

function fixture({ anon, user }: Harbor): string {
  return `
    create table api.measure (id int primary key, length float8, content bytea);
    insert into api.measure values (1, 0.1::float8 + 0.2::float8, '\\x00ff');
    create table api.setting_to_leave (name text, value text);
    create table api.note (id int primary key, number uuid, content json);
    insert into api.note values (1, '00000000-0000-0000-0000-000000000001', '{}');
    create function api.leave(name text, value text) returns void language plpgsql as
      $$ begin perform set_config(name, value, false); end $$;
    create function api.leave_reading(name text, value text) returns text language sql stable as
      $$ select set_config(name, value, false) $$;
    create function api.leave_settings() returns bool language sql stable as
      $$ select count(set_config(name, value, false)) >= 0 from api.setting_to_leave $$;
    create view api.leaving as select set_config(name, value, false) from api.setting_to_leave;
    create table api.guarded (id int primary key);
    insert into api.guarded values (1);
    alter table api.guarded enable row level security;
    create policy leaving on api.guarded using (api.leave_settings());
    create function api.left_by(api.measure) returns bool language sql stable as 'select api.leave_settings()';
    create table api.noted (id int generated always as identity);
    create function api.leave_noting() returns trigger language plpgsql as
      $$ begin perform api.leave_settings(); return new; end $$;
    create trigger leaving before insert on api.noted for each row execute function api.leave_noting();
    create function api.leave_before() returns void language sql as 'select api.leave_settings()';
    create function api.left() returns json language sql stable as $$
      select json_build_object('tenant', coalesce(current_setting('app.tenant', true), ''),
        'settings', (select json_object_agg(name, setting) from pg_settings where source = 'session'),
        'cursors', (select count(*) from pg_cursors where is_holdable)) $$;
    create function api.backend() returns int language sql stable as 'select pg_backend_pid()';
    create function api.run(command text) returns void language plpgsql as $$ begin execute command; end $$;
    create function api.run_and_fail(command text) returns void language plpgsql as
      $$ begin execute command; raise exception 'no'; end $$;
    grant select on api.measure, api.setting_to_leave, api.note, api.leaving, api.guarded to ${anon}, ${user};
    grant insert, select on api.noted to ${anon}, ${user};
    grant insert on api.berth to ${user};
    grant temporary on database ${harbor.database} to ${anon};`;
}

/** Tables on which a write leaves `app.tenant = 7` in the session, by mechanism. */
const TABLES: Readonly<Record<string, string>> = {
  trigger_before: `(id int); create trigger leave before insert on api.trigger_before
    for each row execute function api.leave_tenant_first()`,
  trigger_after: `(id int); create trigger leave after insert on api.trigger_after
    for each statement execute function api.leave_tenant_first()`,
  trigger_deferred: `(id int); create constraint trigger leave after insert on api.trigger_deferred
    deferrable initially deferred for each row execute function api.leave_tenant_first()`,
  trigger_on_partition: `(id int) partition by list (id);
    create table api.part partition of api.trigger_on_partition default;
    create trigger leave before insert on api.part for each row execute function api.leave_tenant_first()`,
  rule: `(id int); create table api.ruled (id int); grant insert, select on api.ruled to public;
    create rule leave as on insert to api.rule do instead
      insert into api.ruled values (api.leave_tenant(new.id)) returning ruled.id`,
  default_by_function: '(id int, value int default api.leave_tenant(1))',
  default_by_set_config: `(id int, value text default set_config('app.tenant', '7', false))`,
  generated: '(id int, value int generated always as (api.leave_tenant(id)) stored)',
  check_constraint: '(id int check (api.leave_tenant(id) > 0))',
  check_of_a_domain: '(id api.tenant_id)',
  index_expression: '(id int); create index on api.index_expression (api.leave_tenant(id))',
  index_predicate: '(id int); create index on api.index_predicate (id) where api.leave_tenant(id) > 0',
  exclusion_constraint: '(id int, exclude using btree (api.leave_tenant(id) with =))',
  row_level_security: `(id int); alter table api.row_level_security enable row level security;
    create policy leave on api.row_level_security with check (api.leave_tenant(id) > 0)`,
};

function tablesOf({ anon }: Harbor): string {
  const tables = Object.entries(TABLES).map(
    ([name, rest]) => `create table api.${name} ${rest}; grant insert on api.${name} to ${anon};`,
  );
  return `
    create function api.leave_tenant(id int) returns int immutable language plpgsql as
      $$ begin perform set_config('app.tenant', '7', false); return id; end $$;
    create function api.leave_tenant_first() returns trigger language plpgsql as
      $$ begin perform api.leave_tenant(1); return new; end $$;
    create domain api.tenant_id as int check (api.leave_tenant(value) > 0);
    create table api.mother (id int primary key, name text unique);
    create table api.child (mother_id int references api.mother on update cascade on delete cascade);
    create trigger leave after update or delete on api.child for each statement execute function api.leave_tenant_first();
    insert into api.mother values (1, 'a'), (2, 'b'), (3, 'c');
    insert into api.child values (1), (2), (3);
    grant select, insert, update, delete on api.mother to ${anon};
    ${tables.join('\n')}`;
}

async function start(options: Options = {}): Promise<LocalServer> {
  server = await use(
    startLocalServer(harbor, {
      'db-pool': 1,
      'db-channel-enabled': false,
      'db-tx-end': 'commit-allow-override',
      ...options,
    }),
  );
  return server;
}

await harbor.sql(fixture(harbor));
await harbor.sql(tablesOf(harbor));
const HEADERS = JSON.stringify([
  { 'Set-Cookie': 'session=stolen' },
  { 'Content-Type': 'text/html' },
  { 'Access-Control-Allow-Origin': 'http://elsewhere.example' },
  { 'X-Left': 'yes' },
]);

const STATES: readonly (readonly [name: string, value: string])[] = [
  ['response.headers', HEADERS],
  ['response.status', '418'],
  ['extra_float_digits', '-10'],
  ['bytea_output', 'escape'],
  ['default_transaction_read_only', 'on'],
  ['default_transaction_isolation', 'serializable'],
  ['DateStyle', 'SQL, DMY'],
  ['search_path', 'nowhere'],
  ['app.tenant', '7'],
];

const WAYS: readonly (readonly [title: string, leave: (name: string, value: string) => Promise<unknown>])[] = [
  ['a function called by POST', (name, value) => server.get('/rpc/leave', post({ name, value }))],
  [
    'a function called by GET',
    (name, value) => server.get(`/rpc/leave_reading?name=${name}&value=${encodeURIComponent(value)}`),
  ],
  ['a trigger', () => server.get('/noted', post({}))],
  ["a view's function", () => server.get('/leaving')],
  ["a policy's function", () => server.get('/guarded')],
  ['a computed column', () => server.get('/measure?select=id,left_by')],
  ['a computed column in a filter', () => server.get('/measure?left_by=is.true')],
];

type Request = ReturnType<typeof post>;

function merging(request: Request): Request {
  return { ...request, headers: { ...request.headers, Prefer: 'resolution=merge-duplicates' } };
}

/** Overloads that users define for types of PostgreSQL. */
const OVERLOADS: readonly (readonly [title: string, sql: string, target: string])[] = [
  [
    'an operator',
    `create function api.leave_comparing(json, json) returns bool language sql stable as 'select api.leave_settings()';
    create operator api.= (leftarg = json, rightarg = json, function = api.leave_comparing);`,
    '/note?content=eq.{}',
  ],
  [
    'an operator for a list',
    `create function api.leave_comparing(json, json) returns bool language sql stable as 'select api.leave_settings()';
    create operator api.= (leftarg = json, rightarg = json, function = api.leave_comparing);`,
    '/note?content=in.({})',
  ],
  [
    'a pattern operator',
    `create function api.leave_matching(int, text) returns bool language sql stable as 'select api.leave_settings()';
    create operator api.~~ (leftarg = int, rightarg = text, function = api.leave_matching);`,
    '/note?id=like.1*',
  ],
  [
    'an aggregate',
    `create function api.leave_adding(int, uuid) returns int language sql stable as 'select api.leave_settings()::int';
    create aggregate api.avg(uuid) (sfunc = api.leave_adding, stype = int, initcond = '0');`,
    '/note?select=number.avg()',
  ],
  [
    'a function for full-text search',
    `create function api.to_tsvector(int) returns tsvector language sql stable as
      $$ select to_tsvector(api.leave_settings()::text) $$;`,
    '/note?id=fts.true',
  ],
];

/** Returns what another role observes in its next requests. */
async function probe(): Promise<unknown> {
  const own = bearer({ role: harbor.user });
  const write = post({ id: 77, name: 'x' });
  const answers = [
    await server.get('/measure', { headers: own }),
    await server.get('/measure', { headers: { ...own, Accept: 'text/csv' } }),
    await server.get('/berth', { ...write, headers: { ...write.headers, ...own, Prefer: 'tx=rollback' } }),
    await server.get('/rpc/left', { headers: own }),
  ];
  return answers.map(({ status, headers, text }) => ({ status, headers: { ...headers, date: '' }, text }));
}

describe('a session setting does not outlive the request that made it', () => {
  test.each(WAYS)('made by %s', async (_, leave) => {
    await start();
    const clean = await probe();
    const backend = await server.json('/rpc/backend');
    for (const [name, value] of STATES) {
      await harbor.sql(
        `truncate api.setting_to_leave; insert into api.setting_to_leave values ('${name}', '${value}')`,
      );
      await leave(name, value);
      expect(await probe(), name).toStrictEqual(clean);
    }
    expect(await server.json('/rpc/backend')).toBe(backend);
  });

  test.each(OVERLOADS)("made by %s that users define for PostgreSQL's types", async (_, sql, target) => {
    await harbor.sql(`${sql}
      truncate api.setting_to_leave; insert into api.setting_to_leave values ('response.headers', '${HEADERS}')`);
    await start({ 'db-aggregates-enabled': true });
    const clean = await probe();
    expect((await server.get(target)).headers['x-left']).toBe('yes');
    expect(await probe()).toStrictEqual(clean);
    await harbor.sql(`drop function if exists api.leave_comparing, api.leave_matching, api.leave_adding cascade;
      drop function if exists api.to_tsvector(int)`);
  });

  test('made by a pre-request function', async () => {
    await harbor.sql(`truncate api.setting_to_leave; insert into api.setting_to_leave values ('app.tenant', '7')`);
    await start({ 'db-pre-request': 'api.leave_before' });
    expect((await server.get('/measure')).status).toBe(200);
    await harbor.sql('truncate api.setting_to_leave');
    expect(await server.json('/rpc/left')).toMatchObject({ tenant: '' });
  });

  test('made by the pre-config function', async () => {
    await harbor.sql(`truncate api.setting_to_leave; insert into api.setting_to_leave values ('app.tenant', '7');
      grant usage on schema api to ${harbor.login}; grant select on api.setting_to_leave to ${harbor.login}`);
    await start({ 'db-config': true, 'db-pre-config': 'api.leave_before' });
    await server.server.service.reloadConfig();
    expect(await server.json('/rpc/left')).toMatchObject({ tenant: '' });
  });

  test('settings of the login role and of the database are preserved', async () => {
    await harbor.sql(
      `alter role ${harbor.login} set app.tenant = 'gate'; alter database ${harbor.database} set extra_float_digits = -5`,
    );
    try {
      await start();
      for (let round = 0; round < 2; round += 1) {
        expect(await server.json('/rpc/left')).toMatchObject({ tenant: 'gate' });
        expect(await server.json('/measure?select=length')).toStrictEqual([{ length: 0.3 }]);
        await server.get('/rpc/leave', post({ name: 'app.tenant', value: '7' }));
        await server.get('/rpc/leave', post({ name: 'extra_float_digits', value: '1' }));
      }
    } finally {
      await harbor.sql(
        `alter role ${harbor.login} reset app.tenant; alter database ${harbor.database} reset extra_float_digits`,
      );
    }
  });
});

describe('a write cleans up after', () => {
  test.each(Object.keys(TABLES))('%s', async (table) => {
    await start();
    expect(await server.get(`/${table}`, post({ id: 1 }))).toMatchObject({ status: 201 });
    expect(await server.json('/rpc/left')).toMatchObject({ tenant: '' });
  });

  test.each([
    ['an update', '/mother?id=eq.1', { ...post({ id: 11 }), method: 'PATCH' }, 204],
    ['a deletion', '/mother?id=eq.2', { method: 'DELETE' }, 204],
    ['a merge', '/mother?on_conflict=name', merging(post({ id: 13, name: 'c' })), 200],
  ])('%s that cascades to a trigger of another table', async (_, path, request, status) => {
    await start();
    expect(await server.get(path, request)).toMatchObject({ status });
    expect(await server.json('/rpc/left')).toMatchObject({ tenant: '' });
  });
});

test("the role that a view's function sets is not that of the pre-config function", async () => {
  await harbor.sql(`create function api.configure() returns void language sql as 'select 1';
    revoke execute on function api.configure() from public;
    grant execute on function api.configure() to ${harbor.login};
    grant usage on schema api to ${harbor.login};
    truncate api.setting_to_leave; insert into api.setting_to_leave values ('role', '${harbor.user}')`);
  await start({ 'db-config': true, 'db-pre-config': 'api.configure' });
  expect((await server.get('/leaving')).status).toBe(200);
  await server.server.service.reloadConfig();
  expect(server.count(/permission denied/u)).toBe(0);
});

describe('other state that a function leaves in the session', () => {
  const LEFT: readonly (readonly [title: string, command: string])[] = [
    ['a temporary table', 'create temp table pile (id int)'],
    ['an advisory lock', 'select pg_advisory_lock(4711)'],
    ['a cursor', 'declare lookout cursor with hold for select 1'],
  ];

  async function leftovers(): Promise<unknown> {
    const { cursors } = (await server.json('/rpc/left')) as { readonly cursors: number };
    const [[tables, locks] = []] = await harbor.query(`select
      (select count(*)::int from pg_class where relpersistence = 't'),
      (select count(*)::int from pg_locks where locktype = 'advisory' and objid = 4711)`);
    return { cursors, tables, locks };
  }

  test.each(LEFT)('%s is removed with the request', async (_, command) => {
    await start();
    expect((await server.get('/rpc/run', post({ command }))).status).toBe(204);
    expect(await leftovers()).toStrictEqual({ cursors: 0, tables: 0, locks: 0 });
  });

  test('an advisory lock is released even if the request fails', async () => {
    await start();
    const command = 'select pg_advisory_lock(4711)';
    expect((await server.get('/rpc/run_and_fail', post({ command }))).status).toBe(400);
    expect(await leftovers()).toStrictEqual({ cursors: 0, tables: 0, locks: 0 });
  });

  test('a session left with LISTEN is closed once it receives a notification', async () => {
    await start();
    const backend = await server.json('/rpc/backend');
    await server.get('/rpc/run', post({ command: 'listen news' }));
    await harbor.sql('notify news');
    await server.get('/rpc/backend');
    await server.get('/rpc/backend');
    expect(await server.json('/rpc/backend')).not.toBe(backend);
  });

  test('deferred triggers still see the settings of the request', async () => {
    await harbor.sql(`create table api.seen (role text, path text);
      create table api.late (id int);
      create function api.see() returns trigger language plpgsql security definer as $$ begin
        insert into api.seen values (current_setting('role'), current_setting('request.path')); return null; end $$;
      create constraint trigger see after insert on api.late deferrable initially deferred
        for each row execute function api.see();
      grant insert on api.late to ${harbor.anon}`);
    await start();
    expect((await server.get('/late', post({ id: 1 }))).status).toBe(201);
    expect(await harbor.query('select role, path from api.seen')).toStrictEqual([[harbor.anon, '/late']]);
  });
});
