// Builds the responses to the requests of one part of a batch.
import type { ScriptResults } from '../contract/transaction.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { type BatchElement, renderBatchElement } from '../response/batch-response.ts';
import { buildHeldResponse } from '../response/held-response.ts';
import { type FailedResponse, plainFailure } from '../response/failed-response.ts';
import type { BatchContext } from './batch-context.ts';
import type { PlannedRequest } from './batch-part.ts';

export interface FailedElement {
  readonly failed: FailedResponse;
  readonly request: number;
  readonly id: string | undefined;
}

/** @param size bytes that the responses may have */
export async function answerPart(
  requests: readonly PlannedRequest[],
  results: ScriptResults,
  { batch, size }: { readonly batch: BatchContext; readonly size: number },
): Promise<Result<readonly BatchElement[], FailedElement>> {
  const elements: BatchElement[] = [];
  let rest = size;
  for (const [position, planned] of requests.entries()) {
    const result = results[position];
    if (result === undefined) break;
    const { index, id } = planned;
    const response = await buildHeldResponse({ ...planned, result }, batch.context);
    if (!response.ok) return fail({ failed: response.error, request: index, id });
    const element = renderBatchElement(id, response.value, isBinary(planned));
    rest -= element.text.length;
    if (rest < 0) return fail({ failed: plainFailure(responsesTooLarge(batch)), request: index, id });
    elements.push(element);
  }
  return ok(elements);
}

function isBinary({ prepared }: PlannedRequest): boolean {
  const { delivery } = prepared.statements.main;
  return delivery.kind === 'value' && delivery.encoding === 'binary';
}

/** @param request index of the request whose response exceeds the limit, if not otherwise known */
export function responsesTooLarge({ context }: BatchContext, request?: number): ApiError {
  const limit = `The responses in a batch have up to ${context.config.batchMaxResponse} bytes together`;
  return { kind: 'limitExceeded', limit, option: 'batch-max-response', status: 400, request };
}
