// `rowhouse doctor --fix` writes what mends the findings as a migration, and runs nothing.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DOCTOR_LINTS } from '../../../tools/check/lints/all.ts';
import { describeObject, type LocatedFinding } from '../../../tools/check/lints/finding.ts';
import { readLint, type Row } from '../../../tools/check/lints/lint.ts';
import { renderFixes } from '../../../tools/check/write-fixes.ts';
import { createPatient, diagnose, runDoctor } from './patient.ts';
import { use, useFolder } from '../../support/use.ts';

const folder = useFolder();
const patient = await use(createPatient());

const SCHEMA = `create schema api;
create table api.note (id int primary key, author int not null, is_public boolean not null);

-- A table that anybody may write.
create table api.wall (id int primary key, note int references api.note);
`;

async function fix(): Promise<string> {
  const { stderr, code } = await runDoctor(patient, ['--fix'], { folder });
  return `${code}: ${stderr}`;
}

test('P49 a healthy database needs no migration', async () => {
  expect(await fix()).toBe('0: Nothing to fix in SQL.\n');
  expect(await readdir(folder)).toEqual([]);
});

test('P49 each statement stands below its finding, which names the line to change', async () => {
  await mkdir(path.join(folder, 'schema'));
  await writeFile(path.join(folder, 'schema/api.sql'), SCHEMA);
  await mkdir(path.join(folder, 'migrations'));
  await writeFile(path.join(folder, 'migrations/0007_wall.sql'), 'select 1;\n');
  await patient.sql(`create table api.wall (id int primary key, note int references api.note);
    create policy one on api.wall using (id = 1); grant select, insert on api.wall to ${patient.user}`);
  expect(await fix()).toBe('1: Wrote migrations/0008_doctor.sql. Read it before you apply it.\n');
  const written = await readFile(path.join(folder, 'migrations/0008_doctor.sql'), 'utf8');
  expect(written).toBe(`-- WARNING rls-off: api.wall
-- The role may write the table, which has no row-level security: it can write every row. Not proved: no row of somebody else could be read. Writes were not tried: that needs check --probe-writes. Role: ${patient.user}.
-- Change it in schema/api.sql:5 too.
ALTER TABLE api.wall ENABLE ROW LEVEL SECURITY;
-- Then CREATE POLICY for the rows that each role may see and write.
`);
  expect((await diagnose(patient)).findings.map(({ code }) => code)).toContain('rls-off');
  await patient.sql(written);
  const left = (await diagnose(patient)).findings.filter(({ severity }) => severity !== 'info');
  expect(left).toEqual([]);
  expect(await fix()).toBe('0: Nothing to fix in SQL.\n');
});

test('P49b P48 where the migration cannot be written, nothing crashes', async () => {
  const other = path.join(folder, 'other');
  await mkdir(other);
  await writeFile(path.join(other, 'migrations'), 'no folder');
  await patient.sql(
    `create table api.fence (id int primary key); grant select, insert on api.fence to ${patient.user}`,
  );
  const { code, stdout, stderr } = await runDoctor(patient, ['--fix'], { folder: other });
  await patient.sql('drop table api.fence');
  expect([code, stdout]).toEqual([2, expect.stringContaining('WARNING rls-off: api.fence')]);
  expect(stderr).toMatch(/^EEXIST: file already exists, mkdir '.*migrations'\n$/u);
});

function find(object: string, fix: string): LocatedFinding {
  const finding = describeObject({ lint: 'a', level: 'warning', object, message: 'Why.', fix });
  return { ...finding, file: null, line: null };
}

test('P49 a name cannot end its comment, and the same statement is written once', () => {
  const written = renderFixes([
    find('one\ndrop table b;', 'GRANT x;'),
    find('two', 'GRANT x;'),
    find('three', 'chmod 600 x'),
  ]);
  expect(written).toBe('-- WARNING a: one drop table b;\n-- Why.\n-- WARNING a: two\n-- Why.\nGRANT x;\n');
});

function findBy(name: string, row: Row): readonly LocatedFinding[] {
  const lints = DOCTOR_LINTS.filter((lint) => lint.name === name);
  return lints
    .flatMap((lint) => readLint(lint, [row]))
    .map((finding) => Object.assign(finding, { file: null, line: null }));
}

test('P49c what takes rights from a login or opens tables is only a comment', () => {
  const login = findBy('login-superuser', { object: 'postgres', quoted: 'postgres' });
  const access = findBy('role-without-access', { object: 'web_user', quoted: 'web_user', schemas: 'api' });
  const written = renderFixes([...login, ...access, find('b', 'SELECT 1;')]) ?? '';
  expect(written.split('\n').filter((line) => line !== '' && !line.startsWith('--'))).toEqual(['SELECT 1;']);
  expect(written).toContain(
    '-- Not part of this migration: an operator or another program may log in as this role, and would lose rights.\n-- ALTER ROLE postgres NOSUPERUSER;',
  );
  expect(written).toContain('-- GRANT SELECT ON ALL TABLES IN SCHEMA api TO web_user;');
});
