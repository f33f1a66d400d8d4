// How the rows of an action become its answer: what `sql/` renders, what the statement carries (`contract/delivery.ts`), and
// what `response/` reads. Made by `plan-delivery.ts`.
import type { RowsFormat } from '../../contract/delivery.ts';
import type { FormatWith } from '../../media/formats.ts';
import type { AnswerFormat, ExplainPlan } from '../negotiation/negotiate.ts';

/** Formats whose body the server makes of the rows. */
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
  | {
      readonly kind: 'countedRows';
      readonly format: RowsFormat;
      /** The rows are materialized and counted, or counted by a subquery of their own, so that they stream. */
      readonly count: 'materialized' | 'subquery';
      /** Rows are buffered until the last one arrives, because PostgreSQL may still fail to send one. */
      readonly isBuffered: boolean;
    }
  | {
      readonly kind: 'ndjson';
      /** The number of rows follows from the total and the range, or is unknown until they have been sent. */
      readonly pageRows: 'expected' | 'unknown';
    };

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
