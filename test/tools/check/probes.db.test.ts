// Findings about access are errors only if a probe has read or written a row of somebody else.
import { describe, expect, test } from 'vitest';
import { listClaims } from '../../../tools/check/probes/find-ties.ts';
import { proveFindings, type ProbeOptions } from '../../../tools/check/probes/prove-findings.ts';
import { runLints } from '../../../tools/check/run-lints.ts';
import { connect, createDatabase, runSql, useRoles } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const [user, owner] = await useRoles('user', 'owner');
const database = await use(createDatabase());
await runSql(database.uri, `grant create on database ${database.name} to ${owner}`);
const client = await use(connect(database.uri));

const PROBED: ReadonlySet<string> = new Set([
  'rls-off',
  'policy-always-true',
  'view-bypasses-policies',
  'materialized-view-exposed',
  'secret-readable',
]);

let cases = 0;

/** Creates the objects in a new schema, and returns the findings that may be proved. */
async function findProved(sql: string, options: ProbeOptions = { hasWrites: true }): Promise<readonly string[]> {
  cases += 1;
  const schema = `case_${cases}`;
  await client.query(`create schema ${schema} authorization ${owner}; grant usage on schema ${schema} to ${user};
    set search_path to ${schema}; set role ${owner}; ${sql.replaceAll('$user', user)}; reset role; reset search_path`);
  const findings = await proveFindings(client, await runLints(client, { schemas: [schema], roles: [user] }), options);
  const { rows } = await client.query(`select from pg_tables where schemaname = '${schema}' and tablename = 'log'`);
  if (rows.length > 0) expect((await client.query(`select from ${schema}.log`)).rows).toEqual([]);
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
const NO_WRITE = 'Not proved: no row of somebody else could be read or written.';
const NOT_TRIED = `${NO_ROW} Writes were not tried: that needs check --probe-writes.`;
const proveWrite = (action: string): string => `Proved: with the claim sub = "ann", the role ${action} a row of "bob".`;

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

  test('without rows', async () => {
    const empty = `${ORDERS} ${OWN} delete from orders; grant select, insert on orders to $user`;
    expect(await findProved(empty)).toEqual([`rls-off warning: ${NO_WRITE}`]);
  });

  test('without the privilege to read them, if writes are not tried', async () => {
    const sql = `${ORDERS} ${OWN} grant insert, update, delete on orders to $user`;
    expect(await findProved(sql, { hasWrites: false })).toEqual([`rls-off warning: ${NOT_TRIED}`]);
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
    expect(await findProved(sql)).toEqual([`policy-always-true warning: ${NO_WRITE}`]);
  });

  test('rows that a policy of the role permits, and those of a role that may see all', async () => {
    const published = `create table posts (id int primary key, owner text, title text, is_published boolean);
      insert into posts values (1, 'ann', 'a', true), (2, 'bob', 'b', true), (3, 'bob', 'c', false);
      alter table posts enable row level security; create policy own on posts for select using (owner = ${SUB});
      create policy published on posts for select using (is_published);
      create view front as select * from posts where is_published; grant select on front to $user`;
    expect(await findProved(published)).toEqual([`view-bypasses-policies warning: ${NO_WRITE}`]);
    const auditor = `${ORDERS} alter table orders enable row level security;
      create policy own on orders for select to ${owner} using (owner = ${SUB});
      create policy audit on orders for select to $user using (true); grant select on orders to $user`;
    expect(await findProved(auditor)).toEqual([`policy-always-true warning: ${NO_TIE}`]);
  });
});

const ENABLED = `${ORDERS} alter table orders enable row level security;
  create policy own on orders for select using (owner = ${SUB});`;

describe('P44 proved by a write', () => {
  test.each([
    ['insert', 'inserts'],
    ['update', 'updates'],
    ['delete', 'deletes'],
  ])('%s of a table without policies, by a role that cannot read it', async (privilege, verb) => {
    const sql = `${ORDERS} ${OWN} grant ${privilege} on orders to $user`;
    expect(await findProved(sql)).toEqual([`rls-off error: ${proveWrite(verb)}`]);
  });

  test.each([
    ['update', 'using (true)', 'updates'],
    ['update', 'using (true) with check (owner is not null)', 'updates'],
    ['delete', 'using (true)', 'deletes'],
  ])('a policy for %s that is %s, though reads are restricted', async (command, clause, verb) => {
    const sql = `${ENABLED} create policy wide on orders for ${command} ${clause};
      grant select, ${command} on orders to $user`;
    expect(await findProved(sql)).toEqual([`policy-always-true error: ${proveWrite(verb)}`]);
  });

  test('an insert that is always permitted beside one that ties rows to a claim', async () => {
    const sql = `${ENABLED} create policy add on orders for insert with check (owner = ${SUB});
      create policy wide on orders for insert with check (true); grant select, insert on orders to $user`;
    expect(await findProved(sql)).toEqual([`policy-always-true error: ${proveWrite('inserts')}`]);
  });

  test('a view that cannot be read', async () => {
    const sql = `${GUARDED} create view all_orders as select id, owner from orders; grant delete on all_orders to $user`;
    expect(await findProved(sql)).toEqual([`view-bypasses-policies error: ${proveWrite('deletes')}`]);
  });

  test('nothing stays, and on a database nothing is written', async () => {
    const log = `create table log (what text); create function note() returns trigger language plpgsql security definer as
      'begin execute format(''insert into %I.log values ($1)'', tg_table_schema) using tg_op; return old; end';`;
    const sql = `${log} ${ORDERS} ${OWN} create trigger t before delete on orders for each row execute function note();
      grant delete on orders to $user`;
    expect(await findProved(sql)).toEqual([`rls-off error: ${proveWrite('deletes')}`]);
    expect(await findProved(sql, { hasWrites: false })).toEqual([`rls-off warning: ${NOT_TRIED}`]);
  });
});

describe('P44 not proved by a write', () => {
  test('rows that the role may hand in for somebody else', async () => {
    const sql = `${ENABLED} create policy add on orders for insert with check (true); grant insert on orders to $user`;
    expect(await findProved(sql)).toEqual([`policy-always-true warning: ${NO_WRITE}`]);
  });

  test('a row whose owner a trigger corrects', async () => {
    const sql = `${ORDERS} ${OWN} create function mine() returns trigger language plpgsql as
        'begin new.owner := current_setting(''request.jwt.claims'')::json ->> ''sub''; return new; end';
      create trigger mine before insert on orders for each row execute function mine(); grant insert on orders to $user`;
    expect(await findProved(sql)).toEqual([`rls-off warning: ${NO_WRITE}`]);
  });

  test('a trigger refuses foreign rows', async () => {
    const sql = `${ORDERS} ${OWN} create function refuse() returns trigger language plpgsql as
        'begin if old.owner <> current_setting(''request.jwt.claims'')::json ->> ''sub'' then raise exception ''no''; end if; return old; end';
      create trigger refuse before delete on orders for each row execute function refuse(); grant delete on orders to $user`;
    expect(await findProved(sql)).toEqual([`rls-off warning: ${NO_WRITE}`]);
  });

  test('a table that somebody else has locked', async () => {
    const other = await connect(database.uri);
    try {
      await client.query(`create schema locked; set search_path to locked; ${ORDERS} ${OWN}
        grant usage on schema locked to ${user}; grant delete on orders to ${user}; reset search_path`);
      await other.query('begin; lock locked.orders in share mode');
      const findings = await runLints(client, { schemas: ['locked'], roles: [user] });
      const [finding] = await proveFindings(
        client,
        findings.filter(({ lint }) => lint === 'rls-off'),
        { hasWrites: true },
      );
      expect(finding?.message).toContain('Not proved: a probe took too long, or waited for a lock.');
    } finally {
      await other.end();
      await client.query('drop schema locked cascade');
    }
  });
});

test('P44 the claims that an expression may read', () => {
  const nested = `(((current_setting('x'::text))::json -> 'app'::text) ->> 'it''s'::text) || (claims ->> 'role'::text)`;
  expect(listClaims(nested)).toEqual([['sub'], ['app', "it's"], ['role']]);
});
