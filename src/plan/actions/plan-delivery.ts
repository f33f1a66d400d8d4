// What is requested × its format → how the rows are delivered: whether they are sent while they are computed, what is counted
// before them, and whether there is anything to count.
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Leftovers } from '../../contract/transaction.ts';
import { isPlainEquality } from '../levels/plain-equality.ts';
import type { Condition, ReadPlan } from '../levels/read-plan.ts';
import type { AnswerFormat, Negotiated } from '../negotiation/negotiate.ts';
import type { CountPlan, RowsPlan } from './action-plan.ts';
import type { AnswerDelivery, DeliveryPlan, SingleRowFormat } from './delivery-plan.ts';

export interface DeliverySubject extends Pick<RowsPlan, 'checks' | 'access' | 'count' | 'range'> {
  readonly negotiated: Negotiated;
  /** False for a HEAD or a result of type void. */
  readonly hasBody: boolean;
  readonly read: ReadPlan;
  readonly leftovers: Leftovers;
  /** Undefined: the rows are those of a function, which knows how many it returns. */
  readonly relation: Pick<Relation, 'isSmall' | 'hasVirtualColumns' | 'primaryKey'> | undefined;
  /** From `certain-count.ts`. */
  readonly isCountCertain: boolean;
  /** From the schema cache. */
  readonly isUtf8: boolean;
  /** The pre-request function may set headers and a status that the statement has to ask for. */
  readonly hasPreRequest: boolean;
  /** From `planOutput`. */
  readonly mayStream: boolean;
}

/** An array of so many rows is better made as one value, which costs less than a message for each of them. */
const FEW_ROWS = 1000;

export function planDelivery(subject: DeliverySubject): Pick<RowsPlan, 'count' | 'delivery'> {
  const delivery = deliverRows(subject);
  return {
    count: delivery.kind === 'ndjson' ? countBefore(subject.count) : subject.count,
    delivery: completeDelivery(delivery, subject),
  };
}

/** The delivery of a write: nothing of it may leave before it is committed. */
export function planWholeDelivery(negotiated: Negotiated, hasBody: boolean): DeliveryPlan {
  return completeDelivery(deliverWhole(negotiated.format, true), { negotiated, hasBody });
}

function completeDelivery(
  delivery: AnswerDelivery,
  { negotiated: { plan }, hasBody }: Pick<DeliverySubject, 'negotiated' | 'hasBody'>,
): DeliveryPlan {
  const shown: AnswerDelivery = hasBody
    ? delivery
    : { kind: 'value', encoding: 'text', body: { kind: 'none', like: delivery } };
  return plan === undefined ? shown : { kind: 'explain', explained: shown, plan };
}

/** What must be counted before it is known to be right is delivered whole. */
function deliverRows(subject: DeliverySubject): AnswerDelivery {
  const { negotiated, checks, access, mayStream, isUtf8 } = subject;
  const { format } = negotiated;
  const whole = deliverWhole(format, !isUtf8);
  if (isSingleRowFormat(format) && isSingle(subject)) return { kind: 'singleRow', body: format };
  if (!mayStream || access !== 'read only' || checks.length > 0) return whole;
  if (format.kind === 'ndjson') {
    const isExpected = countBefore(subject.count).kind === 'exact' && subject.isCountCertain;
    return { kind: 'ndjson', pageRows: isExpected ? 'expected' : 'unknown' };
  }
  // PostgreSQL converts texts row by row, as it sends them: several rows can fail halfway, one value cannot.
  if (!isUtf8 || !mayBeLong(subject)) return whole;
  const count = isCountCheap(subject) ? 'subquery' : 'materialized';
  return { kind: 'countedRows', format: format.kind === 'csv' ? 'csv' : 'array', count, isHeld: false };
}

/** @param isHeld for rows that make no single value */
function deliverWhole(format: AnswerFormat, isHeld: boolean): AnswerDelivery {
  if (format.kind === 'csv') return { kind: 'countedRows', format: 'csv', count: 'materialized', isHeld };
  const isBinary = format.kind === 'custom' && format.handler.isBinary;
  return { kind: 'value', encoding: isBinary ? 'binary' : 'text', body: format };
}

/** Rows that are sent while they are computed cannot be counted as they come. */
function countBefore(count: CountPlan): CountPlan {
  return count.kind === 'page' ? { kind: 'exact' } : count;
}

function isSingleRowFormat(format: AnswerFormat): format is SingleRowFormat {
  return format.kind === 'json' || format.kind === 'object';
}

/**
 * One row at most is likely: it is found by its key, or the only one that is asked for. PostgreSQL takes a fifth less to send
 * it than to make a row of its number, its array and what users' code may have set.
 */
function isSingle(subject: DeliverySubject): boolean {
  const { negotiated, count, read, leftovers, relation, range, hasPreRequest } = subject;
  const isCounted = count.kind !== 'none' && count.kind !== 'page';
  if (negotiated.plan !== undefined || isCounted || read.isGrouped) return false;
  if (leftovers !== 'none' || hasPreRequest) return false;
  return range.limit === 1 || hasKey(read.where, relation?.primaryKey ?? []);
}

function hasKey(where: readonly Condition[], key: readonly string[]): boolean {
  const isGiven = (column: string): boolean =>
    where.some((one) => one.kind === 'filter' && one.field.column === column && isPlainEquality(one));
  return key.length > 0 && key.every(isGiven);
}

/** An array or CSV of which nothing tells that it is short. */
function mayBeLong({ negotiated: { format, plan }, read, relation, range }: DeliverySubject): boolean {
  const isPlain = format.kind === 'csv' || (format.kind === 'json' && !format.stripped);
  const isSmall = relation === undefined || (relation.isSmall && read.embeds.length === 0);
  // A plan is shown of the statement that most reads have.
  if (!isPlain || plan !== undefined || isSmall) return false;
  return (range.limit ?? Infinity) > FEW_ROWS && !read.where.some(isSelective);
}

/**
 * A whole table is read twice faster than its rows are kept. Not so what takes long to find. Users' code could give another
 * number, as could rows that keys of inherited tables repeat beside an embed. And no value may fail to be made after the
 * number is sent, which excludes paths into JSON and virtual columns.
 */
function isCountCheap({ read, leftovers, relation }: DeliverySubject): boolean {
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
