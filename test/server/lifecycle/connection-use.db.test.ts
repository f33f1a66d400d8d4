// How the server connects to the database, and which requests need no connection.
import { expect, test } from 'vitest';
import { findFreePort } from '../../support/server-process.ts';
import { useHarbor } from '../../support/harbor.ts';
import { post, sendRequest, useServers } from '../../support/local-server.ts';
import { spawnServer } from '../../support/spawned-server.ts';
import { until } from '../../support/until.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

test('O110 errors that need no database are answered while the only connection is busy', async () => {
  const server = await start({ 'db-pool': 1, 'db-channel-enabled': false });
  let isNapping = true;
  const nap = server.get('/rpc/nap', post({ seconds: 2 })).finally(() => (isNapping = false));
  await until(async () => (await countNaps()) === 1);
  const origin = { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' };
  const answers = await Promise.all([
    server.get('/berth', { headers: { Authorization: 'Bearer a.b' } }),
    server.get('/a/b'),
    server.get('/berth', { method: 'TRACE' }),
    server.get('/gone'),
    server.get('/rpc/gone'),
    server.get('/berth?select=gone(id)'),
    server.get('/berth?id=3'),
    server.get('/berth', { method: 'OPTIONS' }),
    server.get('/berth', { method: 'OPTIONS', headers: origin }),
  ]);
  expect(isNapping).toBe(true);
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 405, 404, 404, 400, 400, 200, 200]);
  expect(await server.metric('db_pool_waiting')).toBe(0);
  expect((await nap).status).toBe(200);
});

async function countNaps(): Promise<number> {
  const running = `select 1 from pg_stat_activity where state = 'active' and query ~ 'nap' and usename = '${harbor.login}'`;
  return (await harbor.query(running)).length;
}

test('O169 every form of the connection string, and the environment variables', async () => {
  const { hostname: host, port } = new URL(harbor.uri);
  const { login, database } = harbor;
  const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [`host=${host} port=${port} dbname='${database}' user=${login}`, {}],
    [`postgres://${login}@${host}/${database}?port=${port}`, {}],
    [`postgresql:///${database}?host=${host}&port=${port}&user=${login}`, {}],
    ['postgresql://', { PGHOST: host, PGPORT: port, PGDATABASE: database, PGUSER: login }],
    [`postgresql://${login}@/${database}`, { PGHOST: host, PGPORT: port, PGUSER: 'nobody' }],
  ];
  for (const [uri, environment] of forms) {
    const own = await findFreePort();
    const options = { 'db-uri': uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon, 'server-host': '127.0.0.1' };
    const server = spawnServer([], { options: { ...options, 'server-port': own }, environment });
    await server.logged(/API server listening on/u);
    const answer = await sendRequest({ host: '127.0.0.1', port: own, path: '/berth?select=id&id=eq.1' });
    expect([uri, answer.status, answer.text]).toEqual([uri, 200, '[{"id":1}]']);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
  }
});

test.each(['', '?target_session_attrs=read-write', '?target_session_attrs=prefer-standby'])(
  'O171 of several hosts, the reachable one is used%s',
  async (kind) => {
    const { host } = new URL(harbor.uri);
    const server = await start({
      'db-uri': `postgresql://${harbor.login}@127.0.0.1:1,${host}/${harbor.database}${kind}`,
    });
    expect((await server.get('/berth?select=id&id=eq.2')).text).toBe('[{"id":2}]');
    expect((await server.admin('/ready')).status).toBe(200);
  },
);
