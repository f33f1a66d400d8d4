// An error → whether it shows that the database cannot be reached. What a request's own statements raise never does,
// whatever their SQLSTATE.
import type { ApiError } from './api-error.ts';

export function isConnectionFailure(error: ApiError): boolean {
  switch (error.kind) {
    case 'cannotConnect':
    case 'connectionLost':
    case 'endUnknown':
      return true;
    case 'database':
      return error.connectionFault === 'ended';
    default:
      return false;
  }
}
