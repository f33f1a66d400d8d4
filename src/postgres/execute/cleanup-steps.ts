// The statements that clean a session: after a transaction, and between the segments of one.
import type { Leftovers, Statement } from '../../contract/transaction.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { StatementCache } from '../session/statement-cache.ts';
import { buildStep, type ScriptStep } from './build-step.ts';

/** RESET ALL does not reset the role. */
const RESET_SETTINGS: readonly Statement[] = [
  { text: 'RESET ALL', parameters: [] },
  { text: 'RESET ROLE', parameters: [] },
];

/** Statements that remove leftovers but keep the connection's initial settings (`docs/decisions/session-state.md`). */
const CLEANUPS: Readonly<Record<Leftovers, readonly Statement[]>> = {
  none: [],
  settings: RESET_SETTINGS,
  all: [
    ...RESET_SETTINGS,
    { text: 'CLOSE ALL', parameters: [] },
    { text: 'DISCARD TEMP', parameters: [] },
    { text: 'SELECT pg_catalog.pg_advisory_unlock_all()', parameters: [] },
  ],
};

/** Returns the settings of the session, whatever the segments before have set. The segment sets its role again. */
export function buildReset(segment: number, statements: StatementCache | undefined): readonly ScriptStep[] {
  const place = { statements, scope: statements?.shared, segment };
  return RESET_SETTINGS.map((statement) => buildStep('reset', statement, place));
}

export function buildCleanup(
  { leftovers }: TransactionScript,
  statements: StatementCache | undefined,
): readonly ScriptStep[] {
  return CLEANUPS[leftovers].map((statement) =>
    buildStep('cleanup', statement, { statements, scope: statements?.shared }),
  );
}
