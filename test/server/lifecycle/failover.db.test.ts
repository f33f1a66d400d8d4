// Several hosts in `db-uri`: the primary fails, a standby is promoted, and writes continue there.
import { expect, test } from 'vitest';
import { comparePositions, connect } from '../../../packages/live/src/index.ts';
import { Recorder } from '../../packages/support/recorder.ts';
import { openEvents } from '../../support/event-client.ts';
import { type Member, ReplicatedCluster } from '../../support/replicated-cluster.ts';
import { renderFixture } from '../../support/harbor.ts';
import { post, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const ROLES = { login: 'gate', anon: 'anon', user: 'member' };

const FIXTURE = `
  ${renderFixture(ROLES)}
  alter role gate inherit replication;
  create publication live for table api.berth;
  grant pg_read_all_stats to gate;
  create function api.here() returns int language sql stable as $$ select current_setting('port')::int $$;
`;

const watched = new Recorder();
let number = 100;

const cluster = await use(ReplicatedCluster.start(FIXTURE, [{}, {}], { wal_level: 'logical' }));
const former: Member = cluster.primary;
const [next, other] = cluster.replicas as [Member, Member];
const hosts = `127.0.0.1:${former.port},127.0.0.1:${next.port}`;
const uri = `postgresql://gate@${hosts}/postgres?target_session_attrs=read-write`;
const replicas = [next, other].map(({ port }) => `postgresql://gate@127.0.0.1:${port}/postgres`).join(',');
const server = await use(
  startLocalServer({ uri, anon: ROLES.anon }, { 'db-uri-replicas': replicas, 'live-publication': 'live' }),
);
await server.logged(/gets reads$/u, 2);
const stream = await openEvents(server.port, '/berth', { headers: { Prefer: 'position' } });
const live = await use(connect({ url: `http://127.0.0.1:${server.port}` }));
live.watch('/berth', watched.callbacks);
await Promise.all([stream.first(2), watched.calledTimes(1)]);

async function write(): Promise<{ readonly status: number; readonly id: number; readonly position: string }> {
  number += 1;
  const { status, headers } = await server.get('/berth', post({ id: number, name: 'a' }));
  return { status, id: number, position: String(headers['svc-lsn']) };
}

test('after a promotion writes are served again, and the listener moves to the new primary', async () => {
  const first = await write();
  expect([first.status, first.position]).toEqual([201, expect.stringMatching(/^1:/u)]);
  await cluster.catchUp();
  await former.kill();
  const read = await server.json(`/berth?id=eq.${first.id}&select=id`);
  expect(read).toEqual([{ id: first.id }]);
  expect((await server.get('/ledger')).status).toBe(401);
  await next.sql('select pg_promote()');
  const refused = new Set<number>();
  const written = await until(async () => {
    const answer = await write();
    if (answer.status !== 201) refused.add(answer.status);
    return answer.status === 201 && answer;
  });
  expect([...refused].filter((status) => status !== 503)).toEqual([]);
  expect(written.position).toMatch(/^2:/u);
  for (const { id, position } of [first, written])
    expect(await server.json(`/berth?id=eq.${id}&select=id`, { headers: { 'svc-lsn': position } })).toEqual([{ id }]);
  await server.logged(new RegExp(`^Listener connected to .* on "127\\.0\\.0\\.1:${next.port}"`, 'u'));
  await server.logged(/^Replica .* gets no reads: it is not a standby$/u);
});

test('B92 B93 positions of streams that were open go on on the new timeline, and compare with those of writes', async () => {
  const { id, position } = await write();
  const read = (): readonly string[] => stream.events.flatMap(({ name, data }) => (name === 'position' ? [data] : []));
  await until(() => comparePositions(read().at(-1) ?? '0:0/0', position) >= 0, { why: () => stream.text });
  await live.reached(position);
  const positions = read();
  expect(positions.toSorted(comparePositions)).toEqual(positions);
  expect(new Set(positions.map((each) => each.split(':')[0]))).toEqual(new Set(['1', '2']));
  const rows = await server.json('/berth?order=id', { headers: { 'svc-lsn': position } });
  expect([...watched.rows.values()].toSorted((a, b) => Number(a['id']) - Number(b['id']))).toEqual(rows);
  expect(stream.text).toContain(`"id":${id}`);
});

test('a standby that follows the new primary serves reads of its positions', async () => {
  await other.follow(next);
  await server.logged(new RegExp(`^Replica 127\\.0\\.0\\.1:${other.port} gets reads$`, 'u'), 2);
  const { position } = await write();
  await until(async () => {
    const { text } = await server.get('/rpc/here', { headers: { 'svc-lsn': position } });
    return text === String(other.port);
  });
});
