// In: a transaction script and a connection. Out: what the database answered, or the one error that ended it.
// Entry of the database stage: one write, one round trip, except where a result is judged before it may stay.
import { fail, type Result } from '../contract/result.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { ApiError } from '../errors/api-error.ts';
import { sendCancelRequest, type CancelSignal } from './cancel.ts';
import { ScriptRun } from './script-run.ts';
import type { Session } from './session.ts';

export type ScriptReply = Result<ScriptResult, ApiError>;

const CANCELED: ApiError = {
  kind: 'database',
  report: {
    sqlstate: '57014',
    message: 'the request was withdrawn before its statements were sent',
    detail: undefined,
    hint: undefined,
  },
};

/** The protocol counts the parameters of a statement in 16 bits. */
const MOST_PARAMETERS = 65_535;

const TOO_MANY_PARAMETERS: ApiError = {
  kind: 'limitExceeded',
  limit: `values and keys of a request make up to ${MOST_PARAMETERS} parameters`,
  status: 400,
};

/**
 * Errors: `database` (SQLSTATE as reported), `connectionLost`, `undecodableResult`, and whatever `verify` gives. When
 * it resolves, the transaction is over; `session.isUsable` tells whether another may follow.
 */
export function runScript(session: Session, script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
  if (script.main.parameters.length > MOST_PARAMETERS) return Promise.resolve(fail(TOO_MANY_PARAMETERS));
  return signal === undefined ? startRun(session, script) : runCancellable(session, script, signal);
}

function startRun(session: Session, script: TransactionScript): Promise<ScriptReply> {
  return new Promise((resolve) => new ScriptRun(session, script, resolve).start());
}

async function runCancellable(session: Session, script: TransactionScript, signal: CancelSignal): Promise<ScriptReply> {
  if (signal.aborted) return fail(CANCELED);
  let cancelling: Promise<boolean> | undefined;
  const cancel = (): void => {
    if (session.cancelKey !== undefined) cancelling = sendCancelRequest(session.target, session.cancelKey);
  };
  signal.addEventListener('abort', cancel);
  const reply = await startRun(session, script);
  signal.removeEventListener('abort', cancel);
  // A request still under way could hit the next script on this connection.
  if (cancelling !== undefined && !(await cancelling)) session.spoil();
  return reply;
}
