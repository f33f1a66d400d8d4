// How the transaction of a script begins and ends. Requests have a transaction of their own; whoever holds one open on a
// session runs scripts inside it by other bounds.
import type { Leftovers, Statement } from '../../contract/transaction.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { IDLE } from '../wire/message-type.ts';

export interface TransactionBounds {
  /** Whether statements without BEGIN are a transaction, which their Sync commits. */
  readonly isImplicit: boolean;
  readonly begin: (script: TransactionScript) => string;
  /** The last statement keeps what the script has done; an error of the others prevents that. */
  readonly commit: readonly string[];
  readonly rollback: readonly string[];
  /** The command tag of the last statement of `commit`. */
  readonly commitTag: string;
  /** The status of the session between two scripts. */
  readonly idleStatus: number;
  /** Statements that remove leftovers but keep the connection's initial settings (`docs/decisions/session-state.md`). */
  readonly cleanups: Readonly<Record<Leftovers, readonly Statement[]>>;
}

/** RESET ALL does not reset the role. */
export const RESET_SETTINGS: readonly Statement[] = [
  { text: 'RESET ALL', parameters: [] },
  { text: 'RESET ROLE', parameters: [] },
];

const CLEAN_ALL: readonly Statement[] = [
  ...RESET_SETTINGS,
  { text: 'CLOSE ALL', parameters: [] },
  { text: 'DISCARD TEMP', parameters: [] },
  { text: 'SELECT pg_catalog.pg_advisory_unlock_all()', parameters: [] },
];

export const OWN_TRANSACTION: TransactionBounds = {
  isImplicit: true,
  begin: renderBegin,
  commit: ['COMMIT'],
  rollback: ['ROLLBACK'],
  commitTag: 'COMMIT',
  idleStatus: IDLE,
  cleanups: { none: [], settings: RESET_SETTINGS, all: CLEAN_ALL },
};

/** READ WRITE is the default. Requesting it would fail on a standby, where the write itself should fail. */
function renderBegin(script: TransactionScript): string {
  const isolation = script.isolation === undefined ? '' : ` ISOLATION LEVEL ${script.isolation.toUpperCase()}`;
  return `BEGIN${isolation}${script.access === 'read only' ? ' READ ONLY' : ''}`;
}
