// Findings about access are errors only if a probe has read a row of somebody else.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LintName } from '../../../tools/check/lints/finding.ts';
import { listClaims } from '../../../tools/check/probes/find-ties.ts';
import { proveFindings } from '../../../tools/check/probes/prove-findings.ts';
import { runLints } from '../../../tools/check/run-lints.ts';
import { adminUri, createDatabase, runSql, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let client: Client;
let user: string;
let owner: string;

beforeAll(async () => {
  database = await createDatabase();
  [user, owner] = [`${database.name}_user`, `${database.name}_owner`];
  await runSql(
    database.uri,
    `create role ${user}; create role ${owner}; grant create on database ${database.name} to ${owner}`,
  );
  client = new Client({ connectionString: database.uri });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
  await runSql(adminUri(), `drop role ${user}; drop role ${owner}`);
});

const PROBED: ReadonlySet<LintName> = new Set([
  'rls-off',
  'policy-always-true',
  'view-bypasses-policies',
  'materialized-view-exposed',
  'secret-readable',
]);

let cases = 0;

/** Creates the objects in a new schema, and returns the findings that may be proved. */
async function findProved(sql: string): Promise<readonly string[]> {
  cases += 1;
  const schema = `case_${cases}`;
  await client.query(`create schema ${schema} authorization ${owner}; grant usage on schema ${schema} to ${user};
    set search_path to ${schema}; set role ${owner}; ${sql.replaceAll('$user', user)}; reset role; reset search_path`);
  const findings = await proveFindings(client, await runLints(client, { schemas: [schema], roles: [user] }));
  await client.query(`drop schema ${schema} cascade`);
  return findings
    .filter(({ lint }) => PROBED.has(lint))
    .map(({ lint, level, isProved, message }) => {
      const proof = /(?:Proved|Not proved): .*/u.exec(message)?.[0] ?? '';
      expect(isProved).toBe(level === 'error');
      return `${lint} ${level}: ${proof}`;
    });
}

const SUB = `(select current_setting('request.jwt.claims', true)::json ->> 'sub')`;
const ORDERS = `create table orders (id int primary key, owner text not null, email text);
  insert into orders values (1, 'ann', 'a@example.org'), (2, 'bob', 'b@example.org');`;
const OWN = `create policy own on orders using (owner = ${SUB});`;
const GUARDED = `${ORDERS} ${OWN} alter table orders enable row level security;`;
const ANN_READS_BOB = 'Proved: with the claim sub = "ann", the role reads a row of "bob".';
const NO_TIE = 'Not proved: no policy ties its rows to a claim.';
const NO_ROW = 'Not proved: no row of somebody else could be read.';

describe('P44 proved', () => {
  test('a table whose policies are not enabled', async () => {
    const sql = `${ORDERS} ${OWN} grant select, insert on orders to $user`;
    expect(await findProved(sql)).toEqual([`rls-off error: ${ANN_READS_BOB}`]);
  });

  test('a policy that is always true beside one that ties rows to a claim', async () => {
    const sql = `${GUARDED} create policy everybody on orders for select using (true); grant select on orders to $user`;
    expect(await findProved(sql)).toEqual([`policy-always-true error: ${ANN_READS_BOB}`]);
  });

  test('a view and a materialized view of a table with policies', async () => {
    const sql = `${GUARDED} create view recent as select id, owner from orders;
      create materialized view kept as select owner, email from orders; grant select on recent, kept to $user`;
    expect(await findProved(sql)).toEqual([
      `view-bypasses-policies error: ${ANN_READS_BOB}`,
      `materialized-view-exposed error: ${ANN_READS_BOB}`,
    ]);
  });

  test('rows that belong to somebody by a row that they reference', async () => {
    const sql = `${GUARDED} create table items (id int primary key, order_id int references orders);
      insert into items values (1, 1), (2, 2); grant select on orders to $user; grant select, update on items to $user`;
    expect(await findProved(sql)).toEqual([`rls-off error: ${ANN_READS_BOB}`]);
  });

  test('numbers and nested claims, also if all rows belong to one', async () => {
    const tenant = `((current_setting('request.jwt.claims', true)::json -> 'app') ->> 'tenant')::int`;
    const sql = `create table notes (id int primary key, tenant int, body text); insert into notes values (1, 7, 'x');
      create policy own on notes using (tenant = ${tenant}); grant select, delete on notes to $user`;
    expect(await findProved(sql)).toEqual([
      'rls-off error: Proved: with the claim app.tenant = "-1", the role reads a row of "7".',
    ]);
  });

  test('claims that a function reads', async () => {
    const sql = `create function uid() returns uuid stable language sql as
        $$ select (current_setting('request.jwt.claims', true)::json ->> 'user_id')::uuid $$;
      create table files (id int primary key, owner uuid, access_token text);
      insert into files values (1, 'a0000000-0000-0000-0000-000000000001'), (2, 'b0000000-0000-0000-0000-000000000002');
      create policy own on files using (owner = (select uid())); grant select on files to $user`;
    expect(await findProved(sql)).toEqual([
      expect.stringMatching(/^secret-readable error: Proved: with the claim user_id/u),
    ]);
  });
});

describe('P44 not proved', () => {
  test('without a policy that says whose the rows are', async () => {
    expect(await findProved(`${ORDERS} grant select, insert on orders to $user`)).toEqual([
      `rls-off warning: ${NO_TIE}`,
    ]);
  });

  test('without rows, or without the privilege to read them', async () => {
    const empty = `${ORDERS} ${OWN} delete from orders; grant select, insert on orders to $user`;
    expect(await findProved(empty)).toEqual([`rls-off warning: ${NO_ROW}`]);
    const unread = `${ORDERS} ${OWN} grant insert on orders to $user`;
    expect(await findProved(unread)).toEqual([`rls-off warning: ${NO_ROW}`]);
  });

  test('a secret of the own row, behind a policy that holds', async () => {
    const sql = `create table keys (owner text primary key, api_key text); insert into keys values ('ann', 'x'), ('bob', 'y');
      create policy own on keys using (owner = ${SUB}); alter table keys enable row level security;
      grant select on keys to $user`;
    expect(await findProved(sql)).toEqual([`secret-readable warning: ${NO_ROW}`]);
  });

  test('everybody may read, and only owners write', async () => {
    const sql = `${ORDERS} alter table orders enable row level security; create policy read on orders for select using (true);
      create policy edit on orders for update using (owner = ${SUB}); grant select, update on orders to $user`;
    expect(await findProved(sql)).toEqual([`policy-always-true warning: ${NO_TIE}`]);
  });
});

test('P44 the claims that an expression may read', () => {
  const nested = `(((current_setting('x'::text))::json -> 'app'::text) ->> 'it''s'::text) || (claims ->> 'role'::text)`;
  expect(listClaims(nested)).toEqual([['sub'], ['app', "it's"], ['role']]);
});
