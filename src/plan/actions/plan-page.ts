// What is asked for × its format → whether the rows leave while they are computed, and what is counted before them.
import type { ReadPlan } from '../levels/read-plan.ts';
import type { CountPlan, RowsPlan } from './action-plan.ts';

export interface PageSubject extends Pick<RowsPlan, 'output' | 'checks' | 'access' | 'count'> {
  readonly read: ReadPlan;
}

/** Nothing of a write may leave before it is committed, and nothing that must be counted before it is known to be right. */
export function planPage({ output, checks, access, read, count }: PageSubject): Pick<RowsPlan, 'count' | 'pageRows'> {
  const isStreamed = output.format.kind === 'lines' && access === 'read only' && checks.length === 0;
  if (!isStreamed) return { count, pageRows: 'counted' };
  const total: CountPlan = count.kind === 'page' ? { kind: 'exact' } : count;
  // The total is that of the rows that are grouped.
  return { count: total, pageRows: total.kind === 'exact' && !read.isGrouped ? 'expected' : 'unknown' };
}
