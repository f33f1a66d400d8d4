// Opens a dedicated connection that listens on any number of channels until it is lost or closed.
import { quoteIdentifier } from '../../../contract/identifiers.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { Heartbeat } from '../../../postgres/session/heartbeat.ts';
import { connect, type ConnectOptions } from '../../../postgres/session/open-session.ts';
import { query } from '../../../postgres/session/query.ts';

export interface ChannelListenerOptions {
  readonly connection: Omit<ConnectOptions, 'isPreparing' | 'targetSession'>;
  onNotification(channel: string, payload: string): void;
  /** Called once when the connection is lost, but not after `close`. */
  onLoss(details: string): void;
}

export interface ChannelListener {
  listen(channel: string): Promise<Result<void, ApiError>>;
  unlisten(channel: string): Promise<Result<void, ApiError>>;
  close(): Promise<void>;
}

/** Requires a primary, because LISTEN fails on standbys. */
export async function openChannelListener(options: ChannelListenerOptions): Promise<Result<ChannelListener, ApiError>> {
  const connected = await connect({ ...options.connection, isPreparing: false, targetSession: 'read-write' });
  if (!connected.ok) return connected;
  const session = connected.value;
  if (session.loss !== undefined) return fail({ kind: 'connectionLost', details: session.loss });
  session.onNotification = (payload, channel) => options.onNotification(channel, payload);
  const heartbeat = new Heartbeat(session, () => query(session, 'SELECT 1'));
  session.onLoss = (details) => {
    heartbeat.stop();
    options.onLoss(details);
  };
  const run = async (text: string): Promise<Result<void, ApiError>> => {
    const reply = await query(session, text);
    return reply.ok ? ok(undefined) : reply;
  };
  return ok({
    listen: (channel) => run(`LISTEN ${quoteIdentifier(channel)}`),
    unlisten: (channel) => run(`UNLISTEN ${quoteIdentifier(channel)}`),
    close: () => {
      heartbeat.stop();
      return session.close();
    },
  });
}
