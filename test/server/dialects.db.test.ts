// Names that only operators see, and where the dialects differ in operation (`operating.md` §0).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { startServer } from '../../src/index.ts';
import { findFreePort } from '../support/server-process.ts';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type LocalServer, startLocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';

const harbor = await useHarbor();

await harbor.sql(`alter database ${harbor.database} set default_transaction_isolation to 'repeatable read';
    alter role ${harbor.user} set default_transaction_isolation to 'read committed';
    create function api.own_level() returns text language sql stable
      set default_transaction_isolation = 'read uncommitted' as $$ select current_setting('transaction_isolation') $$`);

describe.each([
  { dialect: DIALECTS.svc, other: DIALECTS.postgrest, isolation: 'repeatable read', lookups: 0, statements: 0 },
  { dialect: DIALECTS.postgrest, other: DIALECTS.svc, isolation: 'read committed', lookups: 2, statements: 2 },
])('$dialect.name', ({ dialect, other, isolation, lookups, statements }) => {
  let server: LocalServer;
  beforeAll(async () => {
    const { login } = harbor;
    await harbor.sql(`alter role ${login} set ${dialect.settingsPrefix}db_max_rows to '2';
      alter role ${login} set ${other.settingsPrefix}db_max_rows to '1'`);
    const logged = { 'log-level': 'info', 'log-query': true };
    server = await startLocalServer(harbor, { dialect: dialect.name, 'db-config': true, ...logged });
  });
  afterAll(() => server?.stop());

  async function metric(name: string): Promise<number> {
    const { text } = await server.admin('/metrics');
    return Number(new RegExp(`^${dialect.metricsPrefix}${name} (\\S+)$`, 'mu').exec(text)?.[1]);
  }

  test('O195 all metrics have the prefix of the dialect', async () => {
    const { text } = await server.admin('/metrics');
    const names = text.split('\n').filter((line) => /^[a-z]/u.test(line));
    expect(names.length).toBe(10);
    expect(names.filter((name) => !name.startsWith(dialect.metricsPrefix))).toEqual([]);
  });

  test('O184 the server listens on the channel of the dialect', async () => {
    const loads = server.count(/^Schema cache loaded in /u);
    await harbor.sql(`notify ${dialect.channel}, 'reload schema'`);
    await server.logged(/^Schema cache loaded in /u, loads + 1);
    expect(server.count(new RegExp(`"${dialect.channel}" channel$`, 'u'))).toBeGreaterThan(0);
    expect(server.count(new RegExp(`"${other.channel}" channel$`, 'u'))).toBe(0);
  });

  test('settings of the login role are read with the prefix of the dialect', async () => {
    expect(await server.json('/berth?select=id&order=id')).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('operations D2: caching of tokens by default', async () => {
    const headers = bearer({ role: harbor.user });
    const [requests, hits] = [await metric('jwt_cache_requests_total'), await metric('jwt_cache_hits_total')];
    await server.get('/berth', { headers });
    await server.get('/berth', { headers });
    expect((await metric('jwt_cache_requests_total')) - requests).toBe(lookups);
    expect((await metric('jwt_cache_hits_total')) - hits).toBe(lookups / 2);
  });

  test('operations D3: log-query for responses below 400', async () => {
    const isStatement = /^(WITH|SELECT) /iu;
    const before = server.count(isStatement);
    await server.get('/berth?id=eq.1');
    expect(server.count(isStatement) - before).toBe(statements);
    await server.get('/ledger');
    await until(() => server.count(isStatement) - before === statements + 2);
  });

  test('operations D21: the isolation level if none is set', async () => {
    expect(await server.json('/rpc/setting?name=transaction_isolation')).toBe(isolation);
  });

  test('O126 lower isolation levels are READ COMMITTED if a role or a function sets them', async () => {
    const user = { headers: bearer({ role: harbor.user }) };
    expect(await server.json('/rpc/setting?name=transaction_isolation', user)).toBe('read committed');
    expect(await server.json('/rpc/own_level')).toBe('read committed');
    expect(await server.json('/rpc/own_level', user)).toBe('read committed');
  });
});

describe('PGRST_ variables', () => {
  const NOTICE = 'No SVC_ variables are set: the configuration is read from PGRST_ variables, in the dialect svc';

  async function startWith(more: Readonly<Record<string, string>>): Promise<{ code: unknown; notices: string[] }> {
    const lines: string[] = [];
    const server = await startServer({
      environment: {
        PGRST_DB_URI: harbor.uri,
        PGRST_DB_SCHEMAS: 'api',
        PGRST_DB_ANON_ROLE: harbor.anon,
        PGRST_SERVER_HOST: '127.0.0.1',
        PGRST_SERVER_PORT: String(await findFreePort()),
        PGRST_LOG_LEVEL: 'crit',
        ...more,
      },
      output: { writeOut: () => {}, writeError: (line) => lines.push(line) },
    });
    const response = await fetch(`http://${server.apiAddress}/gone`);
    const { code } = (await response.json()) as { readonly code: unknown };
    await server.stop();
    return { code, notices: lines.filter((line) => line.includes('variables')) };
  }

  test('are read in the svc dialect if no SVC_ variables are set, and the log says so', async () => {
    expect(await startWith({})).toEqual({ code: 'SVC205', notices: [expect.stringContaining(NOTICE)] });
  });

  test.each(['SVC_DIALECT', 'PGRST_DIALECT'])('are read in the dialect that %s selects', async (name) => {
    expect(await startWith({ [name]: 'postgrest' })).toEqual({ code: 'PGRST205', notices: [] });
  });
});
