// Two instances behind nginx and HAProxy with the files of `deploy/`: rolling updates without lost requests, a killed
// instance, streamed rows, long URLs.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { skipped } from '../../support/skipped.ts';
import { createHarbor, type Harbor } from '../../support/harbor.ts';
import { post, sendRequest } from '../../support/local-server.ts';
import { CLIENTS, ProxiedLoad } from '../../support/proxied-load.ts';
import { type Proxy, PROXIES } from '../../support/proxies.ts';
import { until } from '../../support/until.ts';

const NAMES = ['one', 'two'] as const;
/** Responses of an instance before the next step. */
const ENOUGH = 25;

describe.each(PROXIES)('$name', ({ name, isInstalled, start }) => {
  const reason = isInstalled ? undefined : `no ${name}: apt-get install ${name.toLowerCase()}`;

  describe.skipIf(!isInstalled)(skipped('in front of two instances', reason), () => {
    let harbor: Harbor;
    let instances: [ServerProcess, ServerProcess];
    let proxy: Proxy;

    beforeAll(async () => {
      harbor = await createHarbor();
      await harbor.sql(`
        create view api.slow_rows as select n as id, repeat('x', 100) as filler,
          case when n = 700 then pg_advisory_xact_lock_shared(1)::text end as held from generate_series(1, 701) n;
        grant select on api.slow_rows to ${harbor.anon};
        create function api.client_address() returns text language sql stable
          return current_setting('request.headers')::json ->> 'x-forwarded-for';
      `);
      instances = [await startInstance(0), await startInstance(1)];
      proxy = await start(instances);
    });
    afterAll(async () => {
      await proxy?.stop();
      for (const instance of instances ?? []) await instance.stop();
      await harbor?.drop();
    });

    function startInstance(index: 0 | 1, ports?: ServerProcess): Promise<ServerProcess> {
      const options = {
        'db-uri': harbor.uri,
        'db-schemas': 'api',
        'db-anon-role': harbor.anon,
        'db-pool': 4,
        'log-level': 'crit',
        'app.settings.instance': NAMES[index],
      };
      return startServerProcess(options, ports && { ports });
    }

    /** The load and its rows end with the test, even if it fails. */
    function startLoad(): ProxiedLoad {
      const load = new ProxiedLoad(proxy.port);
      onTestFinished(async () => {
        await load.stop();
        await harbor.sql('delete from api.berth where id > 1000');
      });
      return load;
    }

    async function expectRows(load: ProxiedLoad): Promise<void> {
      const rows = await harbor.query('select id from api.berth where id > 1000');
      const ids = new Set(rows.map(([id]) => Number(id)));
      expect(load.written.filter((id) => !ids.has(id))).toEqual([]);
      const unknown = load.failures.filter(({ method }) => method === 'POST').length;
      expect(rows.length - load.written.length).toBeLessThanOrEqual(unknown);
    }

    test('a rolling update under load loses no request', async () => {
      const load = startLoad();
      for (const index of [0, 1] as const) {
        for (const each of NAMES) await load.answeredBy(each, ENOUGH);
        const former = instances[index];
        await proxy.drain(index);
        expect(await former.stop()).toBe(0);
        await load.answeredBy(NAMES[1 - index] ?? '', ENOUGH);
        instances[index] = await startInstance(index, former);
        expect(instances[index].pid).not.toBe(former.pid);
        await proxy.restore(index);
      }
      for (const each of NAMES) await load.answeredBy(each, ENOUGH);
      await load.stop();
      expect(load.failures, await proxy.readErrors()).toEqual([]);
      expect(load.readCount).toBe(load.written.length);
      await expectRows(load);
    });

    test('killing an instance loses no read, and at most the writes in flight', async () => {
      const load = startLoad();
      for (const each of NAMES) await load.answeredBy(each, ENOUGH);
      const [former] = instances;
      process.kill(former.pid ?? 0, 'SIGKILL');
      await former.stop();
      const gone = performance.now();
      await load.answeredBy('two', ENOUGH);
      instances[0] = await startInstance(0, former);
      await load.answeredBy('one', ENOUGH);
      await load.stop();
      expect(load.failures.filter(({ method }) => method === 'GET')).toEqual([]);
      expect(load.failures.filter(({ sentAt }) => sentAt > gone)).toEqual([]);
      // Each client has at most one request in flight.
      expect(load.failures.length).toBeLessThanOrEqual(CLIENTS);
      await expectRows(load);
    });

    test('rows are relayed as they arrive', async () => {
      const hold = await harbor.hold();
      const socket = connect(proxy.port, '127.0.0.1');
      let seen = '';
      socket.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')));
      socket.write('GET /slow_rows HTTP/1.1\r\nHost: api.example.com\r\nAccept: application/x-ndjson\r\n\r\n');
      await hold.waiting(1);
      await until(() => seen.includes('"id":1,'), { why: () => `the first row in ${seen}` });
      expect(seen).not.toContain('"id":701,');
      await hold.release();
      await until(() => seen.includes('"id":701,'));
      expect(seen).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
      socket.destroy();
    });

    test('a client cannot claim the address of somebody else', async () => {
      const claimed = { 'X-Forwarded-For': '198.51.100.1' };
      const answer = await sendRequest(
        { host: '127.0.0.1', port: proxy.port, path: '/rpc/client_address' },
        { headers: claimed },
      );
      expect([answer.status, answer.text]).toEqual([200, '"127.0.0.1"']);
    });

    test('a URL of 90,000 characters reaches an instance, and its response reaches the client', async () => {
      const ids = Array.from({ length: 15_000 }, (_, index) => 10_000 + index).join(',');
      const target = `/berth?select=name&id=in.(1,${ids})`;
      expect(target.length).toBeGreaterThan(90_000);
      const answer = await sendRequest({ host: '127.0.0.1', port: proxy.port, path: target });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, [{ name: 'North' }]]);
    });

    test(`a body of 1 MB passes ${name}`, async () => {
      const answer = await sendRequest(
        { host: '127.0.0.1', port: proxy.port, path: '/rpc/length_of' },
        post({ bytes: `\\x${'00'.repeat(500_000)}` }),
      );
      expect([answer.status, answer.text]).toEqual([200, '500000']);
    });
  });
});
