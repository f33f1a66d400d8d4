// What `check` and `doctor` find about distributed tables, in a database with Citus and in one without.
import { expect, test } from 'vitest';
import type { Finding } from '../../tools/check/lints/finding.ts';
import { runLints } from '../../tools/check/run-lints.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import type { TestDatabase } from '../support/database.ts';
import { createPlainTenants, createTenants } from './citus-database.ts';
import { use } from '../support/use.ts';

const OF_CITUS: ReadonlySet<string> = new Set([
  'role-cannot-log-in',
  'function-misses-shards',
  'policy-over-all-shards',
  'large-local-table',
]);

/** Each statement is right in SQL, and wrong with Citus or in vain. */
const PLANTED = `
  create role deaf_user;
  grant usage on schema api to deaf_user;
  grant select on api.task to deaf_user;
  create function api.open_titles() returns table (title text) language sql stable as 'select o.title from api.open_task as o';
  create function api.called_alone() returns setof api.task language sql stable set row_security = on as 'select * from api.task';
  create function api.changes_rows() returns setof api.task language sql as 'select * from api.task';
  create function api.colors() returns setof api.setting language sql stable as 'select * from api.setting';
  create policy of_projects on api.task for select to app_user using (project_id in (1, 2));
  create policy either on api.note for select to app_user using (tenant_id = 1 or n = 1);
  create policy this on api.note for select to app_user using (1 = tenant_id and n = 1);
  create table api.event (id int primary key, what text);
  update pg_class set reltuples = 1000001 where oid in ('api.event'::regclass, 'api.task'::regclass)`;

function lint({ uri }: TestDatabase): Promise<readonly Finding[]> {
  return withConnection(uri, async (client) => {
    for (const statement of PLANTED.split(';\n')) await client.query(statement);
    const findings = await runLints(client, { schemas: ['api'], roles: ['app_user', 'deaf_user'] });
    await client.query('drop owned by deaf_user');
    await client.query('drop role deaf_user');
    return findings.filter(({ lint: name }) => OF_CITUS.has(name));
  });
}

const databases = [await use(createTenants()), await use(createPlainTenants())] as const;

test('P43 what is planted in a database with Citus is found, and nothing else', async () => {
  const findings = await lint(databases[0]);
  expect(findings.map(({ lint: name, object, role, place }) => [name, object, role, place])).toEqual([
    ['role-cannot-log-in', 'api.task', 'deaf_user', { kind: 'object', object: 'api.task' }],
    ['function-misses-shards', 'api.open_titles()', null, { kind: 'object', object: 'api.open_titles()' }],
    [
      'function-misses-shards',
      'api.tasks_by_sql(integer)',
      null,
      { kind: 'object', object: 'api.tasks_by_sql(integer)' },
    ],
    ['policy-over-all-shards', 'api.comment', null, { kind: 'policy', table: 'api.comment', name: 'everyone' }],
    ['policy-over-all-shards', 'api.note', null, { kind: 'policy', table: 'api.note', name: 'either' }],
    ['policy-over-all-shards', 'api.note', null, { kind: 'policy', table: 'api.note', name: 'everyone' }],
    ['policy-over-all-shards', 'api.task', null, { kind: 'policy', table: 'api.task', name: 'everyone' }],
    ['policy-over-all-shards', 'api.task', null, { kind: 'policy', table: 'api.task', name: 'of_projects' }],
    ['large-local-table', 'api.event', null, { kind: 'object', object: 'api.event' }],
  ]);
});

test('P43 the same statements without Citus are none of these findings', async () => {
  expect(await lint(databases[1])).toEqual([]);
});

test('a function finds its rows with the fix of function-misses-shards', async () => {
  const rows = await withConnection(databases[0].uri, async (client) => {
    await client.query('alter function api.open_titles() set row_security = on');
    return (await client.query('select * from api.open_titles()')).rows;
  });
  expect(rows).toHaveLength(20 * 27);
});
