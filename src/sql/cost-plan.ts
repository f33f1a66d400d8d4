// Plans what PostgreSQL can estimate about a statement before it runs (`beyond.md` §1.2).
import { generalForm, type MainStatement } from '../contract/transaction.ts';
import type { RowsAction } from '../plan/actions/action-plan.ts';

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

/** @returns at least one instruction, without a capital letter and a period */
function listRemedies(action: RowsAction): readonly string[] {
  const { read, count, range } = action;
  return [
    firstRemedy(action),
    ...(range.limit === undefined && mayHaveManyRows(action) ? ['set a limit'] : []),
    ...(read.embeds.length > 0 ? ['embed fewer relations'] : []),
    ...(count.kind === 'exact' ? ['ask for count=estimated'] : []),
  ];
}

function mayHaveManyRows(action: RowsAction): boolean {
  if (action.kind !== 'call') return action.kind === 'read';
  const { result } = action.routine;
  return result.kind !== 'void' && result.isSet;
}

function firstRemedy(action: RowsAction): string {
  if (action.kind === 'call') return 'pass arguments that select fewer rows';
  const isInsert = action.kind === 'mutate' && (action.mutation === 'insert' || action.mutation === 'put');
  return isInsert ? 'send fewer rows' : 'filter by an indexed column';
}
