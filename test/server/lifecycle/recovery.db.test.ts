// The server with a database that stops, comes back, refuses connections or is too old.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderEmbeddedError } from '../../../tools/embedded/cluster/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { startHandshakeServer } from '../../postgres/support/handshake-server.ts';
import { BOUND, complete, greeting, PARSED, ready, row } from '../../postgres/support/server-messages.ts';
import { runSql } from '../../support/database.ts';
import { findFreePort } from '../../support/server-process.ts';
import { type Harbor, renderFixture } from '../../support/harbor.ts';
import { type Launch, type LocalServer, type Options, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const DATA_FOLDER = path.join(os.tmpdir(), `rowhouse-recovery-${randomBytes(6).toString('hex')}`);
const PASSWORD = 'a password: 1/2?';
const ROLES = { login: 'gate', anon: 'anon', user: 'member' };

let postgres: EmbeddedPostgres | undefined;

async function startDatabase(): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataFolder: DATA_FOLDER, port, password: PASSWORD });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  postgres = started.value;
  return postgres;
}

async function stopDatabase(): Promise<void> {
  await postgres?.stop();
  postgres = undefined;
}

function start(options?: Options, launch?: Launch): Promise<LocalServer> {
  return use(startLocalServer(harbor, options, launch));
}

const port = await findFreePort();
const { uri } = await startDatabase();
await runSql(uri, renderFixture(ROLES));
await runSql(uri, `alter role gate password '${PASSWORD}'`);
const own = Object.assign(new URL(uri), { username: 'gate', password: encodeURIComponent(PASSWORD) });
const harbor: Pick<Harbor, 'uri' | 'anon'> = { uri: own.href, anon: ROLES.anon };

afterAll(async () => {
  await stopDatabase();
  rmSync(DATA_FOLDER, { recursive: true, force: true });
});

test('O174 the listener notices that the database stops and comes back', async () => {
  const server = await start();
  expect((await server.get('/berth?limit=0')).status).toBe(200);
  await stopDatabase();
  await until(async () => (await server.admin('/ready')).status === 503);
  expect((await server.admin('/live')).status).toBe(200);
  const { status, headers } = await server.get('/berth');
  expect(status).toBe(503);
  expect(headers['retry-after']).toMatch(/^\d+$/u);
  await server.logged(/^Failed to query the PostgreSQL version\. \{"code":"SVC000"/u);
  await startDatabase();
  await until(async () => (await server.admin('/ready')).status === 200, { seconds: 20 });
  expect((await server.get('/berth?limit=0')).status).toBe(200);
  expect(server.count(/^Successfully connected to PostgreSQL/u)).toBe(2);
  expect(server.count(/^Connection Pool initialized/u)).toBe(1);
});

test('O174 without a listener, a failing request starts the recovery', async () => {
  const server = await start({ 'db-channel-enabled': false });
  await stopDatabase();
  expect((await server.get('/berth')).status).toBe(503);
  await server.logged(/^Attempting to reconnect to the database in 1 seconds\.\.\.$/u);
  await startDatabase();
  await until(async () => (await server.admin('/ready')).status === 200, { seconds: 20 });
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test('O174 the server can start before its database', async () => {
  await stopDatabase();
  const server = await start({}, { isAwaited: false });
  await server.logged(/^API server listening on/u);
  expect(JSON.parse((await server.get('/berth')).text)).toMatchObject({ code: 'SVC002' });
  await startDatabase();
  await until(async () => (await server.admin('/ready')).status === 200, { seconds: 20 });
  expect((await server.get('/berth?limit=0')).status).toBe(200);
});

test.each([
  ['wrong', /FATAL: {2}password authentication failed for user \\"gate\\"/u],
  ['', /no password supplied/u],
])('O176 the password "%s" stops the service without a retry', async (password, reason) => {
  const server = await start({ 'db-uri': Object.assign(new URL(harbor.uri), { password }).href });
  expect(server.fatal).toMatch(
    /^Failed to establish a connection\. \{"code":"SVC000",.*"message":"Database connection error\."\}$/u,
  );
  expect(server.fatal).toMatch(reason);
  expect(server.count(/^Attempting to reconnect/u)).toBe(0);
});

test('O179 a database that is too old stops the service', async () => {
  const answer = Buffer.concat([PARSED, BOUND, row('130009', 'PostgreSQL 13.9'), complete('SELECT 1'), ready('I')]);
  const old = await startHandshakeServer({
    hasTls: false,
    answer: (socket, packet) => socket.write(packet.includes('server_version_num') ? answer : greeting()),
  });
  const uri = `postgresql://gate@127.0.0.1:${old.port}/old?sslmode=disable`;
  const server = await start({ 'db-uri': uri, 'db-channel-enabled': false });
  expect(server.fatal).toBe('Cannot run in this PostgreSQL version (13.9), rowhouse needs at least 14.0');
  expect(server.server.apiAddress).toBeUndefined();
  await server.stop();
  await old.close();
});
