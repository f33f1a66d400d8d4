// `rowhouse diff` between a folder and a database with distributed tables: distribution is no part of the schema.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { diffSchemas } from '../../tools/diff/diff-schemas.ts';
import { readProject } from '../../tools/project/folder/read-project.ts';
import { useFolders } from '../tools/project/folder.ts';
import { createTenants } from './citus-database.ts';
import { use } from '../support/use.ts';

const createFolder = useFolders();
const database = await use(createTenants());

async function diff(files: Readonly<Record<string, string>>): Promise<unknown> {
  const project = await readProject(createFolder(files));
  if (!project.ok) throw new Error(JSON.stringify(project.error));
  const done = await diffSchemas(project.value, { kind: 'database', uri: database.uri });
  if (!done.ok) return done.error;
  return done.value.files.flatMap(({ statements }) => statements.map(({ sql }) => sql));
}

const TENANTS = readFileSync(fileURLToPath(new URL('tenants.sql', import.meta.url)), 'utf8');
/** The schema as the files of a project state it. */
const SCHEMA = TENANTS.slice(TENANTS.indexOf('create schema')).replaceAll(/^(?:select create_|insert )[^;]*;$/gmu, '');

test('P20 P23 a folder and a database with distributed tables do not differ', async () => {
  expect(await diff({ 'schema/all.sql': SCHEMA })).toEqual([]);
});

test('P23 a change of a distributed table is its only difference', async () => {
  const changed = SCHEMA.replace('points int,', 'points int, due date,');
  expect(await diff({ 'schema/all.sql': changed })).toEqual(['ALTER TABLE "api"."task" ADD COLUMN "due" date']);
});
