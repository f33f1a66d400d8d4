// The order of a page, and a position in it (`beyond.md` §1.6).
import type { OrderPlan, PagePosition, ReadPlan } from './read-plan.ts';

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
export function directOrder({ order, position }: ReadPlan): readonly OrderPlan[] {
  return position?.direction === 'before' ? order.map(reverseTerm) : order;
}

/** Nulls change sides too. */
function reverseTerm(term: OrderPlan): OrderPlan {
  const nulls = term.nulls === undefined ? undefined : isNullsFirst(term) ? 'nullslast' : 'nullsfirst';
  return { ...term, direction: isDescending(term) ? 'asc' : 'desc', nulls };
}
