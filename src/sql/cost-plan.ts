// Plans what PostgreSQL can estimate about a statement before it runs (`beyond.md` §1.2).
import { generalForm, type MainStatement } from '../contract/transaction.ts';
import type { RowsAction } from '../plan/actions/action-plan.ts';
import { listRemedies } from '../plan/actions/list-remedies.ts';

/** What is known about the cost of an action before PostgreSQL estimates it. */
export interface CostPlan {
  /** The statement to estimate; undefined if nothing runs. */
  readonly text: string | undefined;
  /** The main statement without its exact count, if an estimated count may replace that. */
  readonly uncounted: MainStatement | undefined;
  readonly remedies: readonly string[];
}

/** The plan of an action that has no budget. */
export const COSTS_NOTHING: CostPlan = { text: undefined, uncounted: undefined, remedies: [] };

/** @param renderUncounted renders the main statement without its exact count */
export function planCost(action: RowsAction, main: MainStatement, renderUncounted: () => MainStatement): CostPlan {
  const { delivery, count } = action;
  const remedies = listRemedies(action);
  if (delivery.kind === 'explain') {
    const isRun = delivery.plan.options.includes('analyze');
    return { text: isRun ? main.text : undefined, uncounted: undefined, remedies };
  }
  const isEstimated = count.kind === 'estimated' && action.kind !== 'mutate';
  // A statement with a budget runs in its general form, which only for single rows costs more than the other.
  const { text } = main.delivery.kind === 'singleRow' ? main : generalForm(main);
  return { text, uncounted: isEstimated ? renderUncounted() : undefined, remedies };
}
