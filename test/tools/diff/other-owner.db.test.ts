// `rowhouse diff` and `rowhouse migrate` by a role that is not the owner of what the files create, and no superuser.
import { expect, test } from 'vitest';
import { runProgram } from '../../support/spawned-server.ts';
import { adminUri, createDatabase, runRoleSql, runSql, useRoles } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { useFolders } from '../project/folder.ts';

const makeFolder = useFolders();
const [deployer, owner, web] = await useRoles('deployer', 'owner', 'web');
await runRoleSql(adminUri(), `alter role ${deployer} login createdb; grant ${owner} to ${deployer}`);

const TABLE = `create table public.t (id int primary key, n text)`;

test.each([
  [
    'gets the right to create in public',
    `grant create, usage on schema public to ${owner}; ${TABLE}; alter table public.t owner to ${owner}; grant select on public.t to ${web};`,
  ],
  ['owns public', `alter schema public owner to ${owner}; ${TABLE}; alter table public.t owner to ${owner};`],
])('P20 P22 the owner %s', async (_, schema) => {
  const database = await use(createDatabase());
  await runSql(adminUri(), `alter database ${database.name} owner to ${deployer}`);
  const uri = new URL(database.uri);
  uri.username = deployer;
  uri.password = '';
  const folder = makeFolder({ 'roles.sql': `create role ${owner}; create role ${web};`, 'schema/a.sql': schema });
  expect(await runProgram(['diff', folder, uri.href, '--write', 'one'])).toMatchObject({ code: 0, stderr: '' });
  expect(await runProgram(['migrate', folder, uri.href])).toMatchObject({ code: 0, stdout: 'Applied 1 migration.\n' });
});
