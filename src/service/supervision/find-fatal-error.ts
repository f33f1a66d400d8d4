// Decides whether an error must end the process because no retry can succeed (`operating.md` §6.6). Considers only
// errors of Rowhouse's own statements: user functions can raise any SQLSTATE and text.
import type { ApiError } from '../../errors/api-error.ts';

/** Kind of the observation that reports the reason. */
export type FatalError = 'credentialsRefused' | 'statementExists' | 'statementPooling' | 'internalError';

/** @param isInternal whether the error occurred in an internal query */
export function findFatalError(error: ApiError, isInternal: boolean): FatalError | undefined {
  if (error.kind === 'cannotConnect')
    return /FATAL:\s+password authentication failed|no password supplied/u.test(error.details ?? '')
      ? 'credentialsRefused'
      : undefined;
  if (error.kind === 'undecodableResult') return isInternal ? 'internalError' : undefined;
  if (error.kind !== 'database') return undefined;
  const { report, connectionFault } = error;
  if (connectionFault === 'statementExists' || connectionFault === 'statementPooling') return connectionFault;
  return isInternal && report.sqlstate === '42601' ? 'internalError' : undefined;
}
