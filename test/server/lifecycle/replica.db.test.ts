// The server on a read replica: requests read from it, the listener connects to the primary.
import { expect, test } from 'vitest';
import { type Member, ReplicatedCluster } from '../../support/replicated-cluster.ts';
import { renderFixture } from '../../support/harbor.ts';
import { post, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const ROLES = { login: 'gate', anon: 'anon', user: 'member' };

const cluster = await use(ReplicatedCluster.start(renderFixture(ROLES), [{}]));
const primary: Member = cluster.primary;
const standby = cluster.replicas[0]?.port;
const uri = `postgresql://gate@127.0.0.1:${standby},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-only`;
const server = await use(startLocalServer({ uri, anon: ROLES.anon }));

test('O187 the listener is connected to the primary', async () => {
  expect(server.err).toContainEqual(
    expect.stringMatching(
      new RegExp(`^Listener connected to PostgreSQL .* on "127\\.0\\.0\\.1:${primary.port}" `, 'u'),
    ),
  );
  expect((await server.admin('/ready')).status).toBe(200);
});

test('O187 requests read from the standby, and writes are rejected', async () => {
  expect((await server.get('/berth?select=id&id=eq.1')).text).toBe('[{"id":1}]');
  const refused = await server.get('/berth', post({ id: 4, name: 'East' }));
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([405, { code: '25006' }]);
});

test('O187 a notification of the primary reloads the schema cache from the standby', async () => {
  await primary.sql(`create table api.fresh (id int); grant select on api.fresh to anon`);
  await until(async () => {
    await primary.sql(`notify svc, 'reload schema'`);
    return (await server.get('/fresh')).text === '[]';
  });
  expect(server.count(/^Received a schema cache reload message on the "svc" channel$/u)).toBeGreaterThan(0);
});
