// An error → why the process ends, for those that no retry can mend (`operations.md` §6.6). Only what the server's own
// connections met counts: functions can raise any SQLSTATE and text.
import type { ApiError } from '../errors/api-error.ts';

/** The observation that says why. */
export type Fatality = 'credentialsRefused' | 'statementExists' | 'statementPooling' | 'ownFault';

/** @param isInternal the error is that of a query of the server's own */
export function findFatality(error: ApiError, isInternal: boolean): Fatality | undefined {
  switch (error.kind) {
    case 'cannotConnect':
      return isRefusedForGood(error.details ?? '') ? 'credentialsRefused' : undefined;
    case 'undecodableResult':
      return isInternal ? 'ownFault' : undefined;
    case 'database':
      if (error.connectionFault === 'statementExists' || error.connectionFault === 'statementPooling')
        return error.connectionFault;
      return isInternal && error.report.sqlstate === '42601' ? 'ownFault' : undefined;
    default:
      return undefined;
  }
}

function isRefusedForGood(details: string): boolean {
  return /FATAL:\s+password authentication failed|no password supplied/u.test(details);
}
