// In: where and as whom to connect. Out: whether the database takes a connection and answers on it, at no lasting cost.
// For whoever waits for a database that is away.
import { connect, type ConnectOptions } from './connect.ts';
import { query } from './query.ts';

/** @param timeoutMs milliseconds: for each host, and for the answer */
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
