// In: a transaction script and a connection. Out: what the database answered, or the one error that ended it.
// Entry of the database stage: one write, one round trip, except where the result is checked before the commit.
import { fail, type Result } from '../contract/result.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isArriving } from './batch-run.ts';
import { type CancelSignal, REQUEST_CANCELLED } from './cancel.ts';
import { runArriving } from './run-arriving.ts';
import { ScriptRun } from './script-run.ts';
import type { Session } from './session.ts';
import { stopRun } from './stop-run.ts';

export type ScriptReply = Result<ScriptResult, ApiError>;

/** The protocol counts the parameters of a statement in 16 bits. */
const MAX_PARAMETERS = 65_535;

const TOO_MANY_PARAMETERS: ApiError = {
  kind: 'limitExceeded',
  limit: `values and keys of a request make up to ${MAX_PARAMETERS} parameters`,
  status: 400,
};

/**
 * Errors: `database` (SQLSTATE as reported), `connectionLost`, `undecodableResult`, and whatever `verify` gives. When
 * it resolves, the transaction is over, and `session.isUsable` tells whether another may follow; or the answer is a stream,
 * and the session is `held` until its end.
 *
 * @param signal cancels a script that has not been sent and a read in progress; a write that was sent runs to its end
 */
export function runScript(session: Session, script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
  if (script.segments[0].main.parameters.length > MAX_PARAMETERS) return Promise.resolve(fail(TOO_MANY_PARAMETERS));
  if (signal === undefined) return startRun(session, script);
  if (signal.aborted) return Promise.resolve(fail(REQUEST_CANCELLED));
  const isUndoable = script.access === 'read only' || script.arriving !== undefined;
  return isUndoable ? runCancellable(session, script, signal) : startRun(session, script);
}

function startRun(session: Session, script: TransactionScript): Promise<ScriptReply> {
  if (isArriving(script)) return runArriving(session, script);
  return new Promise((resolve) => new ScriptRun(session, script, resolve).start());
}

async function runCancellable(session: Session, script: TransactionScript, signal: CancelSignal): Promise<ScriptReply> {
  let cancelling: Promise<void> | undefined;
  const running = startRun(session, script);
  const cancel = (): void => {
    // Of a body that has come to its end the write runs to its own.
    if (script.arriving?.batches.isComplete !== true) cancelling = stopRun(session, running);
  };
  signal.addEventListener('abort', cancel);
  const reply = await running;
  signal.removeEventListener('abort', cancel);
  // A cancel request still in progress could hit the next script on this connection.
  await cancelling;
  return reply;
}
