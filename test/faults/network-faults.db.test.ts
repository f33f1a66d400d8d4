// The network between server and database is cut, refuses connections, stalls, is slow, or breaks after any byte.
import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import type { Direction, ProxiedConnection } from '../support/tcp-proxy.ts';
import { LedgerLoad } from './ledger-load.ts';
import { LONGEST_RECOVERY, noteRecovery } from './recovery-times.ts';
import { useTestbed } from './use-testbed.ts';
import { isLong } from '../support/long-form.ts';

const testbed = await useTestbed({ server: { 'db-pool-acquisition-timeout': 2 } });

const LOST = /^(?:503 (?:SVC000|SVC001|SVC004)|504 SVC003)$/u;

interface Fault {
  readonly name: string;
  readonly inflict: () => void;
  readonly heal: () => Promise<void>;
}

const FAULTS: readonly Fault[] = [
  { name: 'cut', inflict: () => testbed.proxy.cut(), heal: async () => {} },
  {
    name: 'cut and refusing',
    inflict: () => {
      testbed.proxy.refuse();
      testbed.proxy.cut();
    },
    heal: () => testbed.proxy.accept(),
  },
  {
    name: 'slow',
    inflict: () => testbed.proxy.set({ delay: 30, bytesPerSecond: 200_000 }),
    heal: async () => testbed.proxy.clear(),
  },
];

describe('O174 the network is', () => {
  for (const { name, inflict, heal } of FAULTS) {
    test(name, async () => {
      const load = new LedgerLoad(testbed);
      await load.writes(50);
      const met = name === 'slow' ? load.writes(50) : load.meets(LOST);
      inflict();
      await met;
      const time = await testbed.recovery(heal);
      noteRecovery(`network ${name}`, time);
      expect(time).toBeLessThan(LONGEST_RECOVERY);
      await load.writes(50);
      expect(await load.audit()).toEqual([]);
      expect(Object.keys(load.counts).filter((outcome) => outcome !== '201' && !LOST.test(outcome))).toEqual([]);
      await testbed.becomesWhole();
    });
  }
});

test('O174 only the listener is cut: no request notices, and reload notifications work again', async () => {
  const load = new LedgerLoad(testbed);
  await load.writes(20);
  const before = testbed.server.output().stderr;
  await testbed.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gate' and query ~* '^listen'`,
  );
  const time = await testbed.recovery(async () => {
    await until(() => /Failed listening|Retrying listening/u.test(testbed.server.output().stderr.slice(before.length)));
  });
  noteRecovery('listener cut', time);
  expect(time).toBeLessThan(LONGEST_RECOVERY);
  await testbed.sql('create table api.late (id int); grant select on api.late to anon');
  await testbed.sql(`notify svc, 'reload schema'`);
  await until(async () => (await testbed.ask('/late')).status === 200);
  expect(await load.audit()).toEqual([]);
  expect(Object.keys(load.counts)).toEqual(['201']);
});

/** Returns the bytes of one write in each direction, on a connection that was already open. */
async function measureWrite(): Promise<Readonly<Record<Direction, number>>> {
  for (let id = 1; ; id += 1) {
    const before = testbed.proxy.connections.map((connection) => [connection, countPassed(connection)] as const);
    await write(id);
    const sizes = before.map(([connection, passed]) => {
      const now = countPassed(connection);
      return { toServer: now.toServer - passed.toServer, toClient: now.toClient - passed.toClient };
    });
    const carrier = sizes.find(({ toServer, toClient }) => toServer > 50 && toClient > 50);
    // The first writes prepare their statements, later ones do not.
    if (carrier !== undefined && id > 8) return carrier;
  }
}

function countPassed(connection: ProxiedConnection): Readonly<Record<Direction, number>> {
  return { toServer: connection.passed('toServer'), toClient: connection.passed('toClient') };
}

function write(id: number): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'Content-Type': 'application/json' };
  return testbed.ask('/ledger', { method: 'POST', headers, body: `{"id":${id}}` });
}

describe('the connection is cut during a write', () => {
  test.each(['toServer', 'toClient'] as const)('after any number of bytes %s', async (direction) => {
    const size = (await measureWrite())[direction];
    expect(size).toBeGreaterThan(50);
    const step = isLong ? 1 : Math.ceil(size / 25);
    let id = 100;
    for (let bytes = 0; bytes < size; bytes += step) {
      id += 1;
      testbed.proxy.set({ bytesLeft: bytes }, direction);
      const { status, text } = await write(id);
      testbed.proxy.clear();
      const { code } = text === '' ? { code: undefined } : (JSON.parse(text) as { readonly code?: string });
      const [row] = await testbed.query(`select count(*)::int from api.ledger where id = ${id}`);
      const isStored = row?.[0] === 1;
      const outcome = `${status} ${code} after ${bytes} bytes, ${isStored ? '' : 'not '}stored`;
      if (status === 201) expect(isStored, outcome).toBe(true);
      else expect(outcome).toMatch(/^503 SVC00[014] /u);
      // Unless the client learns that the outcome is unknown, it may retry: nothing may have been written.
      if (isStored) expect(outcome).toMatch(/^(?:201 |503 SVC004 )/u);
      expect((await until(() => write(id + 1_000_000).catch(() => undefined))).status).toBe(201);
    }
    await testbed.becomesWhole();
  });
});
