// Connections whose other end is gone without a word, behind a proxy that takes every byte and passes none on.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openListener } from '../../../src/postgres/session/listener.ts';
import { query } from '../../../src/postgres/session/query.ts';
import { runAlone } from '../support/run-alone.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { until } from '../../server/support/until.ts';
import { adminUri } from '../../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { bodyOf, connectOptions, openSession, rowsOf, valueOf } from '../support/connect-test.ts';
import { mainStatement, readScript } from '../support/scripts.ts';

const LOST = { ok: false, error: { kind: 'connectionLost' } };

let proxy: TcpProxy;

beforeEach(async () => {
  const { hostname: host, port } = new URL(adminUri());
  proxy = await startTcpProxy({ host, port: Number(port) });
});

afterEach(() => proxy.close());

/** Through the proxy. */
function uri(timeoutMs: number): string {
  const address = Object.assign(new URL(adminUri()), { hostname: '127.0.0.1', port: String(proxy.port) });
  return `${address.href}?tcp_user_timeout=${timeoutMs}&keepalives_idle=1`;
}

describe('a session whose server is gone', () => {
  test('loses the request under way', async () => {
    const session = await openSession(uri(150));
    proxy.set({ isStalled: true });
    expect(await query(session, 'select 1')).toMatchObject({
      ...LOST,
      error: { kind: 'connectionLost', details: 'the database server cannot be reached any more' },
    });
    expect(session.isUsable).toBe(false);
  });

  test('whose server only takes its time is left alone', async () => {
    const session = await openSession(uri(500));
    const before = proxy.acceptedCount;
    expect(await rowsOf(session, `select pg_sleep(1.3)::text || 'done'`)).toStrictEqual([['done']]);
    expect(proxy.acceptedCount).toBeGreaterThan(before);
    expect(session.isUsable).toBe(true);
    await session.close();
  });

  test('whose server does not listen any more, but works, is left alone', async () => {
    const session = await openSession(uri(500));
    proxy.refuse();
    expect(await rowsOf(session, `select pg_sleep(1.3)::text || 'done'`)).toStrictEqual([['done']]);
    await session.close();
  });

  test('that waits for nothing asks for nothing', async () => {
    const session = await openSession(uri(500));
    await rowsOf(session, 'select 1');
    const other = await openSession(adminUri());
    const before = proxy.acceptedCount;
    await rowsOf(other, 'select pg_sleep(1.2)');
    expect(proxy.acceptedCount).toBe(before);
    await Promise.all([session.close(), other.close()]);
  });
});

describe('a withdrawn read', () => {
  const NAP = readScript(mainStatement('pg_sleep(20)::text'));

  async function withdraw(session: Session, prepare: () => void): Promise<unknown> {
    const controller = new AbortController();
    const running = runAlone(session, NAP, controller.signal);
    prepare();
    controller.abort();
    return running;
  }

  test('gives its session up when nobody answers the request to cancel it', async () => {
    const session = await openSession(uri(200));
    const reply = await withdraw(session, () => proxy.set({ isStalled: true }));
    expect(reply).toMatchObject(LOST);
    expect(session.isUsable).toBe(false);
  });

  test('gives its session up when the end of the statement does not arrive', async () => {
    const session = await openSession(uri(200));
    const reply = await withdraw(session, () => proxy.connections.at(-1)?.set({ isStalled: true }, 'toClient'));
    expect(reply).toMatchObject(LOST);
    expect(session.loss).toBe('its statement did not end when it was cancelled');
  });

  test('keeps its session where it is cancelled in time', async () => {
    const session = await openSession(uri(5000));
    expect(await withdraw(session, () => {})).toMatchObject({ ok: false, error: { report: { sqlstate: '57014' } } });
    expect(bodyOf(await runAlone(session, readScript(mainStatement(`'next'`))))).toBe('next');
    await session.close();
  });
});

describe('a listener', () => {
  async function listen(): Promise<{ readonly losses: string[]; readonly close: () => Promise<void> }> {
    const losses: string[] = [];
    const listener = await openListener({
      connection: connectOptions(uri(150)),
      channel: 'half-open',
      isQueueRepaired: false,
      onNotification: () => {},
      onLoss: (details) => losses.push(details),
    });
    return { losses, close: () => valueOf(listener).close() };
  }

  test('whose server is gone is lost', async () => {
    const { losses } = await listen();
    proxy.set({ isStalled: true });
    await until(() => losses.length > 0);
    expect(losses).toStrictEqual(['the database server does not answer any more']);
  });

  test('asks with its LISTEN, which stays what its session shows', async () => {
    const { losses, close } = await listen();
    const other = await openSession(adminUri());
    const begun = `select query, query_start from pg_stat_activity where query like 'LISTEN "half-open"%' and state = 'idle'`;
    const [first] = await rowsOf(other, begun);
    expect(first?.[0]).toBe('LISTEN "half-open"');
    await until(async () => {
      const [later] = await rowsOf(other, begun);
      return later !== undefined && later[1] !== first?.[1] && later[0] === first?.[0];
    });
    expect(losses).toStrictEqual([]);
    await Promise.all([close(), other.close()]);
  });
});
