// Scripts whose rows are sent on while they come. They wait for a turn before they ask the pool for a connection, and keep
// both until the last row has come.
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { CancelSignal } from './cancel.ts';
import type { Pool } from './pool.ts';
import { runScript, type ScriptReply } from './run-script.ts';

/** As the pool's `runScript`. Resolves when the answer can begin. */
export async function runStream(pool: Pool, script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
  const { streamSlots } = pool;
  const turn = await streamSlots.enter(signal);
  if (!turn.ok) return turn;
  let leave = (): void => streamSlots.leave();
  try {
    return await pool.use(async (session) => {
      const reply = await runScript(session, script, signal);
      const { held } = session;
      if (held !== undefined) leave = () => void held.then(() => streamSlots.leave());
      return reply;
    }, signal);
  } finally {
    leave();
  }
}
