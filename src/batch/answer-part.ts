// Builds the responses to the requests of one part of a batch.
import type { ScriptResults } from '../contract/transaction.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { type BatchElement, renderBatchElement } from '../response/batch-response.ts';
import { buildHeldResponse } from '../response/held-response.ts';
import { type FailedResponse, plainFailure } from '../response/failed-response.ts';
import { type LocatedValues, locateValues } from '../request/batch/locate-values.ts';
import { runSlicesWithPauses } from '../util/slices.ts';
import { type BatchContext, responsesTooLarge } from './batch-context.ts';
import type { PlannedRequest } from './batch-part.ts';

export interface FailedElement {
  readonly failed: FailedResponse;
  readonly request: number;
  readonly id: string | undefined;
}

/** @param size maximum size of the responses in bytes */
export async function answerPart(
  requests: readonly PlannedRequest[],
  results: ScriptResults,
  { batch, size }: { readonly batch: BatchContext; readonly size: number },
): Promise<Result<readonly AnsweredRequest[], FailedElement>> {
  const { context } = batch;
  const answered: AnsweredRequest[] = [];
  let rest = size;
  for (const [position, planned] of requests.entries()) {
    const result = results[position];
    if (result === undefined) break;
    const { index, id } = planned;
    const response = await buildHeldResponse({ ...planned, result }, context);
    if (!response.ok) return fail({ failed: response.error, request: index, id });
    const slices = renderBatchElement(id, response.value, isBinary(planned));
    const { body, ...element } = await runSlicesWithPauses(slices, context.pause);
    rest -= element.text.length;
    if (rest < 0) return fail({ failed: plainFailure(responsesTooLarge(batch)), request: index, id });
    const tree = batch.pointers.get(index);
    const located = tree && (await runSlicesWithPauses(locateValues(body, tree), context.pause));
    answered.push({ index, element, located });
  }
  return ok(answered);
}

export interface AnsweredRequest {
  readonly index: number;
  readonly element: BatchElement;
  /** Undefined if no later request refers to the response. */
  readonly located: LocatedValues | undefined;
}

function isBinary({ prepared }: PlannedRequest): boolean {
  const { delivery } = prepared.statements.main;
  return delivery.kind === 'value' && delivery.encoding === 'binary';
}
