// Decides whether an error shows that the database is unreachable. Errors raised by a request's own statements never
// do, whatever their SQLSTATE.
import type { ApiError } from './api-error.ts';

const KINDS: ReadonlySet<ApiError['kind']> = new Set(['cannotConnect', 'connectionLost', 'commitStatusUnknown']);

export function isConnectionFailure(error: ApiError): boolean {
  return error.kind === 'database' ? error.connectionFault === 'ended' : KINDS.has(error.kind);
}
