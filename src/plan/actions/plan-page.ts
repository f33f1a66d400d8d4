// What is asked for × its format → whether the rows leave while they are computed, and what is counted before them.
import type { ReadPlan } from '../levels/read-plan.ts';
import type { CountPlan, RowsPlan } from './action-plan.ts';

export interface PageSubject extends Pick<RowsPlan, 'output' | 'checks' | 'access' | 'count'> {
  readonly read: ReadPlan;
  /** As `planOutput` tells. */
  readonly mayStream: boolean;
}

/** Nothing of a write may leave before it is committed, and nothing that must be counted before it is known to be right. */
export function planPage(subject: PageSubject): Pick<RowsPlan, 'count' | 'pageRows'> {
  const { output, checks, access, read, count, mayStream } = subject;
  const mayLeave = mayStream && access === 'read only' && checks.length === 0;
  const { kind } = output.format;
  if (!mayLeave || (kind !== 'lines' && kind !== 'csv')) return { count, pageRows: 'counted' };
  if (kind === 'csv') return { count, pageRows: 'countedFirst' };
  const total: CountPlan = count.kind === 'page' ? { kind: 'exact' } : count;
  // The total is that of the rows that are grouped.
  return { count: total, pageRows: total.kind === 'exact' && !read.isGrouped ? 'expected' : 'unknown' };
}
