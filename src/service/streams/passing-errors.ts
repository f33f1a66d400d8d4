// Distinguishes transient errors, such as a lost connection, from errors that a retry cannot fix.
import { type ApiError, isConnectionFailure } from '../../errors/api-error.ts';

const KINDS: ReadonlySet<ApiError['kind']> = new Set<ApiError['kind']>([
  'overloaded',
  'poolTimeout',
  'schemaCacheMissing',
]);

/** Lost connections, rolled back transactions, exhausted resources, shutdown. */
const PASSING_STATES = /^(?:08|40|53|57P)/u;

export function isPassing(error: ApiError): boolean {
  if (KINDS.has(error.kind) || isConnectionFailure(error)) return true;
  return error.kind === 'database' && PASSING_STATES.test(error.report.sqlstate);
}
