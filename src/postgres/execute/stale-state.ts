// Decides from an error whether a prepared statement is outdated, so that repeating the transaction with unnamed
// statements may help.
import type { DatabaseReport } from '../../errors/api-error.ts';

/** The result type changed, the name is gone, or parameters have the types of former columns. */
const STALE_STATES: ReadonlySet<string> = new Set(['0A000', '26000', '42883', '42804', '42P01']);

/** Message about an object dropped in the meantime; PostgreSQL does not translate it. */
const LOST_OBJECT = 'cache lookup failed for ';

export function isStale(report: DatabaseReport): boolean {
  return STALE_STATES.has(report.sqlstate) || isObjectLost(report);
}

/** Also possible for a new statement: PostgreSQL does not lock the functions and types that it is about to use. */
export function isObjectLost({ sqlstate, message }: DatabaseReport): boolean {
  return sqlstate === 'XX000' && message.startsWith(LOST_OBJECT);
}
