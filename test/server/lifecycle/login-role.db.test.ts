// Tokens that name the role the server logs in as: PostgreSQL lets every role change into itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type LocalServer, startLocalServer } from '../support/local-server.ts';

const harbor = await useHarbor();
let server: LocalServer;

beforeAll(async () => {
  await harbor.sql(`create schema lobby;
    grant usage on schema lobby to ${harbor.login};
    create function lobby.who() returns text language sql stable as 'select current_user::text';
    create table lobby.own (id int); grant select on lobby.own to ${harbor.login};
    create table lobby.foreign (id int); grant select on lobby.foreign to ${harbor.user}, ${harbor.anon}`);
  server = await startLocalServer(harbor, { 'db-schemas': 'lobby' });
});

afterAll(async () => {
  await server?.stop();
});

test('a token may name the login role, which then has its own rights and none of the roles it may change into', async () => {
  const headers = bearer({ role: harbor.login });
  expect(await server.json('/rpc/who', { headers })).toBe(harbor.login);
  expect((await server.get('/own', { headers })).status).toBe(200);
  const refused = await server.get('/foreign', { headers });
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text)).toMatchObject({ code: '42501', message: 'permission denied for table foreign' });
});

test('the way back to the login role without its name is no role at all', async () => {
  const { status, text } = await server.get('/rpc/who', { headers: bearer({ role: 'none' }) });
  expect(status).toBe(401);
  expect(JSON.parse(text)).toMatchObject({ code: '22023', message: 'role "none" does not exist' });
});
