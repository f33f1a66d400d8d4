import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openListener, type Listener, type ListenerOptions } from '../../../src/postgres/session/listener.ts';
import { adminUri } from '../../support/database.ts';
import { connectOptions, openSession, rowsOf, valueOf } from '../support/connect-test.ts';
import { use } from '../../support/use.ts';

const CHANNEL = 'a "quoted" Channel';

const other = await use(openSession(adminUri()));

async function listen(changes: Partial<ListenerOptions> = {}): Promise<{
  listener: Listener;
  payloads: string[];
  losses: string[];
}> {
  const payloads: string[] = [];
  const losses: string[] = [];
  const listener = valueOf(
    await openListener({
      connection: connectOptions(adminUri()),
      channel: CHANNEL,
      isQueueRepaired: false,
      onNotification: (payload) => payloads.push(payload),
      onLoss: (details) => losses.push(details),
      ...changes,
    }),
  );
  return { listener, payloads, losses };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !condition(); tries += 1) await sleep(10);
}

/** Counts only listeners in this file's database: servers of other tests listen too. */
const BACKEND = `
  from pg_stat_activity
  where datname = current_database() and application_name = 'rowhouse 0.1' and query like 'LISTEN%'`;

describe('a listener', () => {
  test('forwards the payloads of its channel in order, including empty ones', async () => {
    const { listener, payloads, losses } = await listen();
    for (const [channel, payload] of [
      [CHANNEL, 'one'],
      ['other', 'x'],
      [CHANNEL, ''],
      [CHANNEL, 'zwölf'],
    ] as const) {
      await rowsOf(other, 'select pg_notify($1, $2)', [channel, payload]);
    }
    await until(() => payloads.length === 3);
    expect(payloads).toStrictEqual(['one', '', 'zwölf']);
    await listener.close();
    expect(losses).toStrictEqual([]);
  });

  test('reports where it is connected, and shows LISTEN as its last statement', async () => {
    const { listener } = await listen({ isQueueRepaired: true });
    const address = new URL(adminUri());
    expect(listener.host).toBe(address.hostname);
    expect(listener.port).toBe(Number(address.port));
    expect(await rowsOf(other, 'select version()')).toStrictEqual([[listener.serverVersion]]);
    expect(await rowsOf(other, `select query ${BACKEND}`)).toStrictEqual([['LISTEN "a ""quoted"" Channel"']]);
    await listener.close();
  });

  test('reports its loss once', async () => {
    const { losses } = await listen();
    await rowsOf(other, `select pg_terminate_backend(pid) ${BACKEND}`);
    await until(() => losses.length > 0);
    await sleep(20);
    expect(losses).toStrictEqual(['terminating connection due to administrator command']);
  });

  test('requires a session that can write, regardless of the connection string', async () => {
    const opened = await openListener({
      connection: connectOptions(`${adminUri()}?target_session_attrs=read-only`, {
        environment: { PGOPTIONS: '-c default_transaction_read_only=on' },
      }),
      channel: CHANNEL,
      isQueueRepaired: false,
      onNotification: () => {},
      onLoss: () => {},
    });
    expect(opened).toMatchObject({ ok: false, error: { kind: 'cannotConnect' } });
  });
});
