// The database of a template of `rowhouse new`, made from the files that the command writes.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { writeProject } from '../../tools/new/write-project.ts';
import { readProject } from '../../tools/project/folder/read-project.ts';
import { buildDatabase } from '../../tools/project/run/build-database.ts';
import { createDatabase, runRoleSql, type TestDatabase } from './database.ts';

export type Template = Parameters<typeof writeProject>[1];

/** Roles belong to the whole PostgreSQL of the test run, where other files create them too. */
const ROLES = ['web_anon', 'web_user', 'web_login'].map(
  (role) => `if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;`,
);

/** @param folder empty; the project is written to it; @param added further files of the project, by their path in it */
export async function createFromTemplate(
  template: Template,
  folder: string,
  added: Readonly<Record<string, string>> = {},
): Promise<TestDatabase> {
  const database = await createDatabase();
  await runRoleSql(database.uri, `do $$ begin ${ROLES.join(' ')} end $$`);
  const written = writeProject(folder, template, { kind: 'registry', version: '0.0.0' });
  if (!written.ok) throw new Error(written.error);
  for (const [name, text] of Object.entries(added)) writeFileSync(path.join(folder, name), text);
  const project = await readProject(folder);
  if (!project.ok) throw new Error(project.error.map(({ message }) => message).join('\n'));
  const built = await withConnection(database.uri, (client) =>
    buildDatabase({ ...project.value, roles: undefined }, client, { roles: 'missing', hasSeed: true }),
  );
  if (!built.ok) throw new Error(built.error.map(({ message }) => message).join('\n'));
  return database;
}
