// The transactions behind the sessions of tests, for functions that are given a session.
import type { TestSession } from '../contract/types.ts';
import type { HeldTransaction } from './held-transaction.ts';

export interface SessionTransaction {
  readonly transaction: HeldTransaction;
  /** The exposed schemas. */
  readonly schemas: readonly string[];
}

const TRANSACTIONS: WeakMap<TestSession, SessionTransaction> = new WeakMap();

export function noteTransaction(session: TestSession, transaction: SessionTransaction): void {
  TRANSACTIONS.set(session, transaction);
}

/** @returns undefined for a session that commits */
export function findTransaction(session: TestSession): SessionTransaction | undefined {
  return TRANSACTIONS.get(session);
}
