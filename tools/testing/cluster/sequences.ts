// The sequences of a test database. A rollback does not touch them, so they are set back before a test: it gets the same
// keys whatever ran before.
import type { Session } from '../../../src/postgres/session/session.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { runSql } from '../sql/run-sql.ts';

/** Parameters of the statement that restores the sequences. */
export type SequenceState = readonly string[];

/** A sequence that has not been used has no last value. */
const READ_SQL = `
select seqrelid, coalesce(pg_sequence_last_value(seqrelid), seqstart), pg_sequence_last_value(seqrelid) is not null
from pg_catalog.pg_sequence`;

const RESTORE_SQL = `
select setval(s.id::regclass, s.value, s.is_used)
from unnest($1::oid[], $2::int8[], $3::bool[]) as s (id, value, is_used)
where pg_sequence_last_value(s.id) is distinct from case when s.is_used then s.value end`;

export async function readSequences(session: Session): Promise<SequenceState> {
  const rows = await runSql(session, READ_SQL);
  return [0, 1, 2].map((column) => renderArrayLiteral(rows.map((row) => row[column] ?? '')));
}

/** Call while no test uses the database. */
export async function restoreSequences(session: Session, state: SequenceState): Promise<void> {
  await runSql(session, RESTORE_SQL, state);
}
