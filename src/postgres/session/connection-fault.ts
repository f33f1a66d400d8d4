// Converts a server error to an `ApiError` and decides what it means for the connection. User functions can raise any
// SQLSTATE and text, but they cannot end the session or raise errors before their statement is parsed.
import type { ApiError, ConnectionFault } from '../../errors/api-error.ts';
import type { ServerError } from '../wire/read-message.ts';

export interface FaultContext {
  /** Whether a named statement is being prepared. */
  readonly isPreparing: boolean;
  /** Whether only the server's own statements can have raised the error. */
  readonly isInternal: boolean;
}

/** Administrator shutdown, crash shutdown and startup. */
const SHUTDOWNS: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03']);

/** The transaction ended without an error, but was not committed. */
export const ROLLED_BACK: ApiError = {
  kind: 'database',
  report: { sqlstate: '40000', message: 'the transaction was rolled back', detail: undefined, hint: undefined },
};

export function toDatabaseError(error: ServerError, place: FaultContext): ApiError {
  const connectionFault = findFault(error, place);
  const { report } = error;
  return connectionFault === undefined ? { kind: 'database', report } : { kind: 'database', report, connectionFault };
}

/** Returns whether the outcome of the commit is unknown: a pooler lost its server, or the server crashed. */
export function isCommitStatusUnknown({ severity, report }: ServerError): boolean {
  return severity === 'PANIC' || report.sqlstate.startsWith('08');
}

function findFault(
  { severity, report }: ServerError,
  { isPreparing, isInternal }: FaultContext,
): ConnectionFault | undefined {
  if (report.sqlstate === '42P05') return isPreparing ? 'statementExists' : undefined;
  const isRaisable = severity === 'ERROR' && !isInternal;
  if (isRaisable) return undefined;
  if (
    report.sqlstate === '08P01' &&
    report.message.includes('transaction blocks not allowed in statement pooling mode')
  )
    return 'statementPooling';
  return SHUTDOWNS.has(report.sqlstate) ? 'ended' : undefined;
}
