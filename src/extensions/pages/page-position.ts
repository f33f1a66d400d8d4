// The order of a page, and a position in it (`beyond.md` §1.6).
import type { PagePosition } from '../../plan/actions/action-plan.ts';
import type { OrderPlan } from '../../plan/levels/read-plan.ts';

export function isDescending({ direction }: OrderPlan): boolean {
  return direction === 'desc';
}

/** PostgreSQL sorts nulls as if they were larger than any other value, unless the order says otherwise. */
export function isNullsFirst(term: OrderPlan): boolean {
  return term.nulls === undefined ? isDescending(term) : term.nulls === 'nullsfirst';
}

/** Returns the position from which the rows on the other side are found. */
export function turnAround({ direction, values, isInclusive }: PagePosition): PagePosition {
  return { direction: direction === 'after' ? 'before' : 'after', values, isInclusive: !isInclusive };
}

/** Returns the order in which the rows of a page are found: the nearest to the position first. */
export function directOrder(order: readonly OrderPlan[], position: PagePosition | undefined): readonly OrderPlan[] {
  if (position?.direction !== 'before') return order;
  return order.map((term) => {
    // Nulls change sides too.
    const nulls = term.nulls === undefined ? undefined : isNullsFirst(term) ? 'nullslast' : 'nullsfirst';
    return { ...term, direction: isDescending(term) ? 'asc' : 'desc', nulls };
  });
}
