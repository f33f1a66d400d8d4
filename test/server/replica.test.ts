// The server on a read replica: requests read there, the listener stays with the primary.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderEmbeddedError } from '../../src/embedded/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts';
import { runSql } from '../support/database.ts';
import { type Harbor, renderFixture } from './support/harbor.ts';
import { type LocalServer, post, startLocalServer } from './support/local-server.ts';
import { until } from './support/until.ts';

const FOLDER = path.join(os.tmpdir(), `rowhouse-replica-${randomBytes(6).toString('hex')}`);
const ROLES = { login: 'gate', anon: 'anon', user: 'member' };

let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let server: LocalServer;

async function startDatabase(name: string, settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataFolder: path.join(FOLDER, name), settings });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  return started.value;
}

/** A stopped cluster is its own base backup. */
function copyCluster(from: string, to: string): void {
  const [source, copy] = [path.join(FOLDER, from, 'pgdata'), path.join(FOLDER, to, 'pgdata')];
  mkdirSync(path.dirname(copy));
  // Not cpSync: whoever owns the files may be another user than that of the tests.
  execFileSync('cp', ['-a', source, copy]);
  writeFileSync(path.join(copy, 'standby.signal'), '');
}

beforeAll(async () => {
  primary = await startDatabase('primary');
  await runSql(primary.uri, renderFixture(ROLES));
  await primary.stop();
  copyCluster('primary', 'standby');
  primary = await startDatabase('primary');
  const origin = `host=127.0.0.1 port=${primary.port} user=postgres`;
  standby = await startDatabase('standby', { primary_conninfo: origin });
  const uri = `postgresql://gate@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-only`;
  server = await startLocalServer({ uri, anon: ROLES.anon } as Harbor);
});

afterAll(async () => {
  await server?.stop();
  await standby?.stop();
  await primary?.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

test('O187 the listener is connected to the primary', async () => {
  expect(server.err).toContainEqual(
    expect.stringMatching(
      new RegExp(`^Listener connected to PostgreSQL .* on "127\\.0\\.0\\.1:${primary.port}" `, 'u'),
    ),
  );
  expect((await server.admin('/ready')).status).toBe(200);
});

test('O187 requests read on the standby, and writes are refused', async () => {
  expect((await server.get('/berth?select=id&id=eq.1')).text).toBe('[{"id":1}]');
  const refused = await server.get('/berth', post({ id: 4, name: 'East' }));
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([405, { code: '25006' }]);
});

test('O187 a notification of the primary has the schema cache loaded from the standby', async () => {
  await runSql(primary.uri, `create table api.fresh (id int); grant select on api.fresh to anon`);
  await until(async () => {
    await runSql(primary.uri, `notify svc, 'reload schema'`);
    return (await server.get('/fresh')).text === '[]';
  });
  expect(server.count(/^Received a schema cache reload message on the "svc" channel$/u)).toBeGreaterThan(0);
});
