// What is asked for × its format → whether the rows leave while they are computed, what is counted before them, and whether
// there is anything to count.
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Leftovers } from '../../contract/transaction.ts';
import { isPlainEquality } from '../levels/plain-equality.ts';
import type { Condition, ReadPlan } from '../levels/read-plan.ts';
import type { CountPlan, RowsPlan } from './action-plan.ts';

export interface PageSubject extends Pick<RowsPlan, 'output' | 'checks' | 'access' | 'count' | 'range'> {
  readonly read: ReadPlan;
  readonly leftovers: Leftovers;
  /** Undefined: the rows are those of a function, which knows how many it returns. */
  readonly relation: Pick<Relation, 'isSmall' | 'hasVirtualColumns' | 'primaryKey'> | undefined;
  /** Which may tell headers and a status that the statement has to ask for. */
  readonly hasPreRequest: boolean;
  /** As `planOutput` tells. */
  readonly mayStream: boolean;
}

/** An array of so many rows is better made as one value, which costs less than a message for each of them. */
const FEW_ROWS = 1000;

/** Nothing of a write may leave before it is committed, and nothing that must be counted before it is known to be right. */
export function planPage(subject: PageSubject): Pick<RowsPlan, 'count' | 'pageRows'> {
  const { output, checks, access, read, count, mayStream } = subject;
  if (isSingle(subject)) return { count, pageRows: 'oneAtMost' };
  const mayLeave = mayStream && access === 'read only' && checks.length === 0;
  const isLong = mayLeave && mayBeLong(subject);
  if (isLong && isCountCheap(subject)) return { count, pageRows: 'countedApart' };
  if (isLong && output.format.kind === 'json') return { count, pageRows: 'countedFirst' };
  if (!mayLeave || output.format.kind !== 'lines') return { count, pageRows: 'counted' };
  const total: CountPlan = count.kind === 'page' ? { kind: 'exact' } : count;
  // The total is that of the rows that are grouped.
  return { count: total, pageRows: total.kind === 'exact' && !read.isGrouped ? 'expected' : 'unknown' };
}

/**
 * One row at most is likely: it is found by its key, or the only one that is asked for. PostgreSQL takes a fifth less to send
 * it than to make a row of its number, its array and what users' code may have set.
 */
function isSingle(subject: PageSubject): boolean {
  const { output, count, read, leftovers, relation, range, hasPreRequest } = subject;
  const { format, plan } = output;
  const isObject = format.kind === 'json' || format.kind === 'object';
  const isCounted = count.kind !== 'none' && count.kind !== 'page';
  if (!isObject || plan !== undefined || isCounted || read.isGrouped) return false;
  if (leftovers !== 'none' || hasPreRequest) return false;
  return range.limit === 1 || hasKey(read.where, relation?.primaryKey ?? []);
}

function hasKey(where: readonly Condition[], key: readonly string[]): boolean {
  const isGiven = (column: string): boolean =>
    where.some((one) => one.kind === 'filter' && one.field.column === column && isPlainEquality(one));
  return key.length > 0 && key.every(isGiven);
}

/** An array or CSV of which nothing tells that it is short. */
function mayBeLong({ output: { format, plan }, read, relation, range }: PageSubject): boolean {
  const isPlain = format.kind === 'csv' || (format.kind === 'json' && !format.stripped);
  const isSmall = relation === undefined || (relation.isSmall && read.embeds.length === 0);
  // A plan is shown of the statement that most reads have.
  if (!isPlain || plan !== undefined || isSmall) return false;
  return (range.limit ?? Infinity) > FEW_ROWS && !read.where.some(isSelective);
}

/**
 * A whole table is read twice faster than its rows are kept. Not so what takes long to find. Users' code could give another
 * number, as could rows that keys of inherited tables repeat beside an embed. And no value may fail to be made after the
 * number is told: not so paths into JSON and virtual columns.
 */
function isCountCheap({ read, leftovers, relation }: PageSubject): boolean {
  const isWhole = read.where.length === 0 && read.embeds.length === 0 && !read.isGrouped;
  const hasPaths = read.select.some((item) => item.kind === 'column' && item.field.path.length > 0);
  return isWhole && !hasPaths && leftovers === 'none' && relation?.hasVirtualColumns === false;
}

/** What equals a value are few rows, as a rule. */
function isSelective(condition: Condition): boolean {
  if (condition.kind !== 'filter' || condition.negated) return false;
  const { operation } = condition;
  return operation.kind === 'in' || (operation.kind === 'compare' && operation.operator === 'eq');
}
