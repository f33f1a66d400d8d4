// Renders what the main statement of a request may cost (`beyond.md` §1.2).
import type { Spending } from '../../sql/render-script.ts';
import type { Budget } from '../../sql/transaction-script.ts';

export interface Spender {
  readonly role: string;
  readonly maxCost: number;
}

/** @returns undefined if the action may cost anything */
export function renderBudget({ action, cost, request }: Spending, { role, maxCost }: Spender): Budget | undefined {
  const { text, uncounted, remedies } = cost;
  if (text === undefined) return undefined;
  return {
    maxCost,
    text,
    isConstant: action.kind === 'read' && action.isCostConstant,
    uncounted,
    exceededBy: ({ cost: estimated, rows }) => ({
      kind: 'costExceeded',
      cost: estimated,
      maxCost,
      role,
      rows,
      remedies,
      request,
    }),
  };
}
