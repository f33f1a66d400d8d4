// Decides before a statement with a budget runs whether it may.
import type { ApiError } from '../errors/api-error.ts';
import type { Budget, TransactionScript } from './transaction-script.ts';

export interface ScriptGuard {
  /** Returns the script without the budgets that its statements are known to respect. */
  admit(script: TransactionScript): TransactionScript;
  /** Returns the script in parts, which estimate each main statement that has a budget before it runs. */
  guard(script: TransactionScript): TransactionScript;
  /** @param plan the execution plan of a statement, in JSON @returns the error that keeps it from running */
  checkPlan(plan: string, budget: Budget): ApiError | undefined;
  /** Call when the schema may have changed. */
  clear(): void;
}
