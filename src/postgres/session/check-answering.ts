// Checks whether the database accepts a connection and answers a statement, then closes the connection. Used while
// waiting for an unavailable database.
import { connect, type ConnectOptions } from './open-session.ts';
import { query } from './query.ts';

/** @param timeoutMs for each host, and again for the statement */
export async function checkAnswering(
  options: Omit<ConnectOptions, 'isPreparing' | 'timeout'>,
  timeoutMs: number,
): Promise<boolean> {
  const connected = await connect({ ...options, isPreparing: false, timeout: timeoutMs });
  if (!connected.ok) return false;
  const session = connected.value;
  const timer = setTimeout(() => session.destroy('no answer in time'), timeoutMs);
  const reply = await query(session, 'SELECT 1');
  clearTimeout(timer);
  void session.close();
  return reply.ok;
}
