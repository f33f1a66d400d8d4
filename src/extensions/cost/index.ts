// Cost budgets: a statement that PostgreSQL estimates to cost more than its role may spend does not run
// (`beyond.md` §1.2).
import type { Extension } from '../../serve/extension.ts';
import { EstimatingGuard } from './estimate-first.ts';
import type { Spending } from '../../sql/render-script.ts';
import type { Budget } from '../../sql/transaction-script.ts';

export const COST: Extension = {
  name: 'cost',
  guardScripts: () => new EstimatingGuard(),
  compile({ config }) {
    if (!config.extensions.cost) return undefined;
    return {
      limitCost(role, settings) {
        const maxCost = settings?.maxCost ?? config.dbMaxCost ?? 0;
        return maxCost > 0 ? (spending) => renderBudget(spending, role, maxCost) : undefined;
      },
    };
  },
};

/** @returns undefined if the action may cost anything */
function renderBudget({ action, cost, request }: Spending, role: string, maxCost: number): Budget | undefined {
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
