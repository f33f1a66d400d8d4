// What the library does not plan is part of a migration, or named: on the PostgreSQL of the run, and on another version.
import { randomBytes } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import { compareStates, type ComparedStates } from '../../../tools/diff/compare-states.ts';
import { renderFile } from '../../../tools/diff/render-migration.ts';
import { findRemaining, readState } from '../../../tools/diff/replica.ts';
import { ScratchServer } from '../../../tools/diff/scratch-server.ts';
import type { Result } from '../../../src/contract/result.ts';
import { SchemaDelta } from '../../../tools/project/compare/schema-delta.ts';
import type { Problem } from '../../../tools/project/folder/problem.ts';
import { adminUri, runRoleSql } from '../../support/database.ts';

const tag = `u${randomBytes(4).toString('hex')}`;
const [web, staff] = [`${tag}_web`, `${tag}_staff`];
const loaded = await SchemaDelta.load();
if (!loaded.ok) throw new Error(loaded.error);
const delta = loaded.value;
const server = new ScratchServer(adminUri(), inject('databaseStrategy'));
await runRoleSql(adminUri(), `create role ${web}; create role ${staff}`);
afterAll(() => runRoleSql(adminUri(), `drop role ${web}; drop role ${staff}`));

/** Compares two descriptions, and applies the migration to a database of the first. */
function compare(from: string, to: string): Promise<Result<ComparedStates, readonly Problem[]>> {
  const own = (sql: string): string => sql.replaceAll(/\bweb\b/gu, web).replaceAll(/\bstaff\b/gu, staff);
  return server.withNewDatabase(async (target) => {
    await target.query(own(from));
    const old = { ...(await readState(target, delta)), roles: [], owner: 'postgres' };
    return server.withNewDatabase(async (folder) => {
      await folder.query(own(to));
      const current = { ...(await readState(folder, delta)), roles: [], owner: 'postgres' };
      const compared = await compareStates({ delta, files: [], place: { server, notProved: undefined }, old, current });
      if (!compared.ok) return compared;
      for (const file of compared.value.files) {
        const text = renderFile(file);
        await target.query(file.isBare ? text : `begin; ${text}; commit`);
      }
      const states = { reached: await readState(target, delta), wanted: await readState(folder, delta) };
      expect(await findRemaining(delta, server, 'postgres', states)).toBeUndefined();
      return compared;
    });
  });
}

const TABLE = 'create table t (id int, secret text); create view v as select * from t;';
const CONFIGURATION = `create text search configuration c (parser = default);
alter text search configuration c add mapping for word with simple;`;
const TRIGGERS = `create function f() returns trigger language plpgsql as 'begin return new; end';
create trigger g before update of n on t for each row when (old.n is distinct from new.n) execute function f();
comment on trigger g on t is 'It''s'; alter table t enable always trigger g;
create constraint trigger k after insert or update of n on t deferrable for each row execute function f();`;
const PARENT = 'create table p (id int, n int default 1) partition by list (id);';

test.each([
  [
    'P20 privileges on columns of views',
    `${TABLE} grant select on v to web;`,
    `${TABLE} grant select (id) on v to web;`,
    1,
  ],
  ['P20 comments on columns of views', TABLE, `${TABLE} comment on column v.id is 'It''s;\nme';`, 1],
  [
    'P20 storage and statistics',
    TABLE,
    `${TABLE} alter table t alter secret set storage external, alter id set statistics 5;`,
    1,
  ],
  [
    'P20 defaults and comments of partitions',
    PARENT,
    `${PARENT} create table p1 partition of p (n default 3) for values in (1); comment on column p1.n is 'Own';`,
    1,
  ],
  [
    'P20 a column that uses a new text search configuration',
    'create table d (body text);',
    `${CONFIGURATION} create table d (body text, v tsvector generated always as (to_tsvector('public.c', body)) stored);`,
    1,
  ],
  [
    'P20 a new column beside one that uses a configuration',
    `${CONFIGURATION} create table d (v tsvector generated always as (to_tsvector('public.c', 'x')) stored);`,
    `${CONFIGURATION} create table d (n int, v tsvector generated always as (to_tsvector('public.c', 'x')) stored);`,
    1,
  ],
  [
    'P20 statistics, casts and operators',
    TABLE,
    `${TABLE} create statistics s on id, secret from t; create type k as (n int); create cast (int as k) with inout; create function e(k, k) returns boolean language sql immutable as 'select true'; create operator === (function = e, leftarg = k, rightarg = k);`,
    1,
  ],
  [
    'P20 a list of varchar, which PostgreSQL prints otherwise when it reads it again',
    'create table l (s varchar(5));',
    `create table l (s varchar(5) check (s in ('a', 'b')));`,
    2,
  ],
  [
    'P20 an operator class that both have',
    `create operator class o for type int using btree as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 btint4cmp(int, int);`,
    `create operator class o for type int using btree as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 btint4cmp(int, int); create table x ();`,
    1,
  ],
  [
    'P20 a publication of some columns of a table that another inherits from',
    'create table p (id int, n int); create table kid () inherits (p); create publication pub for table p (id);',
    'create table p (id int, n int); create table kid () inherits (p); create publication pub for table p (n);',
    1,
  ],
  [
    'P20 options of columns that are gone',
    `${TABLE} alter table t alter id set (n_distinct = 5, n_distinct_inherited = 3);`,
    `${TABLE} alter table t alter id set (n_distinct = 6);`,
    1,
  ],
  [
    'P20 options of text search dictionaries that are gone',
    `create text search dictionary d (template = simple, stopwords = english, accept = false);`,
    `create text search dictionary d (template = simple, accept = false);`,
    1,
  ],
  [
    'P20 statistics of an expression of a new index',
    TABLE,
    `${TABLE} create index i on t ((id * 2)); alter index i alter column 1 set statistics 11;`,
    2,
  ],
  [
    'P20 the type of a column that triggers name',
    `create table t (id int, n int default 1); ${TRIGGERS}`,
    `create table t (id int, n bigint default 1); ${TRIGGERS}`,
    1,
  ],
  [
    'P20 the type of a column that a trigger named, or is to name',
    `create table t (id int, n int); ${TRIGGERS} drop trigger k on t;`,
    `create table t (id int, n bigint); ${TRIGGERS} drop trigger g on t;`,
    1,
  ],
  [
    'P20 domains that become NOT NULL',
    'create domain d as int;',
    'create domain d as int not null check (value < 9); create domain f as text not null;',
    1,
  ],
])('%s are part of the migration', async (_, from, to, files) => {
  const compared = await compare(from, to);
  expect(compared.ok ? compared.value.files.length : compared.error).toBe(files);
});

test('P20 a default that changes with the type of its column is set once', async () => {
  const compared = await compare(`create table q (v text default '1');`, 'create table q (v int default 1);');
  const sql = compared.ok ? compared.value.files.map(renderFile).join('\n') : '';
  expect(sql.match(/SET DEFAULT 1;/gu)).toEqual(['SET DEFAULT 1;']);
});

test('P20 an operator class that only the folder has is named', async () => {
  const operators =
    'operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 btint4cmp(int, int)';
  const compared = await compare('', `create operator class o for type int using btree as ${operators};`);
  const message =
    'These cannot be changed in place: operator family public.o using btree, operator class public.o using btree';
  expect(compared).toMatchObject({ ok: false, error: [{ message }] });
});

test('P20 a table of another role is named with the role to connect as', async () => {
  const compared = await compare('create table o (id int); alter table o owner to staff;', 'create table o (id int);');
  expect(compared).toMatchObject({
    ok: false,
    error: [
      {
        message: `table public.o belongs to ${staff}, but the files name no owner`,
        hint: `Connect as ${staff}, or add \`alter table public.o owner to ${staff}\` to the files.`,
      },
    ],
  });
});

test('P21 privileges that older versions do not have are granted only where they exist', async () => {
  const compared = await compare(
    'create table m ();',
    'create table m (); grant all on m to web; revoke select on m from web;',
  );
  const sql = compared.ok ? compared.value.files.map(renderFile).join('\n') : '';
  expect(sql).toMatch(/GRANT DELETE, INSERT, REFERENCES, TRIGGER, TRUNCATE, UPDATE ON TABLE/u);
  expect(sql.replaceAll(/do \$\$ begin if .* >= 170000 then .* end \$\$/gu, '')).not.toContain('MAINTAIN');
});
