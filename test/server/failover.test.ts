// Several hosts in `db-uri`: the primary dies, a standby is promoted, and writes go on there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Member, ReplicatedCluster } from '../support/replicated-cluster.ts';
import { type Harbor, renderFixture } from './support/harbor.ts';
import { type LocalServer, post, startLocalServer } from './support/local-server.ts';
import { until } from './support/until.ts';

const ROLES = { login: 'gate', anon: 'anon', user: 'member' };

let cluster: ReplicatedCluster;
let former: Member;
let next: Member;
let server: LocalServer;
let number = 100;

beforeAll(async () => {
  cluster = await ReplicatedCluster.start(renderFixture(ROLES), [{}]);
  former = cluster.primary;
  [next] = cluster.replicas as [Member];
  const hosts = `127.0.0.1:${former.port},127.0.0.1:${next.port}`;
  const uri = `postgresql://gate@${hosts}/postgres?target_session_attrs=read-write`;
  const replica = `postgresql://gate@127.0.0.1:${next.port}/postgres`;
  server = await startLocalServer({ uri, anon: ROLES.anon } as Harbor, { 'db-uri-replicas': replica });
  await server.logged(/gets reads$/u);
});

afterAll(async () => {
  await server?.stop();
  await cluster?.stop();
});

async function write(): Promise<{ readonly status: number; readonly id: number; readonly position: string }> {
  number += 1;
  const { status, headers } = await server.get('/berth', post({ id: number, name: 'a' }));
  return { status, id: number, position: String(headers['svc-lsn']) };
}

test('after a promotion writes are served within 2 s of the new primary being up, and the listener moves along', async () => {
  const first = await write();
  expect([first.status, first.position]).toEqual([201, expect.stringMatching(/^1:/u)]);
  await cluster.catchUp();
  await former.kill();
  const read = await server.json(`/berth?id=eq.${first.id}&select=id`);
  expect(read).toEqual([{ id: first.id }]);
  await next.sql('select pg_promote()');
  const start = performance.now();
  const refused = new Set<number>();
  const written = await until(async () => {
    const answer = await write();
    if (answer.status !== 201) refused.add(answer.status);
    return answer.status === 201 && answer;
  });
  expect(performance.now() - start).toBeLessThan(2000);
  expect([...refused].filter((status) => status !== 503)).toEqual([]);
  expect(written.position).toMatch(/^2:/u);
  for (const position of [first.position, written.position]) {
    const answer = await server.json(`/berth?id=eq.${written.id}&select=id`, { headers: { 'svc-lsn': position } });
    expect(answer).toEqual([{ id: written.id }]);
  }
  await server.logged(new RegExp(`^Listener connected to .* on "127\\.0\\.0\\.1:${next.port}"`, 'u'));
  await server.logged(/^Replica .* gets no reads: it is no standby$/u);
});
