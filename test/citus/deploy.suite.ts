// The files of deploy/citus/ and the requests of docs/tenant-per-shard.md, on a cluster of this machine.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runLints } from '../../tools/check/run-lints.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { bearer, post, startLocalServer } from '../support/local-server.ts';
import { runSql } from '../support/database.ts';
import { createCitusDatabase, runStatements } from './citus-database.ts';
import { use } from '../support/use.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

interface Compose {
  readonly services: { readonly rowhouse: { readonly environment: Readonly<Record<string, string>> } };
}

const CREATE_ROLE = /^create role (\w+) (.*);$/gmu;
/** Roles belong to the cluster, which the suites share. */
const MAKE_ROLE = `do $$do$$ begin
  if to_regrole('$1') is null then create role $1 $2; else alter role $1 $2; end if;
end $$do$$;`;

const database = await use(createCitusDatabase());
await runStatements(database.uri, read('deploy/citus/schema.sql').replaceAll(CREATE_ROLE, MAKE_ROLE));
const compose = parse(read('deploy/citus/compose.yaml'), { merge: true }) as Compose;
const { SVC_DB_SCHEMAS, SVC_DB_ANON_ROLE, SVC_DB_SHARD_CLAIM } = compose.services.rowhouse.environment;
const uri = Object.assign(new URL(database.uri), { username: 'authenticator' }).href;
const server = await use(
  startLocalServer(
    { uri, anon: SVC_DB_ANON_ROLE ?? '' },
    { 'db-schemas': SVC_DB_SCHEMAS ?? '', 'db-shard-claim': SVC_DB_SHARD_CLAIM ?? '' },
  ),
);

const BAKERY = bearer({ role: 'app_user', tenant_id: 1 });
const LIBRARY = bearer({ role: 'app_user', tenant_id: 2 });

async function insert(path: string, row: unknown, prefer = 'return=representation'): Promise<number> {
  const parts = post(row);
  const { status } = await server.get(path, { ...parts, headers: { ...parts.headers, ...BAKERY, Prefer: prefer } });
  return status;
}

test('a tenant writes and reads its rows, and no other does', async () => {
  expect(await insert('/projects', { tenant_id: 1, name: 'Bread' })).toBe(201);
  const [{ id } = {}] = (await server.json('/projects?select=id', { headers: BAKERY })) as { readonly id?: number }[];
  expect(await insert('/tasks', { tenant_id: 1, project_id: id, label_id: 1, title: 'Buy flour' })).toBe(201);
  expect(await insert('/tasks', { tenant_id: 2, project_id: id, title: 'Steal a book' })).toBe(403);
  const path = '/projects?select=name,tasks(title,labels(name))';
  expect(await server.json(path, { headers: BAKERY })).toEqual([
    { name: 'Bread', tasks: [{ title: 'Buy flour', labels: { name: 'urgent' } }] },
  ]);
  expect(await server.json(path, { headers: LIBRARY })).toEqual([]);
});

test('a tenant that moves to a shard of its own keeps its rows', async () => {
  await runSql(database.uri, "select isolate_tenant_to_new_shard('api.tenants', 1, 'CASCADE', 'block_writes')");
  await runSql(database.uri, "select citus_create_restore_point('moved')");
  expect(await server.json('/tasks?select=title', { headers: BAKERY })).toEqual([{ title: 'Buy flour' }]);
});

test('check finds nothing', async () => {
  const findings = await withConnection(database.uri, (client) =>
    runLints(client, { schemas: ['api'], roles: ['web_anon', 'app_user'] }),
  );
  expect(findings.map(({ lint, object }) => `${lint} ${object}`)).toEqual([]);
});
