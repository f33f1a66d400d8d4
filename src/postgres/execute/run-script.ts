// In: a transaction script and a lease. Out: what the database answered, or the one error that ended it.
// Entry of the database stage: one write, one round trip, except where the result is checked before the commit.
import { fail } from '../../contract/result.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type CancelSignal, REQUEST_CANCELLED } from '../connect/cancel.ts';
import type { Lease } from './lease.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import { isArriving } from './batch-feed.ts';
import { runArriving } from './run-arriving.ts';
import { Stopper } from './stop-run.ts';
import { TransactionRun } from './transaction-run.ts';

export interface RunOptions {
  /** Cancels a script that has not been sent and a read in progress; a write that was sent runs to its end. */
  readonly signal?: CancelSignal | undefined;
  /** Called where the answer begins before the transaction is over, with a body that is still to come. */
  readonly onAnswer: (reply: ScriptReply) => void;
}

/** The protocol counts the parameters of a statement in 16 bits. */
const MAX_PARAMETERS = 65_535;

const TOO_MANY_PARAMETERS: ApiError = {
  kind: 'limitExceeded',
  limit: `values and keys of a request make up to ${MAX_PARAMETERS} parameters`,
  status: 400,
};

/**
 * Resolves when the transaction is over and nothing of it reaches the session any more: `session.isUsable` says whether
 * another script may follow.
 *
 * Errors: `database` (SQLSTATE as reported), `connectionLost`, `commitStatusUnknown`, `undecodableResult`, `overloaded`, and what
 * `verify` gives.
 */
export async function runScript(
  lease: Lease,
  script: TransactionScript,
  { signal, onAnswer }: RunOptions,
): Promise<ScriptReply> {
  if (script.segments.some(({ main }) => main.parameters.length > MAX_PARAMETERS)) return fail(TOO_MANY_PARAMETERS);
  if (signal?.aborted === true) return fail(REQUEST_CANCELLED);
  let settle: (reply: ScriptReply) => void = () => undefined;
  const over = new Promise<ScriptReply>((resolve) => (settle = resolve));
  const stopper = new Stopper(lease.session, over);
  const events = { onAnswer, onOver: settle, stop: () => stopper.stop() };
  const isUndoable = script.access === 'read only' || script.arriving !== undefined;
  const cancel = (): void => {
    // Of a body that has come to its end the write runs to its own.
    if (script.arriving?.batches.isComplete !== true) stopper.stop();
  };
  if (isUndoable) signal?.addEventListener('abort', cancel);
  if (isArriving(script)) runArriving(lease, script, events);
  else new TransactionRun(lease, script, events).start();
  const reply = await over;
  if (isUndoable) signal?.removeEventListener('abort', cancel);
  // A cancel request still in progress could hit the next script on this connection.
  await stopper.settled;
  return reply;
}
