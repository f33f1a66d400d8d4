// Connections whose other end has silently disappeared, behind a proxy that accepts all bytes and forwards none.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openListener } from '../../../src/postgres/session/listener.ts';
import { query } from '../../../src/postgres/session/query.ts';
import { runAlone } from '../support/run-alone.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { until } from '../../support/until.ts';
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

/** Connects through the proxy. */
function uri(timeoutMs: number): string {
  const address = Object.assign(new URL(adminUri()), { hostname: '127.0.0.1', port: String(proxy.port) });
  return `${address.href}?tcp_user_timeout=${timeoutMs}&keepalives_idle=1`;
}

describe('a session', () => {
  test('fails the request in flight if its server disappears', async () => {
    const session = await openSession(uri(150));
    proxy.set({ isStalled: true });
    expect(await query(session, 'select 1')).toMatchObject({
      ...LOST,
      error: { kind: 'connectionLost', details: 'the database server is no longer reachable' },
    });
    expect(session.isUsable).toBe(false);
  });

  test('stays open if its server is slow', async () => {
    const session = await openSession(uri(500));
    const before = proxy.acceptedCount;
    expect(await rowsOf(session, `select pg_sleep(1.3)::text || 'done'`)).toStrictEqual([['done']]);
    expect(proxy.acceptedCount).toBeGreaterThan(before);
    expect(session.isUsable).toBe(true);
    await session.close();
  });

  test('stays open if its server works but accepts no connections', async () => {
    const session = await openSession(uri(500));
    proxy.refuse();
    expect(await rowsOf(session, `select pg_sleep(1.3)::text || 'done'`)).toStrictEqual([['done']]);
    await session.close();
  });

  test('makes no checks while it is idle', async () => {
    const session = await openSession(uri(500));
    await rowsOf(session, 'select 1');
    const other = await openSession(adminUri());
    const before = proxy.acceptedCount;
    await rowsOf(other, 'select pg_sleep(1.2)');
    expect(proxy.acceptedCount).toBe(before);
    await Promise.all([session.close(), other.close()]);
  });
});

describe('a cancelled read', () => {
  const NAP = readScript(mainStatement('pg_sleep(20)::text'));

  async function withdraw(session: Session, prepare: () => void): Promise<unknown> {
    const controller = new AbortController();
    const running = runAlone(session, NAP, controller.signal);
    prepare();
    controller.abort();
    return running;
  }

  test('closes its session if the cancel request gets no response', async () => {
    const session = await openSession(uri(200));
    const reply = await withdraw(session, () => proxy.set({ isStalled: true }));
    expect(reply).toMatchObject(LOST);
    expect(session.isUsable).toBe(false);
  });

  test('closes its session if the statement does not end', async () => {
    const session = await openSession(uri(200));
    const reply = await withdraw(session, () => proxy.connections.at(-1)?.set({ isStalled: true }, 'toClient'));
    expect(reply).toMatchObject(LOST);
    expect(session.loss).toBe('its statement did not end after it was cancelled');
  });

  test('keeps its session if it is cancelled in time', async () => {
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

  test('is lost if its server disappears', async () => {
    const { losses } = await listen();
    proxy.set({ isStalled: true });
    await until(() => losses.length > 0);
    expect(losses).toStrictEqual(['the database server no longer responds']);
  });

  test('uses its LISTEN as heartbeat, so that pg_stat_activity keeps showing it', async () => {
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
