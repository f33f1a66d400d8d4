// What a change would lose, counted by an owner from whom row-level security hides rows.
import { beforeEach, expect, test } from 'vitest';
import { SchemaDelta } from '../../../tools/project/compare/schema-delta.ts';
import { findLosses } from '../../../tools/project/dev/find-losses.ts';
import { connect, createDatabase, runSql, useRoles } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const [role] = await useRoles('owner');
const database = await use(createDatabase());
await runSql(database.uri, `create schema api authorization ${role}`);
const client = await use(connect(database.uri));
beforeEach(() => client.query(`set role ${role}`));

/** Counts as the owner what a statement would lose. */
async function lossesOf(statement: string): Promise<readonly string[]> {
  const loaded = await SchemaDelta.load();
  if (!loaded.ok) throw new Error(loaded.error);
  const read = () => loaded.value.read(client, { isInTransaction: true, hasSecrets: false });
  await client.query('begin; reset role');
  const before = await read();
  await client.query(statement);
  const plan = loaded.value.plan(before, await read());
  await client.query('rollback');
  return findLosses(client, { plan, renames: [], schemas: ['api'] });
}

test('P10 rows that FORCE ROW LEVEL SECURITY hides from the owner are counted', async () => {
  await client.query(`create table api.t (id int, a text, b varchar(9)); insert into api.t values (1, 'x', 'longer'), (2, null, 'x');
    alter table api.t enable row level security; alter table api.t force row level security;
    create table api.empty (id int); alter table api.empty enable row level security;
    alter table api.empty force row level security`);
  expect(await lossesOf('drop table api.t')).toEqual(['table t with 2 rows']);
  expect(await lossesOf('alter table api.t drop a')).toEqual(['column t.a with 1 value']);
  expect(await lossesOf('alter table api.t alter b type varchar(3) using left(b, 3)')).toEqual([
    '1 value of column t.b (character varying(9) to character varying(3))',
  ]);
  expect(await lossesOf('drop table api.empty')).toEqual([]);
  const forced = `select count(*)::int from pg_class where relforcerowsecurity and relnamespace = 'api'::regnamespace`;
  expect((await client.query(forced)).rows).toEqual([{ count: 2 }]);
});

test('P10 rows that cannot be counted are a loss', async () => {
  await runSql(
    database.uri,
    `create table api.other (id int, a text); alter table api.other enable row level security; grant select on api.other to ${role}`,
  );
  expect(await lossesOf('drop table api.other')).toEqual(['table other with an unknown number of rows']);
  expect(await lossesOf('alter table api.other drop a')).toEqual(['column other.a with an unknown number of values']);
});
