// An error → whether it shows that the database cannot be reached. What a request's own statements raise never does,
// whatever their SQLSTATE.
import type { ApiError } from './api-error.ts';

const KINDS: ReadonlySet<ApiError['kind']> = new Set(['cannotConnect', 'connectionLost', 'commitStatusUnknown']);

export function isConnectionFailure(error: ApiError): boolean {
  return error.kind === 'database' ? error.connectionFault === 'ended' : KINDS.has(error.kind);
}
