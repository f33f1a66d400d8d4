// `check` and `doctor` agree: over the corpus of safe schemas, and over some that are not, a lint and an object have
// the same level in both.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { examineDatabase } from '../../../tools/check/examine.ts';
import { DOCTOR_LINTS, LINTS } from '../../../tools/check/lints/all.ts';
import type { Finding } from '../../../tools/check/lints/finding.ts';
import { proveFindings } from '../../../tools/check/probes/prove-findings.ts';
import { runLints } from '../../../tools/check/run-lints.ts';
import { withWholeConfig } from '../../../tools/support/with-config.ts';
import { connect, createDatabase, runRoleSql, useRoles } from '../../support/database.ts';
import { use } from '../../support/use.ts';

const CORPUS = path.join(import.meta.dirname, 'corpus');

/** What only `doctor` reports, because it concerns the roles and the settings of a server that runs. */
const ONLY_DOCTOR = [
  'login-superuser',
  'role-superuser',
  'login-bypasses-row-security',
  'login-inherits',
  'role-without-access',
  'table-without-grants',
  'table-without-row-security',
  'policy-column-without-index',
  'role-without-statement-timeout',
  'live-wal-level',
  'live-publication-missing',
  'live-publication-root',
  'live-without-replication',
  'live-table-without-identity',
  'no-reload-trigger',
  'returned-memory',
];

const [gate, ...roles] = await useRoles('gate', 'web_anon', 'web_user', 'web_admin');
const prefix: string = gate.replace('gate', '');
const database = await use(createDatabase());
// Sees the rows that probes compare.
await runRoleSql(
  database.uri,
  `alter role ${gate} login bypassrls; grant pg_read_all_data, ${roles.join(', ')} to ${gate}`,
);
const owner = await use(connect(database.uri));
const checker = await use(connect(loginUri()));

function loginUri(): string {
  return Object.assign(new URL(database.uri), { username: gate, password: '' }).href;
}

async function examine(schemas: string): Promise<readonly Finding[]> {
  const environment = { SVC_DB_URI: loginUri(), SVC_DB_SCHEMAS: schemas, SVC_DB_ANON_ROLE: roles[0] };
  const found = await withWholeConfig({ file: undefined, environment, dialect: undefined }, (config, pool) =>
    examineDatabase(pool, config, CORPUS),
  );
  if (!found?.ok) throw new Error(JSON.stringify(found));
  return found.value;
}

/** The highest level of each lint and object. A token may also name the login role, which `check` does not know. */
function summarize(findings: readonly Finding[]): readonly string[] {
  const levels = new Map<string, string>();
  for (const { lint, object, role, level } of findings) {
    if (role === gate) continue;
    const key = `${lint} ${object}`;
    if (levels.get(key) !== 'error') levels.set(key, level);
  }
  return [...levels].map(([key, level]) => `${key}: ${level}`.replaceAll(prefix, '')).toSorted();
}

/** Makes a schema of each text, compares the findings about all of them, and returns them. */
async function compare(texts: readonly string[]): Promise<readonly string[]> {
  const schemas = texts.map((_, index) => `api_${index}`);
  for (const [index, sql] of texts.entries())
    await owner.query(`create schema ${schemas[index]}; grant usage on schema ${schemas[index]} to ${roles.join(', ')};
      set search_path to ${schemas[index]}; ${sql.replaceAll(/\bweb_\w+/gu, `${prefix}$&`)}; reset search_path`);
  const checked = await proveFindings(checker, await runLints(checker, { schemas, roles }), { hasWrites: false });
  const examined = await examine(schemas.join(','));
  for (const schema of schemas) await owner.query(`drop schema ${schema} cascade`);
  const shared = examined.filter(({ lint }) => !ONLY_DOCTOR.includes(lint));
  expect(summarize(shared)).toEqual(summarize(checked));
  return summarize(checked);
}

test('P43 only what concerns a server that runs is a finding of doctor alone', () => {
  const checked = new Set(LINTS.map(({ name }) => name));
  expect(DOCTOR_LINTS.map(({ name }) => name).filter((name) => !checked.has(name))).toEqual(
    ONLY_DOCTOR.filter((name) => name !== 'returned-memory'),
  );
});

test('P43 P46 check and doctor agree about every schema of the corpus', async () => {
  const texts = readdirSync(CORPUS).map((file) => readFileSync(path.join(CORPUS, file), 'utf8'));
  expect((await compare(texts)).length).toBeGreaterThan(20);
});

const SUB = `(select current_setting('request.jwt.claims', true)::json ->> 'sub')`;
const ORDERS = `create table orders (id int primary key, owner text not null, token text);
  insert into orders values (1, 'ann', 'a'), (2, 'bob', 'b'); create policy own on orders using (owner = ${SUB});`;
const GUARDED = `${ORDERS} alter table orders enable row level security;`;

test('P43 P44 check and doctor agree about what is wrong, and about what a probe has proved', async () => {
  const found = await compare([
    `${ORDERS} grant select (id, owner), insert on orders to web_user`,
    'create table t (id int primary key); grant insert on t to web_anon',
    `${GUARDED} create view v as select id, owner from orders; grant select on v to web_user;
     create view w as select count(*) from v; grant select on w to web_anon`,
    `${GUARDED} create policy all_rows on orders for select using (true); grant select on orders to web_user;
     create table line (id int primary key, order_id int references orders);
     create function f() returns int language sql security definer as 'select 1'`,
  ]);
  expect(found).toEqual([
    'definer-executable-by-anyone api_3.f(): warning',
    'definer-search-path api_3.f(): warning',
    'foreign-key-without-index api_3.line: note',
    'policies-overlap api_3.orders: note',
    'rls-off api_0.orders: error',
    'rls-off api_1.t: warning',
    'secret-readable api_3.orders: error',
    'view-bypasses-policies api_2.v: error',
    'view-bypasses-policies api_2.w: warning',
  ]);
});
