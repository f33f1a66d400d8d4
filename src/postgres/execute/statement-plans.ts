// Tracks the prepared statements and plans that one run of a script relies on: which statements are sent by name, what
// is forgotten before a retry, and which role new plans are made for.
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { Session } from '../session/session.ts';
import { leavesRoleUncertain, type PlanState } from './script-steps.ts';
import type { RetryKind } from './retry-kind.ts';

export class StatementPlans {
  readonly #session: Session;
  /** Generation of the session's statement cache when the script was sent. */
  #generation: number | undefined;
  #isRetry = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Whether the run was retried, except for another role. */
  get isRetry(): boolean {
    return this.#isRetry;
  }

  /** A retry uses no names: another script of the same send may have failed to prepare them. */
  get state(): PlanState {
    const { statements, isDiscardingPlans, planRole } = this.#session;
    return { statements: this.#isRetry ? undefined : statements, isDiscardingPlans, planRole };
  }

  noteStart(): void {
    this.#generation = this.#session.statements?.generation;
  }

  /** Call when the settings are in force: from now on plans are made for the script's role. */
  noteRole(script: TransactionScript): void {
    const isUncertain = leavesRoleUncertain(script, this.state.statements);
    this.#session.planRole = isUncertain ? undefined : script.role;
  }

  /** Forgets what the retry must not rely on. */
  forget(retryKind: RetryKind): void {
    const { statements } = this.#session;
    if (retryKind === 'otherRole') {
      if (statements !== undefined) statements.isRoleUncertain = true;
      this.#session.planRole = undefined;
      return;
    }
    this.#isRetry = true;
    if (retryKind === 'missingRows') return;
    // Another script of the same send may have cleared the cache already.
    if (statements?.generation === this.#generation) statements?.clear();
  }
}
