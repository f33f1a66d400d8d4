// Decides how rows are delivered: as one value or streamed, and which counts are computed before the rows.
import type { Relation, SchemaCache } from '../../catalog/schema-cache.ts';
import type { Leftovers } from '../../contract/transaction.ts';
import { FORMAT_NAMES, formatRow } from '../../media/formats.ts';
import { filtersByKey } from '../levels/filters-by-key.ts';
import { planSpelling } from '../levels/plan-spelling.ts';
import type { Condition, ReadPlan } from '../levels/read-plan.ts';
import type { AnswerFormat, Negotiated } from '../negotiation/negotiate.ts';
import type { CountPlan, RowsPlan } from './action-plan.ts';
import type { AnswerDelivery, DeliveryPlan, RowsAnswer, SpelledLines, SpelledRows } from './delivery-plan.ts';

export interface DeliverySubject extends Pick<RowsPlan, 'checks' | 'access' | 'count' | 'range'> {
  readonly negotiated: Negotiated;
  /** False for a HEAD or a result of type void. */
  readonly hasBody: boolean;
  readonly read: ReadPlan;
  readonly leftovers: Leftovers;
  /** Undefined: the rows come from a function, whose rows are counted as it returns them. */
  readonly relation:
    | Pick<Relation, 'columns' | 'isSmall' | 'hasFewOrLongRows' | 'hasVirtualColumns' | 'primaryKey'>
    | undefined;
  /** The rows of a function that may be called again. */
  readonly repeatable?: Pick<Relation, 'columns'> | undefined;
  /** From `certain-count.ts`. */
  readonly isCountCertain: boolean;
  readonly cache: SchemaCache;
  /** The statement must return more than the row: a status and headers from the pre-request function, or links. */
  readonly needsHead: boolean;
  /** From `planOutput`. */
  readonly mayStream: boolean;
}

/** Up to this number of rows, a response is likely to be short. */
const MAX_SHORT_ROWS = 1000;
/** With less, the server spends more CPU time on writing JSON than PostgreSQL saves (`docs/decisions/row-form.md`). */
const MIN_SPELLED_ROWS = 200;
const MIN_SPELLED_COLUMNS = 6;

export function planDelivery(subject: DeliverySubject): Pick<RowsPlan, 'count' | 'delivery'> {
  const delivery = deliverRows(subject);
  return {
    count: delivery.kind === 'ndjson' ? countSeparately(subject.count) : subject.count,
    delivery: completeDelivery(delivery, subject),
  };
}

/** Plans the delivery of a write. Nothing may be sent before the commit. */
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

/** Uses `deliverWhole` if the rows must not be streamed or are probably few. */
function deliverRows(subject: DeliverySubject): AnswerDelivery {
  const { negotiated, checks, access, mayStream, cache } = subject;
  const { format } = negotiated;
  const { isUtf8 } = cache;
  const whole = deliverWhole(format, !isUtf8);
  if ((format.kind === 'json' || format.kind === 'object') && isSingleRow(subject))
    return { kind: 'singleRow', body: format };
  if (!mayStream || access !== 'read only' || checks.length > 0) return whole;
  if (format.kind === 'ndjson') {
    const isExpected = countSeparately(subject.count).kind === 'exact' && subject.isCountCertain;
    const lines = { kind: 'ndjson', pageRows: isExpected ? 'expected' : 'unknown' } as const;
    return spellLines(lines, subject) ?? lines;
  }
  // PostgreSQL converts text to the client encoding row by row, so rows can fail halfway; a single value cannot.
  if (!isUtf8) return whole;
  const count = isCountCheap(subject) ? 'subquery' : 'materialized';
  const general: AnswerDelivery = mayBeLong(subject)
    ? { kind: 'countedRows', format: isMadeOfRows(format) ? format.kind : 'array', count, isBuffered: false }
    : whole;
  return spellRows(general, subject) ?? general;
}

/**
 * Returns undefined if PostgreSQL writes the rows as JSON, because only it can, or because it does so cheaply: rows that
 * are few, short or made of long texts. How many rows a function returns is unknown.
 */
function spellRows(general: AnswerDelivery, subject: DeliverySubject): SpelledRows | undefined {
  const { read, relation, range } = subject;
  const { format } = subject.negotiated;
  if (
    format.kind !== 'json' ||
    format.stripped ||
    !(general.kind === 'value' || (general.kind === 'countedRows' && general.format !== 'objects'))
  )
    return undefined;
  const areFew = (range.limit ?? Infinity) < MIN_SPELLED_ROWS || read.where.some(isSelective);
  if (areFew || relation === undefined || relation.hasFewOrLongRows) return undefined;
  const spelled = spell(subject, relation, MIN_SPELLED_COLUMNS);
  if (spelled === undefined) return undefined;
  const isLong = general.kind === 'countedRows';
  const count = isLong ? general.count : 'materialized';
  return { kind: 'countedRows', format: 'objects', count, isBuffered: false, ...spelled, isLong, general };
}

function spellLines(general: SpelledLines['general'], subject: DeliverySubject): SpelledLines | undefined {
  const { cache, relation = subject.repeatable } = subject;
  const spelled = cache.isUtf8 && relation !== undefined ? spell(subject, relation, 0) : undefined;
  return spelled && { ...general, ...spelled, general };
}

function spell(
  { negotiated, read, cache }: DeliverySubject,
  { columns }: Pick<Relation, 'columns'>,
  minColumns: number,
): Pick<SpelledRows, 'spelling' | 'spelledTypes'> | undefined {
  const isPlain = negotiated.plan === undefined && negotiated.events === undefined;
  const planned = isPlain ? planSpelling(read, columns, cache) : undefined;
  if (planned === undefined || planned.columnCount < minColumns) return undefined;
  return { spelling: planned.spelling, spelledTypes: cache.spelledTypes };
}

/** @param isBuffered for formats that are sent as rows */
function deliverWhole(format: AnswerFormat, isBuffered: boolean): AnswerDelivery {
  if (isMadeOfRows(format)) return { kind: 'countedRows', format: format.kind, count: 'materialized', isBuffered };
  const isBinary = format.kind === 'custom' && format.handler.isBinary;
  return { kind: 'value', encoding: isBinary ? 'binary' : 'text', body: format };
}

/** Streamed rows cannot supply their own total, so it is counted by a separate query. */
function countSeparately(count: CountPlan): CountPlan {
  return count.kind === 'page' ? { kind: 'exact' } : count;
}

const MADE_OF_ROWS: ReadonlySet<string> = new Set(FORMAT_NAMES.filter((name) => formatRow(name).answer === 'rows'));

function isMadeOfRows(format: AnswerFormat): format is Extract<AnswerFormat, { kind: RowsAnswer }> {
  return MADE_OF_ROWS.has(format.kind);
}

/**
 * Whether the result is at most one row: the read filters by the whole key or has `limit=1`. PostgreSQL takes
 * a fifth less time to return that row alone than to build a row with count, array and response settings.
 */
function isSingleRow(subject: DeliverySubject): boolean {
  const { negotiated, count, read, leftovers, relation, range, needsHead } = subject;
  const isCounted = count.kind !== 'none' && count.kind !== 'page';
  if (negotiated.plan !== undefined || isCounted || read.isGrouped) return false;
  if (leftovers !== 'none' || needsHead) return false;
  return range.limit === 1 || filtersByKey(read.where, relation?.primaryKey ?? []);
}

/** Whether streaming is worthwhile: false if the limit, an equality filter or the table suggests a short body. */
function mayBeLong({ negotiated: { format, plan }, read, relation, range }: DeliverySubject): boolean {
  const isPlain = isMadeOfRows(format) || (format.kind === 'json' && !format.stripped);
  const isSmall = relation === undefined || (relation.isSmall && read.embeds.length === 0);
  // EXPLAIN shows the statement form that most reads use.
  if (!isPlain || plan !== undefined || isSmall) return false;
  return (range.limit ?? Infinity) > MAX_SHORT_ROWS && !read.where.some(isSelective);
}

/**
 * Scanning a whole table twice is faster than materializing its rows; filters and embeds make the second scan
 * expensive. The count must also match: user code may return a different number, and inherited tables may repeat rows
 * of an embed. No value may fail after the count is sent, which excludes JSON paths and virtual columns.
 */
function isCountCheap({ read, leftovers, relation }: DeliverySubject): boolean {
  const isWhole = read.where.length === 0 && read.embeds.length === 0 && !read.isGrouped && read.distinct === undefined;
  const hasPaths = read.select.some((item) => item.kind === 'column' && item.field.path.length > 0);
  return isWhole && !hasPaths && leftovers === 'none' && relation?.hasVirtualColumns === false;
}

/** An equality usually matches few rows. */
function isSelective(condition: Condition): boolean {
  if (condition.kind !== 'filter' || condition.negated) return false;
  const { operation } = condition;
  return operation.kind === 'in' || (operation.kind === 'compare' && operation.operator === 'eq');
}
