// Statements about WAL positions. They use only functions that every role may call by default.
// https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP
import { type LogPosition, renderLsn } from '../../contract/log-position.ts';
import type { Statement } from '../../contract/transaction.ts';

/**
 * The timeline that a standby certainly follows. This is the timeline it receives, if the role may see the WAL sender
 * (`pg_read_all_stats`); otherwise the one known to be on its disk, which may be some minutes behind.
 */
export const TIMELINE = `COALESCE((SELECT received_tli FROM pg_catalog.pg_stat_wal_receiver), GREATEST((SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_catalog.pg_control_recovery())))`;

/**
 * Succeeds only on a standby that has replayed the WAL up to the position, and only if later statements take their
 * snapshots after this check. Otherwise fails with the SQLSTATE of an invalid number, as the role check does
 * (`OTHER_ROLE_STATE`). The first timeline has no predecessor, so it needs no check.
 */
const CHECK = `SELECT CAST(CASE WHEN pg_catalog.pg_is_in_recovery() AND pg_catalog.pg_last_wal_replay_lsn() >= CAST($1 AS pg_catalog.pg_lsn) AND (CAST($2 AS pg_catalog.int8) <= 1 OR ${TIMELINE} >= CAST($2 AS pg_catalog.int8)) AND pg_catalog.current_setting('transaction_isolation') = 'read committed' THEN '0' ELSE 'behind' END AS pg_catalog.int4)`;
export const BEHIND_STATE = '22P02';

export function renderPositionCheck({ timeline, lsn }: LogPosition): Statement {
  return { text: CHECK, parameters: [renderLsn(lsn), String(timeline)] };
}
