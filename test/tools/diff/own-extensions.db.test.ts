// `rowhouse diff` with a target that has an extension which the embedded PostgreSQL lacks (`project.md` §3 item 3).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { runProgram } from '../../support/spawned-server.ts';
import { runSql } from '../../support/database.ts';
import { useFolders } from '../project/folder.ts';
import { startOwnPostgres } from '../../support/own-postgres.ts';
import { use } from '../../support/use.ts';

const createFolder = useFolders();
const place = path.join(createFolder({}), 'extension');
mkdirSync(place);
writeFileSync(path.join(place, 'doubling.control'), `default_version = '1'\ntrusted = true\n`);
writeFileSync(
  path.join(place, 'doubling--1.sql'),
  'create function twice(int) returns int language sql return $1 * 2;',
);

// The package contains version 18, which can look for extensions in other folders.
const settings = { extension_control_path: `$system:${path.dirname(place)}` };
const { uri: adminUri } = await use(startOwnPostgres(settings, { binFolder: undefined }));

const BEFORE = 'create extension doubling; create table public.t (id int primary key);';
const AFTER = `${BEFORE} create view public.v as select twice(id) as id from public.t;`;

async function createTarget(role: string, attribute: string): Promise<string> {
  await runSql(adminUri, `create role ${role} login ${attribute}`);
  await runSql(adminUri, `create database of_${role} owner ${role}`);
  const uri = Object.assign(new URL(withDatabase(adminUri, `of_${role}`)), { username: role }).href;
  await runSql(uri, BEFORE);
  return uri;
}

test('P21b the clone is made on the server of the target, which has the extension', async () => {
  const folder = createFolder({ 'schema/a.sql': AFTER });
  const { code, stdout, stderr } = await runProgram(['diff', folder, await createTarget('maker', 'createdb')]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('not proved');
  expect(stdout).toContain('CREATE VIEW "public"."v"');
});

test('P21c a schema that cannot be cloned is refused: nothing proves the migration', async () => {
  const folder = createFolder({ 'schema/a.sql': 'create table public.t (id int primary key, n int);' });
  const { code, stdout, stderr } = await runProgram(['diff', folder, await createTarget('plain', 'nocreatedb')]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    'The migration cannot be proved, because the schema cannot be cloned: extension "doubling" is not available',
  );
  expect(stderr).toContain('connect as a role with CREATEDB');
});
