// The server behind PgBouncer in transaction mode: one server connection per transaction, and no state left behind.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { runAlone } from '../../postgres/support/run-alone.ts';
import { bodyOf, openSession } from '../../postgres/support/connect-test.ts';
import { mainStatement, readScript } from '../../postgres/support/scripts.ts';
import { createHarbor, type Harbor } from '../../support/harbor.ts';
import { bearer, type LocalServer, post, startLocalServer } from '../../support/local-server.ts';
import { skipped } from '../../support/skipped.ts';
import { PGBOUNCER_VERSION, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';

const reason = PGBOUNCER_VERSION === undefined ? 'no PgBouncer: apt-get install pgbouncer' : undefined;

describe.skipIf(PGBOUNCER_VERSION === undefined)(skipped('through PgBouncer in transaction mode', reason), () => {
  let harbor: Harbor;
  let pooler: PgBouncer;

  beforeAll(async () => {
    harbor = await createHarbor();
    pooler = await startPgBouncer(harbor.uri, [harbor.login]);
  });
  afterAll(async () => {
    await pooler?.stop();
    await harbor?.drop();
  });

  describe('without prepared statements and without a listener', () => {
    let server: LocalServer;

    beforeAll(async () => {
      server = await startLocalServer(harbor, {
        'db-uri': pooler.throughPooler(harbor.uri),
        'db-prepared-statements': false,
        'db-channel-enabled': false,
      });
    });
    afterAll(() => server?.stop());

    test('O183 every request sees its own role and claims, with more requests than server connections', async () => {
      const asked = Array.from({ length: 60 }, (_, index) => ({
        role: index % 2 === 0 ? harbor.anon : harbor.user,
        visitor: index,
      }));
      const seen = await Promise.all(
        asked.map(async ({ role, visitor }) => {
          const headers = bearer({ role, visitor });
          const [who, claims] = await Promise.all([
            server.json('/rpc/who', { headers }),
            server.json('/rpc/setting?name=request.jwt.claims', { headers }),
          ]);
          return { role: who, visitor: (JSON.parse(String(claims)) as { visitor: number }).visitor };
        }),
      );
      expect(seen).toStrictEqual(asked);
    });

    test('no state of a request remains on the server connections', async () => {
      await Promise.all(
        Array.from({ length: 8 }, () => server.get('/berth', { headers: bearer({ role: harbor.user }) })),
      );
      expect((await server.get('/rpc/fail', post({}))).status).toBe(500);
      const read = `select current_setting('role'), coalesce(current_setting('request.jwt.claims', true), ''),
        current_setting('search_path'), current_setting('transaction_read_only'), pg_sleep(0.05)::text`;
      const left = await Promise.all(
        Array.from({ length: 6 }, () =>
          withConnection(
            pooler.throughPooler(harbor.uri),
            async (client) => (await client.query<string[]>({ text: read, rowMode: 'array' })).rows[0],
          ),
        ),
      );
      expect(new Set(left.map((row) => JSON.stringify(row)))).toStrictEqual(
        new Set([JSON.stringify(['none', '', '"$user", public', 'off', ''])]),
      );
    });

    test('a write that is checked before it commits keeps its connection between the two round trips', async () => {
      const parts = {
        ...post([
          { id: 10, name: 'East' },
          { id: 11, name: 'Quay' },
        ]),
      };
      const headers = { ...parts.headers, Accept: 'application/vnd.svc.object+json', Prefer: 'return=representation' };
      const refused = await Promise.all(
        Array.from({ length: 4 }, () => server.get('/berth?select=id', { ...parts, headers })),
      );
      expect(refused.map(({ status }) => status)).toStrictEqual([406, 406, 406, 406]);
      expect(await harbor.query('select count(*)::int from api.berth')).toStrictEqual([[3]]);
    });

    test('the schema cache can be reloaded', async () => {
      await harbor.sql(`create table api.crane (id int); grant select on api.crane to ${harbor.anon}`);
      await server.reload();
      expect(await server.json('/crane')).toStrictEqual([]);
    });
  });

  test('a statement prepared by another connection never runs in place of the own one', async () => {
    const uri = pooler.throughPooler(harbor.uri);
    const [first, second] = [await openSession(uri), await openSession(uri)];
    const [left, right] = [new Client(uri), new Client(uri)];
    await left.connect();
    await right.connect();
    // A client in a transaction keeps one of the two server connections.
    await left.query('begin; select 1');
    expect(bodyOf(await runAlone(first, readScript(mainStatement('1'))))).toBe('1');
    await right.query('begin; select 1');
    await left.query('commit');
    expect(bodyOf(await runAlone(second, readScript(mainStatement('2'))))).toBe('2');
    await left.query('begin; select 1');
    await right.query('commit');
    const again = await runAlone(second, readScript(mainStatement('2')));
    if (again.ok) expect(bodyOf(again)).toBe('2');
    else expect(again.error).toMatchObject({ kind: 'database', report: { sqlstate: '42P05' } });
    await Promise.all([left.end(), right.end(), first.close(), second.close()]);
  });

  test.skipIf((PGBOUNCER_VERSION ?? 0) >= 1.21)(
    'O180 with prepared statements no response is wrong, and the service stops with a hint',
    async () => {
      const server = await startLocalServer(harbor, {
        'db-uri': pooler.throughPooler(harbor.uri),
        'db-channel-enabled': false,
      });
      const ask = async (id: number): Promise<void> => {
        // The same number of parameters, so that one statement could be mistaken for another.
        const column = ['id', 'name'][id % 2] ?? '';
        const answer = await server.get(`/berth?select=${column}&id=eq.${(id % 3) + 1}`);
        const row = { id: (id % 3) + 1, name: ['North', 'South', 'West'][id % 3] };
        const right = JSON.stringify([{ [column]: row[column as keyof typeof row] }]);
        if (answer.status === 200) expect(JSON.stringify(JSON.parse(answer.text))).toBe(right);
      };
      for (let round = 0; round < 50 && server.fatal === undefined; round += 1) {
        await Promise.all(Array.from({ length: 6 }, (_, index) => ask(round + index)));
      }
      expect(server.fatal).toBeDefined();
      expect(
        server.count(
          /^If you are using connection poolers in transaction mode, try setting db-prepared-statements to false\. \{"code":"42P05"/u,
        ),
      ).toBe(1);
      await server.stop();
    },
  );
});
