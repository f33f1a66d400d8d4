// How the rows of an action become its answer: what `sql/` renders, what the statement carries (`contract/delivery.ts`), and
// what `response/` reads. Made by `plan-delivery.ts`.
import type { AnswerFormat, ExplainPlan } from '../negotiation/negotiate.ts';

/** Formats whose body the database builds as one value. CSV is made of the values of its rows. */
export type ValueFormat = Exclude<AnswerFormat, { kind: 'csv' }>;

/** Formats in which one row can be the whole body. */
export type SingleRowFormat = Extract<AnswerFormat, { kind: 'json' | 'object' }>;

/** The answer has no body: it is described like one with this delivery. */
export interface NoBody {
  readonly kind: 'none';
  readonly like: AnswerDelivery;
}

export type AnswerDelivery =
  | { readonly kind: 'value'; readonly encoding: 'text' | 'binary'; readonly body: ValueFormat | NoBody }
  | { readonly kind: 'singleRow'; readonly body: SingleRowFormat }
  | {
      readonly kind: 'countedRows';
      readonly format: 'array' | 'csv';
      /** The rows are materialized and counted, or counted by a subquery of their own, so that they stream. */
      readonly count: 'materialized' | 'subquery';
      /** Rows are held until the last one has come, because PostgreSQL may still fail to send one. */
      readonly isHeld: boolean;
    }
  | {
      readonly kind: 'ndjson';
      /** The number of rows follows from total and range, or is not known before they have been sent. */
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

/** The delivery of the statement itself, also where its execution plan is shown instead. */
export function answerOf(delivery: DeliveryPlan): AnswerDelivery {
  return delivery.kind === 'explain' ? delivery.explained : delivery;
}

export function isHeld(plan: DeliveryPlan): boolean {
  const delivery = answerOf(plan);
  return delivery.kind === 'countedRows' && delivery.isHeld;
}

/** How the number of rows on the page is known: the statement counts them, it follows from total and range, or not at all. */
export function pageRowsOf(plan: DeliveryPlan): 'counted' | 'expected' | 'unknown' {
  const delivery = answerOf(plan);
  if (delivery.kind === 'ndjson') return delivery.pageRows;
  return delivery.kind === 'value' && delivery.body.kind === 'none' ? pageRowsOf(delivery.body.like) : 'counted';
}
