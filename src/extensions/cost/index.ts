// Cost budgets: a statement that PostgreSQL estimates to cost more than its role may spend does not run
// (`beyond.md` §1.2).
import type { Extension } from '../../serve/extension.ts';
import { EstimatingGuard } from './estimate-first.ts';
import { renderBudget } from './render-budget.ts';

export const COST: Extension = {
  name: 'cost',
  guardScripts: () => new EstimatingGuard(),
  compile({ config }) {
    if (!config.extensions.cost) return undefined;
    return {
      limitCost(role, settings) {
        const maxCost = settings?.maxCost ?? config.dbMaxCost ?? 0;
        return maxCost > 0 ? (spending) => renderBudget(spending, { role, maxCost }) : undefined;
      },
    };
  },
};
