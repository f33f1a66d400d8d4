// Runs a transaction script on a leased session and returns its results, or the error that ended it. Takes one write
// and one round trip, except if results are checked before the commit.
import { fail } from '../../contract/result.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { REQUEST_CANCELLED } from '../connect/cancel.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { Lease } from './lease.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import { isArriving } from './batch-feed.ts';
import { runArriving } from './run-arriving.ts';
import { Stopper } from './stop-run.ts';
import { TransactionRun } from './transaction-run.ts';

export interface RunOptions {
  /** Cancels a script that has not been sent, or a read in progress. A write that was sent runs to its end. */
  readonly signal?: CancelSignal | undefined;
  /** Called if the response starts before the transaction is over, with a body that is still arriving. */
  readonly onAnswer: (reply: ScriptReply) => void;
}

/** The protocol encodes the number of parameters in 16 bits. */
const MAX_PARAMETERS = 65_535;

const TOO_MANY_PARAMETERS: ApiError = {
  kind: 'limitExceeded',
  limit: `values and keys of a request make up to ${MAX_PARAMETERS} parameters`,
  status: 400,
};

/**
 * Resolves when the transaction is over and the run no longer uses the session; `session.isUsable` says whether another
 * script may follow.
 *
 * Errors: `database` (SQLSTATE as reported), `connectionLost`, `commitStatusUnknown`, `undecodableResult`,
 * `overloaded`, and errors from `verify`.
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
    // A write whose request body has arrived completely runs to its end.
    if (script.arriving?.batches.isComplete !== true) stopper.stop();
  };
  if (isUndoable) signal?.addEventListener('abort', cancel);
  if (isArriving(script)) runArriving(lease, script, events);
  else new TransactionRun(lease, script, events).start();
  const reply = await over;
  if (isUndoable) signal?.removeEventListener('abort', cancel);
  // A cancel request in flight could hit the next script on this connection.
  await stopper.settled;
  return reply;
}
