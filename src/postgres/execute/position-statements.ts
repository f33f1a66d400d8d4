// The statements about places in the write-ahead log. All functions are open to everybody, unless somebody has revoked that.
// https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP
import { type LogPosition, parseLsn, renderLsn } from '../../contract/log-position.ts';
import type { Statement } from '../../contract/transaction.ts';
import type { ColumnValue } from '../wire/read-message.ts';

/**
 * The timeline that a standby follows for sure: that of what it receives, where its sender is known to the role
 * (`pg_read_all_stats`), else that of what is known to be on its disk, which may be behind for some minutes.
 */
export const TIMELINE = `COALESCE((SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver), GREATEST((SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_catalog.pg_control_recovery())))`;

/**
 * Fails with the SQLSTATE for texts that are no numbers, unless the server is a standby that has replayed the log up to the
 * position, and the snapshots of later statements are taken after this check. Nothing is before the first timeline.
 */
const CHECK = `SELECT CAST(CASE WHEN pg_catalog.pg_is_in_recovery() AND pg_catalog.pg_last_wal_replay_lsn() >= CAST($1 AS pg_catalog.pg_lsn) AND (CAST($2 AS pg_catalog.int8) <= 1 OR ${TIMELINE} >= CAST($2 AS pg_catalog.int8)) AND pg_catalog.current_setting('transaction_isolation') = 'read committed' THEN '0' ELSE 'behind' END AS pg_catalog.int4)`;
export const BEHIND_STATE = '22P02';

export function renderPositionCheck({ timeline, lsn }: LogPosition): Statement {
  return { text: CHECK, parameters: [renderLsn(lsn), String(timeline)] };
}

/** Where the log of a primary ends, which what has been committed is before. */
export const LOG_END: Statement = {
  text: 'SELECT pg_catalog.pg_walfile_name(lsn), lsn FROM pg_catalog.pg_current_wal_insert_lsn() AS lsn',
  parameters: [],
};

/** The name of a file of the log begins with its timeline. */
const TIMELINE_DIGITS = 8;

/** @returns undefined for anything but a row of `LOG_END` */
export function readLogEnd([file, lsn]: readonly (ColumnValue | string | undefined)[]): LogPosition | undefined {
  const timeline = Number.parseInt((file ?? '').toString().slice(0, TIMELINE_DIGITS), 16);
  const parsed = parseLsn((lsn ?? '').toString());
  return parsed === undefined || Number.isNaN(timeline) ? undefined : { timeline, lsn: parsed };
}
