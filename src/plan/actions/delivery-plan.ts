// How the rows of an action become the response body. `plan-delivery.ts` chooses it, `sql/` renders it, the statement
// carries it (`contract/delivery.ts`), and `response/` reads it.
import type { RowsFormat, SpelledArrayDelivery, SpelledLinesDelivery } from '../../contract/delivery.ts';
import type { FormatWith } from '../../media/formats.ts';
import type { Spelling } from '../levels/plan-spelling.ts';
import type { AnswerFormat, ExplainPlan } from '../negotiation/negotiate.ts';

/** Formats whose body the server assembles from rows. */
export type RowsAnswer = FormatWith<{ answer: 'rows' }>;

/** Formats whose body the database can build as one value. */
export type ValueFormat = Exclude<AnswerFormat, { kind: RowsAnswer }>;

/** Formats in which one row can be the whole body. */
export type SingleRowFormat = Extract<AnswerFormat, { kind: 'json' | 'object' }>;

/** The response has no body, but has the headers of a response with the delivery `like`. */
export interface NoBody {
  readonly kind: 'none';
  readonly like: AnswerDelivery;
}

export type AnswerDelivery =
  | { readonly kind: 'value'; readonly encoding: 'text' | 'binary'; readonly body: ValueFormat | NoBody }
  | { readonly kind: 'singleRow'; readonly body: SingleRowFormat }
  | UnspelledRows
  | SpelledRows
  | UnspelledLines
  | SpelledLines;

interface CountedRows {
  readonly kind: 'countedRows';
  /** Whether the rows are materialized and then counted, or streamed and counted by a separate subquery. */
  readonly count: 'materialized' | 'subquery';
  /** Rows are buffered until the last one arrives, because PostgreSQL may still fail to send one. */
  readonly isBuffered: boolean;
}

export interface UnspelledRows extends CountedRows {
  readonly format: Exclude<RowsFormat, 'objects'>;
}

/** Rows whose values the server writes as JSON. */
export interface SpelledRows extends CountedRows, SpelledArrayDelivery {
  readonly kind: 'countedRows';
  readonly spelling: Spelling;
  /** The delivery of the statement that runs if a value cannot be spelled. */
  readonly general: UnspelledRows | Extract<AnswerDelivery, { kind: 'value' }>;
}

export interface UnspelledLines {
  readonly kind: 'ndjson';
  /** Whether the number of rows can be derived from total and range, or is unknown until they have been sent. */
  readonly pageRows: 'expected' | 'unknown';
}

/** Lines whose values the server writes as JSON. */
export interface SpelledLines extends UnspelledLines, SpelledLinesDelivery {
  readonly kind: 'ndjson';
  readonly spelling: Spelling;
  readonly general: UnspelledLines;
}

export type DeliveryPlan =
  | AnswerDelivery
  | {
      readonly kind: 'explain';
      /** The delivery of the statement whose execution plan is shown. */
      readonly explained: AnswerDelivery;
      readonly plan: ExplainPlan;
    };

/** Returns the delivery of the statement itself, even if its execution plan is returned instead. */
export function answerOf(delivery: DeliveryPlan): AnswerDelivery {
  return delivery.kind === 'explain' ? delivery.explained : delivery;
}

export function isBuffered(plan: DeliveryPlan): boolean {
  const delivery = answerOf(plan);
  return delivery.kind === 'countedRows' && delivery.isBuffered;
}

/** How the number of rows on the page is known: counted by the statement, derived from total and range, or unknown. */
export function pageRowsOf(plan: DeliveryPlan): 'counted' | 'expected' | 'unknown' {
  const delivery = answerOf(plan);
  if (delivery.kind === 'ndjson') return delivery.pageRows;
  return delivery.kind === 'value' && delivery.body.kind === 'none' ? pageRowsOf(delivery.body.like) : 'counted';
}
