// Which of the locks that PostgreSQL lists are reported.
import type { ClientBase } from 'pg';
import { expect, test } from 'vitest';
import { LockMeter, renderLocks } from '../../../tools/diff/lock-meter.ts';

test('P22d the strongest of several locks on a table is reported, and once', async () => {
  const [oid, name, file] = ['7', 'api.orders', '70'];
  const modes = ['ShareLock', 'AccessExclusiveLock', 'ShareRowExclusiveLock'];
  const locks = modes.map((mode) => ({ oid, mode, name, file }));
  const query = (sql: string): Promise<unknown> =>
    Promise.resolve({ rows: sql.includes('pg_locks') ? locks : [{ oid, name, file }] });
  const meter = await LockMeter.start({ query } as unknown as ClientBase);
  const found = await meter.read();
  expect(renderLocks(found)).toEqual(['ACCESS EXCLUSIVE on api.orders, against reads and writes']);
  expect(await meter.read()).toEqual([]);
  expect(await meter.read(['api.orders'])).toEqual(found);
});
