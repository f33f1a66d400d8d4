// What the demo promises of its database, seen by the roles that requests change into.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { withConnection } from '../../src/embedded/script/sql-session.ts';
import { createDatabase, loadFixture, type TestDatabase } from '../support/database.ts';

const DEMO_SQL = new URL('../../src/embedded/demo.sql', import.meta.url).pathname;
const MIRA = { role: 'demo_user', resident_id: 1 };
const OTTILIE = { role: 'demo_user', resident_id: 3 };

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  await loadFixture(database.uri, DEMO_SQL);
});

afterAll(() => database.drop());

type Claims = Readonly<Record<string, unknown>> & { readonly role: string };

/** As a request would run it: role and claims for one transaction, which is rolled back. */
async function queryAs(claims: Claims | undefined, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return await withConnection(database.uri, async (client) => {
    await client.query('begin');
    await client.query(`select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`, [
      claims?.role ?? 'demo_anon',
      claims === undefined ? '' : JSON.stringify(claims),
    ]);
    return (await client.query<Record<string, unknown>>(sql)).rows;
  });
}

test('loads a second time beside itself', async () => {
  const second = await createDatabase();
  await expect(loadFixture(second.uri, DEMO_SQL)).resolves.toBeUndefined();
  await second.drop();
});

test('the authenticator can do nothing but change roles', async () => {
  const rows = await queryAs(
    undefined,
    `select rolsuper, rolinherit, rolcreatedb, rolcreaterole, rolbypassrls, has_schema_privilege('rowhouse', 'api', 'usage') as usage
     from pg_roles where rolname = 'rowhouse'`,
  );
  expect(rows).toEqual([
    { rolsuper: false, rolinherit: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false, usage: false },
  ]);
});

test.each(['streets', 'houses', 'residents', 'skills', 'resident_skills', 'tools', 'available_tools', 'notes'])(
  'visitors may read %s and change nothing',
  async (table) => {
    const rows = await queryAs(undefined, `select count(*)::int as count from api.${table}`);
    expect(rows[0]?.['count']).toBeGreaterThanOrEqual(5);
    await expect(queryAs(undefined, `delete from api.${table}`)).rejects.toMatchObject({ code: '42501' });
  },
);

test('visitors see no loans and no private notes', async () => {
  await expect(queryAs(undefined, 'select from api.loans')).rejects.toMatchObject({ code: '42501' });
  expect(await queryAs(undefined, 'select from api.notes where not is_public')).toEqual([]);
});

test('a user sees public notes and the own private ones', async () => {
  const sql = 'select distinct author_id from api.notes where not is_public order by author_id';
  expect(await queryAs(MIRA, sql)).toEqual([{ author_id: 1 }]);
  expect(await queryAs(OTTILIE, sql)).toEqual([{ author_id: 3 }]);
});

test('a user writes as nobody else', async () => {
  expect(
    await queryAs(MIRA, `insert into api.notes (title) values ('Hello') returning author_id, topic, is_public`),
  ).toEqual([{ author_id: 1, topic: 'offer', is_public: true }]);
  await expect(queryAs(MIRA, `insert into api.notes (author_id, title) values (3, 'Fake')`)).rejects.toMatchObject({
    code: '42501',
  });
  expect(await queryAs(MIRA, `update api.notes set title = 'Mine now' where author_id = 3 returning id`)).toEqual([]);
  expect(await queryAs(MIRA, `delete from api.notes where title = 'Clocks repaired' returning author_id`)).toEqual([
    { author_id: 1 },
  ]);
});

test('a user sees the own loans and those of the own tools', async () => {
  const rows = await queryAs(
    OTTILIE,
    'select distinct loans.borrower_id = 3 or tools.owner_id = 3 as own from api.loans join api.tools on tools.id = tool_id',
  );
  expect(rows).toEqual([{ own: true }]);
});

test('borrowing takes a tool off the list, once', async () => {
  expect(await queryAs(MIRA, 'select borrower_id, due_on - borrowed_on as days from api.borrow_tool(5)')).toEqual([
    { borrower_id: 1, days: 7 },
  ]);
  await expect(queryAs(MIRA, 'select api.borrow_tool(1)')).rejects.toMatchObject({
    code: 'PT409',
    message: 'This tool is not at home',
  });
  await expect(queryAs(undefined, 'select api.borrow_tool(5)')).rejects.toMatchObject({ code: '42501' });
});

test('the functions answer', async () => {
  expect(await queryAs(undefined, `select name from api.find_tools('Telescope')`)).toEqual([{ name: 'Telescope' }]);
  expect(await queryAs(undefined, `select count(*)::int from api.find_tools('saw')`)).toEqual([{ count: 4 }]);
  expect(await queryAs(undefined, 'select api.walk_minutes(1, 1) as here, api.walk_minutes(1, 30) as far')).toEqual([
    { here: 0, far: 5 },
  ]);
  expect(await queryAs(undefined, 'select api.address(houses) from api.houses where id = 3')).toEqual([
    { address: '3 Lantern Row' },
  ]);
  expect(
    await queryAs(undefined, `select n.name from api.residents r, api.neighbours(r) n where r.id = 4 order by n.id`),
  ).toEqual([{ name: 'Mira Okonkwo' }, { name: 'Jonas Okonkwo' }, { name: 'Tomasz Kowalczyk' }]);
  expect(await queryAs(MIRA, 'select api.whoami()')).toEqual([{ whoami: { role: 'demo_user', resident_id: 1 } }]);
  expect(await queryAs(undefined, 'select api.whoami()')).toEqual([
    { whoami: { role: 'demo_anon', resident_id: null } },
  ]);
});

test('everything that is served is explained', async () => {
  const rows = await queryAs(
    { role: 'postgres' },
    `select relname::text as name from pg_class where relnamespace = 'api'::regnamespace and relkind in ('r', 'v')
       and obj_description(oid, 'pg_class') is null
     union all
     select proname::text from pg_proc where pronamespace = 'api'::regnamespace and obj_description(oid, 'pg_proc') is null`,
  );
  expect(rows).toEqual([]);
});

test('a table made without a schema is served at once', async () => {
  const notified = await withConnection(database.uri, async (client) => {
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query(`listen ${SVC_DIALECT.channel}`);
    await client.query('create table books (id int generated always as identity primary key, title text)');
    await client.query('select 1');
    return heard;
  });
  expect(notified).toEqual(['reload schema']);
  expect(await queryAs(undefined, 'select * from api.books')).toEqual([]);
  expect(await queryAs(MIRA, `insert into api.books (title) values ('Middlemarch') returning id`)).toEqual([{ id: 1 }]);
});
