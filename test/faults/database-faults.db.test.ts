// The database goes away, comes back, or lacks resources, while clients write: each client gets a true answer, and the
// server recovers soon after the fault ends.
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { LedgerLoad } from './ledger-load.ts';
import { LONGEST_RECOVERY, noteRecovery } from './recovery-times.ts';
import { useTestbed } from './use-testbed.ts';
import { isLong } from '../support/long-form.ts';

const run = promisify(execFile);

const testbed = await useTestbed({ server: { 'db-pool-acquisition-timeout': 2 } });

interface Fault {
  readonly name: string;
  readonly inflict: () => Promise<unknown>;
  readonly heal: () => Promise<unknown>;
  /** Outcomes that clients may see besides success. */
  readonly allowed: RegExp;
  /** `false`: clients may not notice the fault at all. */
  readonly isNoticed?: false;
}

/** Lost sessions, refused connections, and writes with an unknown outcome. */
const AWAY = /^503 (?:SVC000|SVC001|SVC004|57P01|57P02|57P03)$/u;

const terminateAll = (): Promise<void> =>
  testbed.sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gate'`);

const FAULTS: readonly Fault[] = [
  {
    name: 'stopped and started',
    inflict: () => testbed.stopDatabase(),
    heal: () => testbed.startDatabase(),
    allowed: AWAY,
  },
  {
    name: 'killed, and in recovery when it comes back',
    inflict: async () => {
      process.kill(testbed.postmaster, 'SIGKILL');
      await testbed.stopDatabase();
    },
    heal: () => testbed.startDatabase(),
    allowed: AWAY,
  },
  {
    name: 'one session crashes and terminates all others',
    inflict: async () => {
      const [row] = await testbed.query(`select pid from pg_stat_activity where usename = 'gate' limit 1`);
      process.kill(Number(row?.[0]), 'SIGKILL');
    },
    heal: () => Promise.resolve(),
    allowed: AWAY,
  },
  {
    name: 'an administrator terminates every session',
    inflict: terminateAll,
    heal: () => Promise.resolve(),
    allowed: AWAY,
    // Sessions that are idle at that moment are replaced before a client notices.
    isNoticed: false,
  },
  {
    name: 'logins are forbidden',
    inflict: async () => {
      await testbed.sql('alter role gate nologin');
      await terminateAll();
    },
    heal: () => testbed.sql('alter role gate login'),
    allowed: AWAY,
  },
  {
    name: 'only two sessions are allowed',
    inflict: async () => {
      await testbed.sql('alter role gate connection limit 2');
      await terminateAll();
    },
    heal: () => testbed.sql('alter role gate connection limit -1'),
    allowed: AWAY,
    isNoticed: false,
  },
];

describe('O174 while the database is away', () => {
  for (const { name, inflict, heal, allowed, isNoticed = true } of FAULTS) {
    for (const away of isLong ? [0, 3000, 20_000] : [0]) {
      const title = `${name}${away === 0 ? '' : `, for ${away / 1000} s`}`;
      test(title, async () => {
        const load = new LedgerLoad(testbed);
        // A load that outlives its test would make later tests fail.
        onTestFinished(() => load.stop());
        await load.writes(50);
        const met = isNoticed ? load.meets(/^503/u) : load.writes(50);
        await inflict();
        await met;
        await sleep(away);
        const time = await testbed.recovery(heal);
        await load.writes(50);
        noteRecovery(title, time);
        expect(time).toBeLessThan(LONGEST_RECOVERY);
        expect(await load.audit()).toEqual([]);
        expect(Object.keys(load.counts).filter((outcome) => outcome !== '201' && !allowed.test(outcome))).toEqual([]);
        await testbed.becomesWhole();
      });
    }
  }
});

test('a locked table delays only the requests that use it', async () => {
  await withConnection(testbed.databaseUri, async (client) => {
    await client.query('begin; lock table api.ledger');
    const stuck = Array.from({ length: 3 }, () => testbed.ask('/ledger?limit=1'));
    expect((await testbed.ask('/slots')).status).toBe(200);
    const more = Array.from({ length: 5 }, () => testbed.ask('/ledger?limit=1'));
    // One session is left, then none: further requests time out in the queue.
    expect((await Promise.all(more.slice(1))).map(({ status }) => status)).toEqual([504, 504, 504, 504]);
    await client.query('rollback');
    const late = await Promise.all([...stuck, ...more.slice(0, 1)]);
    expect(late.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
  await testbed.becomesWhole();
});

test('a deferred constraint that fails at commit fails the request', async () => {
  const body = { id: 2, place: 1 };
  const parts = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  expect(await testbed.ask('/slots', parts)).toMatchObject({ status: 409 });
  expect(await testbed.query('select id from api.slots')).toEqual([[1]]);
});

/** Creates a small file system that can be filled. Needs root and Linux. */
async function makeSmallDisk(): Promise<string | undefined> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=777', 'tmpfs', folder]);
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

test('a full disk rejects writes, serves reads, and triggers no reload', async (context) => {
  const disk = await makeSmallDisk();
  if (disk === undefined) return context.skip('cannot create a file system of limited size');
  try {
    const place = path.join(disk, 'space');
    mkdirSync(place);
    const { uid, gid } = statSync(path.join(testbed.folder, 'pgdata'));
    chownSync(place, uid, gid);
    await testbed.sql(`create tablespace small location '${place}'`);
    await testbed.sql('alter table api.ledger set tablespace small');
    const fill = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const rows = (first: number): string =>
      JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ id: first + index, note: noise(10_000) })));
    let refused: string | undefined;
    let stored = 0;
    for (let first = 0; refused === undefined && first < 10_000; first += 500) {
      const answer = await testbed.ask('/ledger', { ...fill, body: rows(first) });
      if (answer.status === 201) stored += 500;
      else refused = `${answer.status} ${(JSON.parse(answer.text) as { code: string }).code}`;
    }
    expect(refused).toBe('503 53100');
    const loads = testbed.server.output().stderr.match(/Schema cache loaded/gu)?.length;
    expect(await testbed.query('select count(*)::int from api.ledger')).toEqual([[stored]]);
    expect((await testbed.ask('/ledger?limit=1')).status).toBe(200);
    expect(await testbed.isReady()).toBe(true);
    await run('mount', ['-o', 'remount,size=64m', disk]);
    expect((await testbed.ask('/ledger', { ...fill, body: rows(20_000) })).status).toBe(201);
    expect(testbed.server.output().stderr.match(/Schema cache loaded/gu)?.length).toBe(loads);
    await testbed.becomesWhole();
    await testbed.sql('alter table api.ledger set tablespace pg_default');
    await testbed.sql('drop tablespace small');
  } finally {
    await run('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true });
  }
});

/** Returns incompressible text. */
function noise(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}
