// An error → the reason to end the process, if no retry can succeed (`operating.md` §6.6). Only errors of the server's own
// statements count: functions of users can raise any SQLSTATE and text.
import type { ApiError } from '../../errors/api-error.ts';

/** The observation that says why. */
export type FatalError = 'credentialsRefused' | 'statementExists' | 'statementPooling' | 'internalError';

/** @param isInternal the error is that of a query of the server's own */
export function findFatalError(error: ApiError, isInternal: boolean): FatalError | undefined {
  if (error.kind === 'cannotConnect') return isRefusedForGood(error.details ?? '') ? 'credentialsRefused' : undefined;
  if (error.kind === 'undecodableResult') return isInternal ? 'internalError' : undefined;
  if (error.kind !== 'database') return undefined;
  const { report, connectionFault } = error;
  if (connectionFault === 'statementExists' || connectionFault === 'statementPooling') return connectionFault;
  return isInternal && report.sqlstate === '42601' ? 'internalError' : undefined;
}

function isRefusedForGood(details: string): boolean {
  return /FATAL:\s+password authentication failed|no password supplied/u.test(details);
}
