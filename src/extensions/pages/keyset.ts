// Renders the condition that rows lie before or after a position in their order (`beyond.md` §1.6).
import type { PagePosition } from '../../plan/actions/action-plan.ts';
import type { OrderPlan } from '../../plan/levels/read-plan.ts';
import { isDescending, isNullsFirst } from './page-position.ts';
import type { StatementBuilder } from '../../sql/text/statement-builder.ts';

interface Bound {
  /** SQL of the term's value. */
  readonly value: string;
  /** Placeholder of the position's value; undefined: it is null. */
  readonly bound: string | undefined;
  readonly operator: '>' | '<';
  readonly isNullsFirst: boolean;
  readonly isNullable: boolean;
}

/**
 * Returns disjoint conditions, whose rows together are the page and the pages behind it: from rows that differ from the
 * position only in the last term, to those that differ in the first. An index on the order serves each of them.
 */
export function renderSegments(
  order: readonly OrderPlan[],
  position: PagePosition,
  values: readonly string[],
  builder: StatementBuilder,
): readonly string[] {
  const bounds = order.map((term, index): Bound => {
    const value = position.values[index] ?? undefined;
    return {
      value: values[index] ?? '',
      bound: value === undefined ? undefined : builder.bind(value),
      operator: isDescending(term) ? '<' : '>',
      isNullsFirst: isNullsFirst(term),
      isNullable: term.kind !== 'field' || term.isNullable,
    };
  });
  return bounds.every((one) => !one.isNullable && one.bound !== undefined && one.operator === bounds[0]?.operator)
    ? [compareRows(bounds, position.isInclusive)]
    : compareTerms(bounds, position.isInclusive);
}

function compareRows(bounds: readonly Bound[], isInclusive: boolean): string {
  const row = (side: readonly (string | undefined)[]): string => `ROW(${side.join(', ')})`;
  const operator = `${bounds[0]?.operator ?? '>'}${isInclusive ? '=' : ''}`;
  return `${row(bounds.map(({ value }) => value))} ${operator} ${row(bounds.map(({ bound }) => bound))}`;
}

function compareTerms(bounds: readonly Bound[], isInclusive: boolean): readonly string[] {
  const segments: (readonly string[])[] = isInclusive ? [bounds.map(renderEqual)] : [];
  for (let index = bounds.length - 1; index >= 0; index -= 1) {
    const before = bounds.slice(0, index).map(renderEqual);
    for (const test of bounds.slice(index, index + 1).flatMap(renderBeyond)) segments.push([...before, test]);
  }
  return segments.map((tests) => tests.join(' AND '));
}

function renderEqual({ value, bound }: Bound): string {
  return bound === undefined ? `${value} IS NULL` : `${value} = ${bound}`;
}

function renderBeyond({ value, bound, operator, isNullsFirst: areNullsFirst, isNullable }: Bound): readonly string[] {
  if (bound === undefined) return areNullsFirst ? [`${value} IS NOT NULL`] : [];
  const beyond = `${value} ${operator} ${bound}`;
  return isNullable && !areNullsFirst ? [beyond, `${value} IS NULL`] : [beyond];
}
