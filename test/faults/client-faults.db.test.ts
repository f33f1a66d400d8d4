// The client disconnects: while it sends, while it waits in the queue, while its statement runs, while it reads the
// response.
// https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { until } from '../support/until.ts';
import { isLong } from '../support/long-form.ts';
import { POOL } from './testbed.ts';
import { useTestbed } from './use-testbed.ts';

const testbed = await useTestbed();

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function open(bytes: string): Promise<Socket> {
  const socket = connect(testbed.server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Holds a lock that the statements need while `work` runs. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await withConnection(testbed.databaseUri, async (client) => {
    await client.query('begin; lock table api.ledger');
    await work();
    await client.query('rollback');
  });
}

const waitsForLock = (count: number): Promise<unknown> =>
  until(async () => (await testbed.sessions(`wait_event_type = 'Lock'`)) === count);

describe('a client that disconnects', () => {
  test('during its head or its body leaves no trace', async () => {
    const whole = post('/ledger', '{"id":1}');
    for (let length = 1; length < whole.length; length += isLong ? 1 : 20)
      (await open(whole.slice(0, length))).resetAndDestroy();
    await testbed.becomesWhole();
    expect(await testbed.query('select id from api.ledger')).toEqual([]);
  });

  test('while its read runs cancels the statement', async () => {
    const socket = await open('GET /rpc/nap_reading?seconds=600 HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(async () => (await testbed.sessions(`wait_event = 'PgSleep'`)) === 1);
    const start = performance.now();
    socket.resetAndDestroy();
    await until(async () => (await testbed.sessions(`wait_event = 'PgSleep'`)) === 0);
    const time = performance.now() - start;
    // The check itself takes time, because each one opens a connection.
    if (isLong) expect(time).toBeLessThan(150);
    await testbed.becomesWhole();
  });

  test('while its write waits in the database does not undo the write', async () => {
    await whileLocked(async () => {
      const socket = await open(post('/ledger', '{"id":7}'));
      await waitsForLock(1);
      socket.resetAndDestroy();
      await once(socket, 'close');
    });
    await until(async () => (await testbed.query('select id::int from api.ledger')).length === 1);
    await testbed.becomesWhole();
  });

  test('while its write waits for a connection prevents the write', async () => {
    await whileLocked(async () => {
      const busy = await Promise.all(
        Array.from({ length: POOL }, (_, index) => open(post('/ledger', `{"id":${index + 1}}`))),
      );
      await waitsForLock(POOL);
      const waiting = await Promise.all(
        Array.from({ length: 100 }, (_, index) => open(post('/ledger', `{"id":${1000 + index}}`))),
      );
      await until(async () => (await testbed.gauges())['waiting'] === 100);
      for (const socket of waiting) socket.resetAndDestroy();
      await until(async () => (await testbed.gauges())['waiting'] === 0);
      for (const socket of busy) socket.end();
    });
    await testbed.becomesWhole();
    expect(await testbed.query('select count(*)::int from api.ledger')).toEqual([[POOL]]);
  });

  test('while its response is sent affects nobody else', async () => {
    await testbed.sql(`insert into api.ledger select g, repeat('x', 1000) from generate_series(1, 20000) g`);
    for (let round = 0; round < 5; round += 1) {
      const socket = await open('GET /ledger HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    await testbed.becomesWhole();
  });
});
