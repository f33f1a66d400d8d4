// In: the error with which a statement that was prepared before could not be bound. Out: whether it shows the
// statement's age, so that preparing it anew may help.
import type { DatabaseReport } from '../errors/api-error.ts';

/** The result would change its type, the name is gone, or parameters have the types of former columns. */
const STALE_STATES: ReadonlySet<string> = new Set(['0A000', '26000', '42883', '42804', '42P01']);

/** PostgreSQL's sentence about a parameter whose type was dropped, in every language. */
const LOST_OBJECT = 'cache lookup failed for ';

export function isStale({ sqlstate, message }: DatabaseReport): boolean {
  return STALE_STATES.has(sqlstate) || (sqlstate === 'XX000' && message.startsWith(LOST_OBJECT));
}
