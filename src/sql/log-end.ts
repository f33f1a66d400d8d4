// Reads the position in the write-ahead log that a write has reached. Every role may call these functions by default.
// https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP
import { type LogPosition, parseLsn } from '../contract/log-position.ts';
import type { Statement } from '../contract/transaction.ts';

/** The end of a primary's WAL, which follows everything committed so far. */
export const LOG_END: Statement = {
  text: 'SELECT pg_catalog.pg_walfile_name(lsn), lsn FROM pg_catalog.pg_current_wal_insert_lsn() AS lsn',
  parameters: [],
};

/** WAL file names begin with the timeline. */
const TIMELINE_DIGITS = 8;

/** Returns undefined for anything but a row of `LOG_END`. */
export function readLogEnd([file = '', lsn = '']: readonly (string | undefined)[]): LogPosition | undefined {
  const timeline = Number.parseInt(file.slice(0, TIMELINE_DIGITS), 16);
  const parsed = parseLsn(lsn);
  return parsed === undefined || Number.isNaN(timeline) ? undefined : { timeline, lsn: parsed };
}
