// Which roles `init` offers to extend.
import { afterAll, expect, test } from 'vitest';
import { findExistingSetup } from '../../../tools/init/existing-tables.ts';
import { adminUri, createDatabase, runSql } from '../../support/database.ts';

const database = await createDatabase();

afterAll(async () => {
  await database.drop();
  await runSql(adminUri(), `drop role if exists ${database.name}_gate, ${database.name}_anon`);
});

test('issue 47: the roles of the demo, which open every database of its cluster, are no setup of the user', async () => {
  const { name, uri } = database;
  await runSql(
    uri,
    `do $$ begin create role demo_anon nologin; exception when duplicate_object then null; end $$;
     create role ${name}_gate login noinherit;
     grant demo_anon to ${name}_gate;
     grant usage on schema public to demo_anon;`,
  );
  expect(await findExistingSetup(uri)).toBeUndefined();
  await runSql(
    uri,
    `create role ${name}_anon nologin;
     grant ${name}_anon to ${name}_gate;
     grant usage on schema public to ${name}_anon;`,
  );
  expect(await findExistingSetup(uri)).toEqual({ loginRole: `${name}_gate`, roles: [`${name}_anon`] });
});
