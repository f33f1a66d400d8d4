// Tokens with the login role of the server: PostgreSQL allows every role to switch to itself.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`create schema lobby;
    grant usage on schema lobby to ${harbor.login};
    create function lobby.who() returns text language sql stable as 'select current_user::text';
    create table lobby.own (id int); grant select on lobby.own to ${harbor.login};
    create table lobby.foreign (id int); grant select on lobby.foreign to ${harbor.user}, ${harbor.anon}`);
const server = await use(startLocalServer(harbor, { 'db-schemas': 'lobby' }));

test('a token with the login role has the privileges of that role, and none of the roles it may switch to', async () => {
  const headers = bearer({ role: harbor.login });
  expect(await server.json('/rpc/who', { headers })).toBe(harbor.login);
  expect((await server.get('/own', { headers })).status).toBe(200);
  const refused = await server.get('/foreign', { headers });
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text)).toMatchObject({ code: '42501', message: 'permission denied for table foreign' });
});

test('"none", which resets to the login role, is not a role', async () => {
  const { status, text } = await server.get('/rpc/who', { headers: bearer({ role: 'none' }) });
  expect(status).toBe(401);
  expect(JSON.parse(text)).toMatchObject({ code: '22023', message: 'role "none" does not exist' });
});
