// The phases of a run of a script, and what it reports to its owner.
import type { ScriptReply } from '../session/script-reply.ts';

/** Where a transaction stands: see the table of `transaction-run.ts`. */
export type Phase = 'open' | 'ending' | 'committed' | 'rollingBack' | 'cleaning' | 'over';

export interface RunEvents {
  /** The answer begins before the transaction is over. */
  readonly onAnswer: (reply: ScriptReply) => void;
  /** Called once, when the session is no longer the run's; with the whole result, also of an answer that was given before. */
  readonly onOver: (reply: ScriptReply) => void;
  /** Nobody waits for the result. */
  readonly stop: () => void;
}
