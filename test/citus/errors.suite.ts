// What clients learn from errors of other nodes: neither names of shards nor addresses.
import { expect, test } from 'vitest';
import { bearer, post, startLocalServer } from '../support/local-server.ts';
import { CitusCluster } from './citus-cluster.ts';
import { createTenants, loginUri, runStatements } from './citus-database.ts';
import { use } from '../support/use.ts';

/** A role that no node lets in. */
const DEAF_USER = `create role deaf_user; grant deaf_user to tenant_gate;
  grant usage on schema api to deaf_user; grant all on all tables in schema api to deaf_user`;

const cluster = await use(CitusCluster.start());
const database = await createTenants(cluster.nodes.map(({ uri }) => uri));
await runStatements(database.uri, DEAF_USER);
const server = await use(startLocalServer({ uri: loginUri(database.uri), anon: 'web_anon' }));

const TASK = { tenant_id: 1, task_id: 900, project_id: 1, title: 'New' };

async function insert(path: string, row: unknown, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const parts = post(row);
  const { status, text } = await server.get(path, { ...parts, headers: { ...parts.headers, ...headers } });
  return { status, ...(JSON.parse(text) as object) };
}

test('B88 the comment of a constraint is the message, whichever shard the row is on', async () => {
  expect(await insert('/task', { ...TASK, title: 'Task 1' })).toEqual({
    status: 409,
    code: '23505',
    columns: ['tenant_id', 'title'],
    details: 'duplicate key value violates unique constraint "task_tenant_id_title_key"',
    hint: null,
    message: 'A tenant has a task of this title.',
  });
});

test('a foreign key names two tables', async () => {
  expect(await insert('/task', { ...TASK, label_id: 99 })).toMatchObject({
    code: '23503',
    message: 'insert or update on table "task" violates foreign key constraint "task_label_id_fkey"',
  });
});

test('a role that may not log in learns no address', async () => {
  expect(await insert('/counter', { tenant_id: 99, n: 1 }, bearer({ role: 'deaf_user' }))).toMatchObject({
    status: 503,
    code: '08006',
    message:
      'connection to the remote node failed with the following error: FATAL:  role "deaf_user" is not permitted to log in',
  });
});

test('a node that is down is not named', async () => {
  await cluster.workers[0]?.kill();
  const { status, text } = await server.get('/task?order=tenant_id,task_id');
  expect({ status, message: (JSON.parse(text) as { readonly message: string }).message }).toEqual({
    status: 503,
    message: expect.stringMatching(
      /^connection to the remote node failed with the following error: (?!.*127\.0\.0\.1)/su,
    ),
  });
});
