// Opens a dedicated connection that listens on a channel and forwards each payload until the connection is lost. It is
// not part of the pool; the caller decides when to reconnect.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { connect, type ConnectOptions } from './open-session.ts';
import { Heartbeat } from './heartbeat.ts';
import { query } from './query.ts';
import type { Session } from './session.ts';

export interface ListenerOptions {
  readonly connection: Omit<ConnectOptions, 'isPreparing' | 'targetSession'>;
  readonly channel: string;
  /** Whether to query the notification queue first, which can repair a damaged queue (`operating.md` §7 item 6). */
  readonly isQueueRepaired: boolean;
  onNotification(payload: string): void;
  /** Called once when the connection is lost, but not after `close`. */
  onLoss(details: string): void;
}

export interface Listener {
  /** Full text of `version()`. */
  readonly serverVersion: string;
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

function renderListen(channel: string): string {
  return `LISTEN ${quoteIdentifier(channel)}`;
}

/**
 * LISTEN fails on standbys, so this requires `target_session_attrs=read-write` regardless of the connection string
 * (`operating.md` §7 item 2). LISTEN is the last statement, so that `pg_stat_activity` shows it.
 */
export async function openListener(options: ListenerOptions): Promise<Result<Listener, ApiError>> {
  const connected = await connect({ ...options.connection, isPreparing: false, targetSession: 'read-write' });
  if (!connected.ok) return connected;
  const session = connected.value;
  session.onNotification = (payload) => options.onNotification(payload);
  const version = await startListening(session, options);
  if (!version.ok) {
    await session.close();
    return version;
  }
  if (session.loss !== undefined) return fail({ kind: 'connectionLost', details: session.loss });
  const heartbeat = new Heartbeat(session, () => query(session, renderListen(options.channel)));
  session.onLoss = (details) => {
    heartbeat.stop();
    options.onLoss(details);
  };
  return ok({
    serverVersion: version.value,
    host: session.target.host,
    port: session.target.port,
    close: () => {
      heartbeat.stop();
      return session.close();
    },
  });
}

async function startListening(session: Session, options: ListenerOptions): Promise<Result<string, ApiError>> {
  const version = await query(session, 'SELECT pg_catalog.version()');
  if (!version.ok) return version;
  if (options.isQueueRepaired) {
    const repaired = await query(session, 'SELECT pg_catalog.pg_notification_queue_usage()');
    if (!repaired.ok) return repaired;
  }
  const listening = await query(session, renderListen(options.channel));
  return listening.ok ? ok(version.value[0]?.[0] ?? '') : listening;
}
