// The demo database as the roles of requests see it.
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { createDatabase, loadFixture } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const DEMO_SQL = new URL('../../../tools/demo/demo.sql', import.meta.url).pathname;
const MIRA = { role: 'demo_user', resident_id: 1 };
const OTTILIE = { role: 'demo_user', resident_id: 3 };

const database = await use(createDatabase());
await loadFixture(database.uri, DEMO_SQL);

type Claims = Readonly<Record<string, unknown>> & { readonly role: string };

/** Runs a query like a request: sets role and claims for one transaction, which is rolled back. */
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

test('the demo can be loaded into a second database of the same cluster', async () => {
  const second = await createDatabase();
  await expect(loadFixture(second.uri, DEMO_SQL)).resolves.toBeUndefined();
  await second.drop();
});

test('the authenticator can only switch roles', async () => {
  const rows = await queryAs(
    undefined,
    `select rolsuper, rolinherit, rolcreatedb, rolcreaterole, rolbypassrls, has_schema_privilege('authenticator', 'api', 'usage') as usage
     from pg_roles where rolname = 'authenticator'`,
  );
  expect(rows).toEqual([
    { rolsuper: false, rolinherit: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false, usage: false },
  ]);
});

test.each(['streets', 'houses', 'residents', 'skills', 'resident_skills', 'tools', 'available_tools', 'notes'])(
  'visitors can read %s but not change it',
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

test('a user sees public notes and their own private ones', async () => {
  const sql = 'select distinct author_id from api.notes where not is_public order by author_id';
  expect(await queryAs(MIRA, sql)).toEqual([{ author_id: 1 }]);
  expect(await queryAs(OTTILIE, sql)).toEqual([{ author_id: 3 }]);
});

test('a user cannot write on behalf of others', async () => {
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

test('a user sees their own loans and the loans of their tools', async () => {
  const rows = await queryAs(
    OTTILIE,
    'select distinct loans.borrower_id = 3 or tools.owner_id = 3 as own from api.loans join api.tools on tools.id = tool_id',
  );
  expect(rows).toEqual([{ own: true }]);
});

test('a tool can be borrowed only once', async () => {
  expect(await queryAs(MIRA, 'select borrower_id, due_on - borrowed_on as days from api.borrow_tool(5)')).toEqual([
    { borrower_id: 1, days: 7 },
  ]);
  await expect(queryAs(MIRA, 'select api.borrow_tool(1)')).rejects.toMatchObject({
    code: 'PT409',
    message: 'This tool is not at home',
  });
  await expect(queryAs(undefined, 'select api.borrow_tool(5)')).rejects.toMatchObject({ code: '42501' });
});

test('the functions return their documented results', async () => {
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

test('every exposed object has a comment', async () => {
  const rows = await queryAs(
    { role: 'postgres' },
    `select relname::text as name from pg_class where relnamespace = 'api'::regnamespace and relkind in ('r', 'v')
       and obj_description(oid, 'pg_class') is null
     union all
     select proname::text from pg_proc where pronamespace = 'api'::regnamespace and obj_description(oid, 'pg_proc') is null`,
  );
  expect(rows).toEqual([]);
});

test('a table created without a schema name is exposed immediately', async () => {
  const notified = await withConnection(database.uri, async (client) => {
    const payloads: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => payloads.push(payload));
    await client.query(`listen ${SVC_DIALECT.channel}`);
    await client.query('create table books (id int generated always as identity primary key, title text)');
    await client.query('select 1');
    return payloads;
  });
  expect(notified).toEqual(['reload schema']);
  expect(await queryAs(undefined, 'select * from api.books')).toEqual([]);
  expect(await queryAs(MIRA, `insert into api.books (title) values ('Middlemarch') returning id`)).toEqual([{ id: 1 }]);
});
