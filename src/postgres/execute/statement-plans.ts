// What is prepared on a session, as one run of a script relies on it: which statements are sent by name, what is forgotten
// before the run is repeated, and for which role plans are made from now on.
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { Session } from '../session/session.ts';
import { leavesRoleUncertain, type PlanState } from './script-steps.ts';
import type { Repetition } from './repetition.ts';

export class StatementPlans {
  readonly #session: Session;
  /** Of the session's statements, when the script was sent. */
  #generation: number | undefined;
  #isSecondTry = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Whether the run was repeated because a statement was outdated. */
  get isSecondTry(): boolean {
    return this.#isSecondTry;
  }

  /** A second try relies on no name: another script of the same write may have failed to prepare it. */
  get state(): PlanState {
    const { statements, isDiscardingPlans, planRole } = this.#session;
    return { statements: this.#isSecondTry ? undefined : statements, isDiscardingPlans, planRole };
  }

  noteStart(): void {
    this.#generation = this.#session.statements?.generation;
  }

  /** The settings are in force: from here on plans are made for the script's role. */
  noteRole(script: TransactionScript): void {
    const isUncertain = leavesRoleUncertain(script, this.state.statements);
    this.#session.planRole = isUncertain ? undefined : script.role;
  }

  /** Forgets what the repetition must not rely on. */
  forget(repetition: Repetition): void {
    const { statements } = this.#session;
    if (repetition === 'unnamed') {
      if (statements !== undefined) statements.isRoleUncertain = true;
      this.#session.planRole = undefined;
      return;
    }
    this.#isSecondTry = true;
    // Another script of the same write may have found out before.
    if (statements?.generation === this.#generation) statements?.clear();
  }
}
