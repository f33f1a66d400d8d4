// The phases of a script run and the events that it reports.
import type { ScriptReply } from '../session/script-reply.ts';

/** State of the transaction; see the table in `transaction-run.ts`. */
export type Phase = 'open' | 'ending' | 'committed' | 'rollingBack' | 'cleaning' | 'over';

export interface RunEvents {
  /** Called if the response starts before the transaction is over. */
  readonly onAnswer: (reply: ScriptReply) => void;
  /**
   * Called once when the run no longer uses the session. Passes the whole result, even if the response started before.
   */
  readonly onOver: (reply: ScriptReply) => void;
  /** Stops the run because nobody waits for the result. */
  readonly stop: () => void;
}
