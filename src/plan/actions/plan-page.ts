// What is asked for × its format → whether the rows leave while they are computed, and what is counted before them.
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Condition, ReadPlan } from '../levels/read-plan.ts';
import type { CountPlan, RowsPlan } from './action-plan.ts';

export interface PageSubject extends Pick<RowsPlan, 'output' | 'checks' | 'access' | 'count' | 'range'> {
  readonly read: ReadPlan;
  /** Undefined: the rows are those of a function, which knows how many it returns. */
  readonly relation: Pick<Relation, 'isSmall'> | undefined;
  /** As `planOutput` tells. */
  readonly mayStream: boolean;
}

/** An array of so many rows is better made as one value, which costs less than a message for each of them. */
const FEW_ROWS = 1000;

/** Nothing of a write may leave before it is committed, and nothing that must be counted before it is known to be right. */
export function planPage(subject: PageSubject): Pick<RowsPlan, 'count' | 'pageRows'> {
  const { output, checks, access, read, count, mayStream } = subject;
  const mayLeave = mayStream && access === 'read only' && checks.length === 0;
  if (mayLeave && mayBeLong(subject)) return { count, pageRows: 'countedFirst' };
  if (!mayLeave || output.format.kind !== 'lines') return { count, pageRows: 'counted' };
  const total: CountPlan = count.kind === 'page' ? { kind: 'exact' } : count;
  // The total is that of the rows that are grouped.
  return { count: total, pageRows: total.kind === 'exact' && !read.isGrouped ? 'expected' : 'unknown' };
}

/** An array of which nothing tells that it is short. */
function mayBeLong({ output, read, relation, range }: PageSubject): boolean {
  // A plan is shown of the statement that most reads have.
  const isPlain = output.format.kind === 'json' && !output.format.stripped && output.plan === undefined;
  const isSmall = relation === undefined || (relation.isSmall && read.embeds.length === 0);
  return isPlain && !isSmall && (range.limit ?? Infinity) > FEW_ROWS && !read.where.some(isSelective);
}

/** What equals a value are few rows, as a rule. */
function isSelective(condition: Condition): boolean {
  if (condition.kind !== 'filter' || condition.negated) return false;
  const { operation } = condition;
  return operation.kind === 'in' || (operation.kind === 'compare' && operation.operator === 'eq');
}
