// A request inside the transaction of a test: a savepoint takes the place of its transaction (`project.md` §5 item 2).
import type { Statement } from '../../../src/contract/transaction.ts';
import {
  OWN_TRANSACTION,
  RESET_SETTINGS,
  type TransactionBounds,
} from '../../../src/postgres/execute/transaction-bounds.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { runSql } from '../sql/run-sql.ts';

const NAME = 'rowhouse_request';
/** The status that ReadyForQuery reports in a transaction that has not failed. */
const IN_TRANSACTION = 0x54;

export const BEGIN_PART: string = `SAVEPOINT ${NAME}`;
/** Checks deferred constraints as a commit would. */
export const CHECK_CONSTRAINTS = 'SET CONSTRAINTS ALL IMMEDIATE';
export const KEEP_PART: string = `RELEASE SAVEPOINT ${NAME}`;
export const UNDO_PART: readonly string[] = [`ROLLBACK TO SAVEPOINT ${NAME}`, KEEP_PART];

/**
 * After a request, its settings, role and claims are gone, and so are its cursors, temporary tables and locks; constraints
 * are deferred again.
 *
 * @param modes from `readModes`
 */
export function createBounds(modes: readonly Statement[]): TransactionBounds {
  const { cleanups } = OWN_TRANSACTION;
  const settings = [...RESET_SETTINGS, ...modes];
  return {
    isImplicit: false,
    begin: () => BEGIN_PART,
    commit: [CHECK_CONSTRAINTS, KEEP_PART],
    rollback: UNDO_PART,
    commitTag: 'RELEASE',
    idleStatus: IN_TRANSACTION,
    cleanups: { none: settings, settings, all: [...cleanups.all, ...modes] },
  };
}

const DEFERRED_SQL = `
select format('%I.%I', nspname, conname), bool_and(condeferred)
from pg_catalog.pg_constraint join pg_catalog.pg_namespace as n on n.oid = connamespace
group by nspname, conname having bool_or(condeferred) order by 1`;

/**
 * Returns the statement that makes the constraints deferred which are so from the start; none, if no constraint is. Throws
 * if constraints of one name differ: SET CONSTRAINTS takes them together.
 */
export async function readModes(session: Session): Promise<readonly Statement[]> {
  const rows = await runSql(session, DEFERRED_SQL);
  const mixed = rows.filter(([, isAlike]) => isAlike !== 't').map(([name]) => name);
  if (mixed.length > 0)
    throw new Error(
      `Several constraints are called ${mixed.join(', ')}, and not all of them are INITIALLY DEFERRED. PostgreSQL cannot restore their modes within the transaction of a test: rename one of them, or use project.commit().`,
    );
  const names = rows.map(([name]) => name);
  return names.length === 0 ? [] : [{ text: `SET CONSTRAINTS ${names.join(', ')} DEFERRED`, parameters: [] }];
}
