// Renders the statements of a nested write, once for all rows that share one.
import type { NestedPlan, NestedStatement } from '../plan/actions/nested-plan.ts';
import type { PreparedNested } from './nested-run.ts';
import { type RenderedStatement, renderNestedStatement } from './render-nested.ts';

/** @param last the statement that returns the outcome of the request */
export function prepareNested(plan: NestedPlan, last: RenderedStatement, settingsPrefix: string): PreparedNested {
  const statements = new Map<NestedStatement, RenderedStatement>();
  for (const { rows } of plan.tasks)
    for (const { statement, fallback } of rows)
      for (const each of [statement, fallback])
        if (each !== undefined && !statements.has(each))
          statements.set(each, renderNestedStatement(each, `${settingsPrefix}inserted`));
  return { plan, statements, last };
}
