// One primary and two streaming replicas behind one server: which one answers, and what happens if replicas lag, hang,
// fail and come back.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Member, ReplicatedCluster } from '../../support/replicated-cluster.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { renderFixture } from '../../support/harbor.ts';
import { type Answer, type LocalServer, type Options, post, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const ROLES = { login: 'gate', anon: 'anon', user: 'member' };

const FIXTURE = `
  ${renderFixture(ROLES)}
  create function api.here() returns int language sql stable as $$ select current_setting('port')::int $$;
  create function api.here_now() returns int language sql volatile as $$ select current_setting('port')::int $$;
  create view api.place as select current_setting('port')::int as port;
  grant select on api.place to anon;
  grant insert on api.visit to anon;
`;

let isStopped = false;

const uriOf = (port: number): string => `postgresql://gate@127.0.0.1:${port}/postgres`;

async function serve(options: Options = {}): Promise<LocalServer> {
  const started = await startLocalServer(
    { uri: uriOf(primary.port), anon: ROLES.anon },
    {
      'db-uri-replicas': `${uriOf(one.port)},${uriOf(proxy.port)}`,
      ...options,
    },
  );
  await started.logged(/^Replica 127\.0\.0\.1:\d+ gets reads$/u, 2);
  return started;
}

const cluster = await use(ReplicatedCluster.start(FIXTURE, [{}, {}]));
const [one, two] = cluster.replicas as [Member, Member];
const primary: Member = cluster.primary;
/** In front of the second replica. */
const proxy = await use(startTcpProxy({ host: '127.0.0.1', port: two.port }));
const server = await use(serve());

afterEach(async () => {
  if (isStopped) return;
  proxy.clear();
  await proxy.accept();
  for (const replica of [one, two]) await replica.sql('select pg_wal_replay_resume()').catch(() => replica.start());
  await cluster.catchUp();
  await until(async () => (await serving(server)) === 2);
});

afterAll(async () => {
  isStopped = true;
});

/** Returns the values of a metric by their labels. */
async function metrics(of: LocalServer, name: string): Promise<ReadonlyMap<string, number>> {
  const { text } = await of.admin('/metrics');
  const found = text.matchAll(new RegExp(`^svc_${name}\\{\\w+="([^"]*)"\\} (\\S+)$`, 'gmu'));
  return new Map([...found].map(([, label = '', value]) => [label, Number(value)]));
}

async function serving(of: LocalServer): Promise<number> {
  return [...(await metrics(of, 'db_replica_serving')).values()].reduce((sum, value) => sum + value, 0);
}

const addressOf = (port: number): string => `127.0.0.1:${port}`;
const replicaPorts = (): readonly number[] => [one.port, two.port];

async function portOf(target: string, parts?: Parameters<LocalServer['get']>[1]): Promise<number> {
  const { status, text } = await server.get(target, parts);
  expect([status, text]).toEqual([200, text]);
  return Number(text);
}

async function pause(): Promise<void> {
  for (const replica of [one, two]) {
    await replica.sql('select pg_wal_replay_pause()');
    await until(async () => (await replica.value('select pg_get_wal_replay_pause_state()')) === 'paused');
  }
}

let berths = 100;

/** Inserts a new row. */
async function write(on: LocalServer = server): Promise<{ readonly id: number; readonly answer: Answer }> {
  berths += 1;
  const id = berths;
  const answer = await on.get('/berth', post({ id, name: `berth ${id}` }));
  expect(answer.status).toBe(201);
  return { id, answer };
}

function positionOf({ headers }: Answer): string {
  const position = headers['svc-lsn'];
  if (typeof position !== 'string') throw new Error('no position');
  return position;
}

describe('routing', () => {
  test('reads of relations and calls of stable functions alternate between the replicas', async () => {
    for (const target of ['/place?select=port', '/rpc/here']) {
      const texts = new Set<string>();
      for (let count = 0; count < 6; count += 1) texts.add((await server.get(target)).text);
      const ports = [...texts].map((text) => Number(/\d+/u.exec(text)?.[0]));
      expect(new Set(ports)).toEqual(new Set(replicaPorts()));
    }
    expect(replicaPorts()).toContain(await portOf('/rpc/here', post({})));
    expect((await server.get('/place', { method: 'HEAD' })).status).toBe(200);
  });

  test('volatile functions go to the primary, by GET as by POST', async () => {
    expect(await portOf('/rpc/here_now')).toBe(primary.port);
    expect(await portOf('/rpc/here_now', post({}))).toBe(primary.port);
  });

  test('writes go to the primary, and their responses carry positions that replicas reach', async () => {
    const { answer } = await write();
    expect(positionOf(answer)).toMatch(/^1:[0-9A-F]+\/[0-9A-F]+$/u);
    expect(answer.headers['set-cookie']).toBe(undefined);
    const later = await write();
    await until(() => one.hasReached(positionOf(later.answer).slice(2)));
    const read = await server.get('/berth', { headers: { 'svc-lsn': positionOf(later.answer) } });
    expect(read.headers['svc-lsn']).toBe(undefined);
    expect(read.text).toContain(`"berth ${later.id}"`);
  });

  test('B33 a nested write carries its position, however many statements it takes', async () => {
    const { headers, ...parts } = post({ id: 500, name: 'nested', visit: [{ id: 501 }, { id: 502 }] });
    const prefer = 'nested=write, return=representation';
    const answer = await server.get('/berth?select=name,visit(id)', {
      ...parts,
      headers: { ...headers, Prefer: prefer },
    });
    expect([answer.status, answer.text]).toEqual([201, '[{"name":"nested","visit":[{"id":501}, \n {"id":502}]}]']);
    await until(() => one.hasReached(positionOf(answer).slice(2)));
    expect(await one.value('select count(*) from api.visit where berth_id = 500')).toBe('2');
  });

  test('Prefer: consistency=strong reads from the primary', async () => {
    const answer = await server.get('/rpc/here', { headers: { Prefer: 'consistency=strong, handling=strict' } });
    expect([answer.status, answer.text]).toEqual([200, String(primary.port)]);
    expect(answer.headers['preference-applied']).toBe('handling=strict, consistency=strong');
  });

  test('the error of a read comes from the primary', async () => {
    expect((await server.get('/berth?id=eq.north')).status).toBe(400);
    expect((await server.get('/ledger')).status).toBe(401);
  });

  test('scripts can read the position', async () => {
    const answer = await server.get('/berth', {
      ...post({ id: 99, name: 'a' }),
      headers: { 'Content-Type': 'application/json', Origin: 'https://a.example' },
    });
    expect(answer.headers['access-control-expose-headers']).toMatch(/, svc-lsn$/u);
  });

  test('a failed write has no position', async () => {
    const refused = await server.get('/berth', post({ id: 1, name: 'again' }));
    expect([refused.status, refused.headers['svc-lsn']]).toEqual([409, undefined]);
  });
});

describe('read your writes', () => {
  test('a read with a position goes to the primary while the replicas lag behind it', async () => {
    await pause();
    const { id, answer } = await write();
    const headers = { 'svc-lsn': positionOf(answer) };
    expect((await server.get(`/berth?id=eq.${id}`)).text).toBe('[]');
    expect(await server.json(`/berth?id=eq.${id}&select=id`, { headers })).toEqual([{ id }]);
    expect(await portOf('/rpc/here', { headers })).toBe(primary.port);
    await one.sql('select pg_wal_replay_resume()');
    await until(async () => (await portOf('/rpc/here', { headers })) === one.port);
  });

  test('a read waits for a replica that catches up in time', async () => {
    const waiting = await serve({ 'db-replica-wait': 60_000 });
    await pause();
    const { answer } = await write(waiting);
    const reading = waiting.get('/rpc/here', { headers: { 'svc-lsn': positionOf(answer) } });
    expect(await Promise.race([reading, sleep(50, 'waits')])).toBe('waits');
    await two.sql('select pg_wal_replay_resume()');
    expect((await reading).text).toBe(String(two.port));
    await waiting.stop();
  });

  test.each(['1:FFFFFFFF/FFFFFFFF', '4294967295:0/0', 'unknown', "1:0/0'; drop table api.berth"])(
    'the forged position %j does no harm',
    async (position) => {
      const headers = { 'svc-lsn': position };
      const ports = await Promise.all(Array.from({ length: 20 }, () => portOf('/rpc/here', { headers })));
      expect(new Set(ports)).toEqual(new Set([primary.port]));
      expect(replicaPorts()).toContain(await portOf('/rpc/here'));
    },
  );

  test('with db-read-your-writes = cookie, browsers send the position themselves', async () => {
    const own = await serve({ 'db-read-your-writes': 'cookie' });
    await pause();
    const { id, answer } = await write(own);
    const cookie = `svc-lsn=${positionOf(answer)}`;
    expect(answer.headers['set-cookie']).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Lax`]);
    const headers = { Cookie: `theme=dark; ${cookie}` };
    expect((await own.get(`/berth?id=eq.${id}`)).text).toBe('[]');
    expect(await own.json(`/berth?id=eq.${id}&select=id`, { headers })).toEqual([{ id }]);
    await own.stop();
  });

  test('with db-read-your-writes = off, positions are neither sent nor read', async () => {
    const own = await serve({ 'db-read-your-writes': 'off' });
    const { answer } = await write(own);
    expect(answer.headers['svc-lsn']).toBe(undefined);
    const read = await own.get('/rpc/here', { headers: { 'svc-lsn': 'unknown' } });
    expect(replicaPorts()).toContain(Number(read.text));
    await own.stop();
  });

  test('objects that a replica does not have yet are read from the primary', async () => {
    await pause();
    await primary.sql('create table api.fresh (id int); grant select on api.fresh to anon');
    await server.reload();
    expect((await server.get('/fresh')).text).toBe('[]');
  });
});

describe('health', () => {
  test('a replica beyond db-replica-max-lag is excluded, logged once, and comes back', async () => {
    const own = await serve({ 'db-replica-max-lag': 1 });
    await two.sql('select pg_wal_replay_pause()');
    await write(own);
    const line = new RegExp(
      `^Replica ${addressOf(proxy.port)} gets no reads: it is \\d+\\.\\d seconds behind the primary$`,
      'u',
    );
    await own.logged(line);
    for (let count = 0; count < 4; count += 1) expect((await own.get('/rpc/here')).text).toBe(String(one.port));
    expect((await metrics(own, 'db_replica_lag_seconds')).get(addressOf(proxy.port))).toBeGreaterThan(1);
    await two.sql('select pg_wal_replay_resume()');
    await own.logged(new RegExp(`^Replica ${addressOf(proxy.port)} gets reads$`, 'u'), 2);
    expect(own.count(line)).toBe(1);
    await own.stop();
  });

  test('replicas of an idle primary do not count as lagging', async () => {
    const own = await serve({ 'db-replica-max-lag': 1 });
    await sleep(1500);
    expect(await serving(own)).toBe(2);
    expect(own.count(/gets no reads/u)).toBe(0);
    await own.stop();
  });

  test('a replica that fails under load loses no request, and comes back', async () => {
    const over = new AbortController();
    const statuses: number[] = [];
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) statuses.push((await server.get('/berth?select=id&limit=1')).status);
    };
    const clients = Array.from({ length: 16 }, client);
    for (let round = 1; round <= 2; round += 1) {
      const before = server.count(/gets no reads/u);
      await until(() => statuses.length > round * 50);
      await one.kill();
      await server.logged(/^Replica .* gets no reads: /u, before + 1);
      const atLeast = statuses.length + 50;
      await until(() => statuses.length > atLeast);
      await one.start();
      await until(async () => (await serving(server)) === 2);
    }
    over.abort();
    await Promise.all(clients);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect((await server.admin('/ready')).status).toBe(200);
  });

  test('a replica that hangs is excluded, and its reads are answered meanwhile', async () => {
    // A connection of its pool is open.
    await until(async () => (await portOf('/rpc/here')) === two.port);
    proxy.set({ isStalled: true });
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.get('/rpc/here')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map(({ text }) => Number(text))).not.toContain(two.port);
    await server.logged(/gets no reads: it does not answer$/u);
  });

  test('without replicas the primary answers', async () => {
    await Promise.all([one.kill(), two.kill()]);
    expect(await portOf('/rpc/here')).toBe(primary.port);
    await until(async () => (await serving(server)) === 0);
    expect(await portOf('/rpc/here', { headers: { 'svc-lsn': '1:FFFFFFFF/0' } })).toBe(primary.port);
    expect((await server.admin('/ready')).status).toBe(200);
  });

  test('metrics report reads by target, pools and lags', async () => {
    const targets = [...(await metrics(server, 'db_reads_total')).keys()];
    const names = [addressOf(one.port), addressOf(proxy.port)];
    expect(targets).toEqual(['primary', ...names]);
    for (const name of ['serving', 'lag_seconds', 'pool_timeouts_total', 'pool_available', 'pool_waiting', 'pool_max'])
      expect([...(await metrics(server, `db_replica_${name}`)).keys()]).toEqual(names);
  });

  test('a primary listed as a replica gets no replica reads', async () => {
    const own = await startLocalServer(
      { uri: uriOf(primary.port), anon: ROLES.anon },
      {
        'db-uri-replicas': uriOf(primary.port),
      },
    );
    await own.logged(/^Replica .* gets no reads: it is not a standby$/u);
    expect((await own.get('/rpc/here')).text).toBe(String(primary.port));
    await own.stop();
  });
});

test('an invalid replica connection string stops the start', async () => {
  const own = await startLocalServer(
    { uri: uriOf(primary.port), anon: ROLES.anon },
    { 'db-uri-replicas': 'http://replica' },
    { isAwaited: false },
  );
  await until(() => own.fatal !== undefined);
  expect(own.fatal).toContain('db-uri-replicas: a connection URI begins with postgres://');
  await own.stop();
});
