// `init --live` as an operator runs it, on a PostgreSQL of its own, because it changes a parameter of the server.
import { expect, test } from 'vitest';
import { withConnection, withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { type Ended, runProgram } from '../../support/spawned-server.ts';
import { runSql } from '../../support/database.ts';
import { startOwnPostgres } from '../../support/own-postgres.ts';
import { use } from '../../support/use.ts';

const postgres = await use(startOwnPostgres());
await runSql(
  postgres.uri,
  `create role gate login; create schema api; create schema other;
    create table api.keyed (id int primary key);
    create table api.bare (id int);
    create table api."full" (id int);
    alter table api."full" replica identity full;
    create table api.late (id int primary key deferrable);
    create table api.log (id int, day date, primary key (id, day)) partition by range (day);
    create table api.log_1 partition of api.log for values from ('2026-01-01') to ('2026-02-01');
    create unlogged table api.quick (id int primary key);
    create table other.keyed (id int primary key)`,
);

function init(...args: readonly string[]): Promise<Ended> {
  return runProgram(['init', '--live', ...args], { environment: { DATABASE_URL: '' } });
}

const read = (text: string): Promise<unknown> =>
  withConnection(
    postgres.uri,
    async (client) => (await client.query({ text, rowMode: 'array' })).rows.flat() as unknown,
  );

const LEVEL = `-- Requires a superuser, and a restart of PostgreSQL.
ALTER SYSTEM SET wal_level = logical;
`;
const LEFT_OUT = `-- Left out, because its UPDATE and DELETE would fail without a primary key: "api"."bare"
-- Left out, because its UPDATE and DELETE would fail without a primary key: "api"."late"
`;
const SHOWN = `CREATE PUBLICATION "rowhouse_live" FOR TABLE "api"."full", "api"."keyed", "api"."log";
ALTER ROLE "gate" REPLICATION;
${LEVEL}${LEFT_OUT}-- A superuser must grant REPLICATION. "gate" can then read every published row. For another login, see live-db-uri.
`;

test('B77i --print only shows what is missing', async () => {
  expect(await init('--print', '--login-role', 'gate', postgres.uri)).toEqual({ code: 0, stderr: '', stdout: SHOWN });
  expect(await init('--login-role', 'gate', postgres.uri)).toEqual({
    code: 0,
    stderr: 'Nothing was run. Pass --yes to run it, or --print to only show it.\n',
    stdout: SHOWN,
  });
  expect(await read('select pubname from pg_publication')).toEqual([]);
  expect((await init('--print', postgres.uri)).stdout).toContain('-- There is no role "authenticator". ');
  expect(await init('--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('Specify the database') });
});

test('B77j --yes runs it, and a second time only what is missing then', async () => {
  const done = '\nDone. Restart PostgreSQL, and add this to the configuration:\n  live-publication = "rowhouse_live"\n';
  expect(await init('--yes', '--login-role', 'gate', postgres.uri)).toEqual({
    code: 0,
    stderr: '',
    stdout: `${SHOWN}${done}`,
  });
  const members = 'select tablename from pg_publication_tables order by 1';
  expect(await read(members)).toEqual(['full', 'keyed', 'log_1']);
  expect(await read(`select rolreplication from pg_roles where rolname = 'gate'`)).toEqual([true]);
  expect(await read(`select setting from pg_file_settings where name = 'wal_level'`)).toContain('logical');
  await runSql(postgres.uri, 'create table api.another (id int primary key)');
  expect((await init('--yes', '--login-role', 'gate', postgres.uri)).stdout).toBe(
    `ALTER PUBLICATION "rowhouse_live" ADD TABLE "api"."another";\n${LEVEL}${LEFT_OUT}${done}`,
  );
  expect(await read(members)).toEqual(['another', 'full', 'keyed', 'log_1']);
});

test('B77k without --schema, the schema with the most tables is published, and an empty publication is refused', async () => {
  await runSql(postgres.uri, 'create database shop');
  const shop = withDatabase(postgres.uri, 'shop');
  expect(await init('--print', shop)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'The schema api has no table with a primary key. Name another schema with --schema.',
    ),
  });
  await runSql(shop, 'create schema goods; create table goods.lamp (id int primary key)');
  expect((await init('--print', shop)).stdout).toContain(
    'CREATE PUBLICATION "rowhouse_live" FOR TABLE "goods"."lamp";',
  );
});
