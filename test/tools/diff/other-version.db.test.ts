// `rowhouse diff` with a target of another major version of PostgreSQL than the embedded one (`project.md` §3 item 3).
// Skipped where the system has no other version.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { runProgram } from '../../support/spawned-server.ts';
import { runSql } from '../../support/database.ts';
import { skipped } from '../../support/skipped.ts';
import { useFolders } from '../project/folder.ts';
import { startOwnPostgres } from '../../support/own-postgres.ts';

const EMBEDDED_VERSION = '18';
/** Of the packages of Debian. */
const PLACE = '/usr/lib/postgresql';
const version = (existsSync(PLACE) ? readdirSync(PLACE) : []).find(
  (name) => name !== EMBEDDED_VERSION && existsSync(path.join(PLACE, name, 'bin/initdb')),
);
const OLD = `create schema api;
create table api.customers (id integer primary key, name text not null);
create table api.orders (id integer primary key, total numeric not null);
create view api.names as select name from api.customers where id > 0;
create table api.visits (id integer, pages integer default 1) partition by list (id);
create table api.visits_1 partition of api.visits (pages default 3) for values in (1);`;
const NEW = `create schema api;
create table api.customers (id integer primary key, name text not null);
create table api.orders (id integer primary key, total numeric not null, customer integer references api.customers);
create view api.names as select name from api.customers where id > 0;
create table api.visits (id integer, pages integer default 1) partition by list (id);
create table api.visits_1 partition of api.visits for values in (1);
create view api.big as select id, total from api.orders where total > 100;
alter table api.orders enable row level security;
create policy own on api.orders using (customer = 1);
create index on api.orders (customer);
grant create on schema api to other_owner;
create table api.items ();
alter table api.items owner to other_owner;
revoke truncate on api.customers from current_user;`;

describe.skipIf(version === undefined)(
  skipped(
    `PostgreSQL ${version ?? ''}`,
    version === undefined ? 'no other version of PostgreSQL: apt-get install postgresql-15' : undefined,
  ),
  () => {
    const createFolder = useFolders();
    const roles = { 'roles.sql': 'create role other_owner;' };
    const folder = createFolder({ ...roles, 'schema/all.sql': NEW });
    let postgres: EmbeddedPostgres;
    const uriOf = (role: string, database: string): string =>
      Object.assign(new URL(withDatabase(postgres.uri, database)), { username: role, password: 'secret' }).href;

    beforeAll(async () => {
      postgres = await startOwnPostgres({}, { binFolder: path.join(PLACE, version ?? '', 'bin') });
      await runSql(postgres.uri, 'create role other_owner');
      for (const [role, attribute] of [
        ['maker', 'createdb'],
        ['plain', 'nocreatedb'],
      ]) {
        await runSql(postgres.uri, `create role ${role} login ${attribute} password 'secret'`);
        await runSql(postgres.uri, `grant other_owner to ${role}`);
        await runSql(postgres.uri, `create database of_${role} owner ${role}`);
        await runSql(uriOf(String(role), `of_${role}`), OLD);
      }
    });
    afterAll(() => postgres.stop());

    test('P21 on its own server, the migration is proved, applied and leaves no difference', async () => {
      const uri = uriOf('maker', 'of_maker');
      const shown = await runProgram(['diff', folder, uri]);
      expect([shown.code, shown.stderr]).toEqual([0, '']);
      expect(shown.stdout).toMatch(/^-- File 1 of 3\n/u);
      expect((await runProgram(['diff', '--write', 'more', folder, uri])).code).toBe(0);
      expect(await runProgram(['migrate', folder, uri])).toMatchObject({ code: 0, stdout: 'Applied 3 migrations.\n' });
      expect(await runProgram(['diff', '--check', folder, uri])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    });

    test('P20 P21 the default of a column of a partition is compared', async () => {
      const changed = 'alter table api.visits_1 alter column pages set default 1';
      const ofPlain = await runProgram(['diff', folder, uriOf('plain', 'of_plain')]);
      expect(ofPlain.stdout.toLowerCase()).toContain(`${changed};\n`);
    });

    test('P21 P27 a migration that was written without a database is applied there', async () => {
      const own = createFolder({
        ...roles,
        'schema/all.sql': `create schema api; create table api.items ();
          grant all on api.items to other_owner; revoke select on api.items from other_owner;`,
      });
      await runSql(postgres.uri, 'create database of_none');
      expect((await runProgram(['diff', '--write', 'first', own])).code).toBe(0);
      const migrated = await runProgram(['migrate', own, withDatabase(postgres.uri, 'of_none')]);
      expect(migrated).toMatchObject({ code: 0, stdout: 'Applied 1 migration.\n' });
    });

    test('P21 without CREATEDB it says that it is not proved; NOT NULL, which 18 lists as constraints, is no difference', async () => {
      const { code, stdout, stderr } = await runProgram(['diff', folder, uriOf('plain', 'of_plain')]);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.split('\n')[0]).toBe(
        `-- not proved: the versions differ: ${version} there, and ${EMBEDDED_VERSION} where the folder was built`,
      );
      expect(stdout).not.toMatch(/not null/iu);
      // A view whose text 16 and later print without the name of its table.
      expect(stdout).not.toContain('"names"');
      // A privilege that older versions do not have.
      expect(stdout).not.toContain('MAINTAIN');
    });
  },
);
