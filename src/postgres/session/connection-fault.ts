// An error report and the step that failed → the error, with what it tells about the connection. A function can raise any
// SQLSTATE and text, but it can neither end the session nor raise errors before its statement is parsed.
import type { ApiError, ConnectionFault } from '../../errors/api-error.ts';
import type { ServerError } from '../wire/read-message.ts';

export interface FaultPlace {
  /** A statement is being prepared under a name. */
  readonly isPreparing: boolean;
  /** Nothing but statements of the server's own can have raised it. */
  readonly isOwn: boolean;
}

/** Shutdown by the administrator, after a crash, or while starting up. */
const SHUTDOWNS: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03']);

export function toDatabaseError(error: ServerError, place: FaultPlace): ApiError {
  const connectionFault = findFault(error, place);
  const { report } = error;
  return connectionFault === undefined ? { kind: 'database', report } : { kind: 'database', report, connectionFault };
}

/** Whether the outcome of the commit is unknown: a pooler lost the server, or the server crashed during the commit. */
export function isCommitStatusUnknown({ severity, report }: ServerError): boolean {
  return severity === 'PANIC' || report.sqlstate.startsWith('08');
}

function findFault({ severity, report }: ServerError, { isPreparing, isOwn }: FaultPlace): ConnectionFault | undefined {
  if (report.sqlstate === '42P05') return isPreparing ? 'statementExists' : undefined;
  const isRaisable = severity === 'ERROR' && !isOwn;
  if (isRaisable) return undefined;
  if (
    report.sqlstate === '08P01' &&
    report.message.includes('transaction blocks not allowed in statement pooling mode')
  )
    return 'statementPooling';
  return SHUTDOWNS.has(report.sqlstate) ? 'ended' : undefined;
}
