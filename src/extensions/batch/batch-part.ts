// Plans the next requests of a batch that go to the database together. A part ends before a request that refers to one of
// its responses, and after a request whose response decides whether the next one may run.
import { NO_NAMES } from '../../catalog/visible-names.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { prepareRequest } from '../../serve/prepare-request.ts';
import type { BatchRequest } from './body/batch.ts';
import { expandRequest, type Located } from './body/expand-request.ts';
import type { Work } from '../../serve/request-context.ts';
import { type FailedResponse, plainFailure } from '../../response/failed-response.ts';
import type { PreparedScript } from '../../sql/render-script.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import { toHttpRequest } from '../../request/part-list.ts';
import { omitPreference } from '../../request/preferences.ts';
import { type BatchContext, responsesTooLarge } from './plan-batch.ts';

export interface PlannedRequest {
  readonly index: number;
  readonly id: string | undefined;
  readonly prepared: PreparedScript;
  readonly work: Work;
}

export interface BatchPart {
  readonly requests: readonly PlannedRequest[];
  /** The failure of the next request, if it cannot be planned. */
  readonly failure: FailedResponse | undefined;
  /** The bytes spent up to the end of this part. */
  readonly spent: SpentBytes;
}

/** The bytes that the batch has spent so far. */
export interface SpentBytes {
  readonly bodies: number;
  /** Of the responses, and of what references have inserted. */
  readonly responses: number;
  /** Characters of the statements. */
  readonly statements: number;
}

/** The requests that have been answered. */
export interface Answered {
  readonly count: number;
  readonly located: Located;
  readonly spent: SpentBytes;
}

/** A part with more parameters ends here, so that writing its messages takes little time. */
const MAX_PARAMETERS = 10_000;

/** Characters. The plans of all requests are kept until the last one is answered. */
const MAX_STATEMENT_LENGTH = 2_097_152;
const STATEMENTS_TOO_LONG: ApiError = {
  kind: 'limitExceeded',
  limit: `The statements of a batch have up to ${MAX_STATEMENT_LENGTH} characters together`,
  status: 400,
};

export async function planPart({ count, located, spent }: Answered, batch: BatchContext): Promise<BatchPart> {
  const { pause } = batch.work.context;
  const planned: PlannedRequest[] = [];
  let now = spent;
  let parameters = 0;
  for (const next of batch.requests.slice(count)) {
    if (next.latestReference >= count || parameters > MAX_PARAMETERS) break;
    const expanded = await expand(next, { count, located, spent: now }, batch);
    if (!expanded.ok) return { requests: planned, failure: failAt(next, expanded.error), spent: now };
    const { work } = expanded.value;
    const prepared = await prepare(work, count > 0);
    await pause();
    // The statements of such a write depend on each other's results.
    const isDivided = prepared.ok && prepared.value.kind === 'rows' && prepared.value.divide !== undefined;
    if (isDivided && planned.length > 0) break;
    now = expanded.value.spent;
    if (!prepared.ok) return { requests: planned, failure: failAt(next, prepared.error), spent: now };
    const { index, id } = next;
    const { main } = prepared.value.statements;
    now = { ...now, statements: now.statements + main.text.length };
    if (now.statements > MAX_STATEMENT_LENGTH)
      return { requests: planned, failure: failAt(next, STATEMENTS_TOO_LONG), spent: now };
    planned.push({ index, id, work, prepared: prepared.value });
    parameters += main.parameters.length;
    if (isDivided || mayFailLater(prepared.value)) break;
  }
  return { requests: planned, failure: undefined, spent: now };
}

function failAt({ index, id }: BatchRequest, error: ApiError): FailedResponse {
  return { ...plainFailure(error), place: { request: index, id } };
}

async function expand(
  next: BatchRequest,
  { located, spent }: Answered,
  batch: BatchContext,
): Promise<Result<{ readonly work: Work; readonly spent: SpentBytes }, ApiError>> {
  const { context, request } = batch.work;
  const { urlMaxLength: maxUrlLength, serverMaxBodySize: maxBodySize, batchMaxResponse } = context.config;
  const slices = expandRequest(next, located, {
    maxUrlLength,
    maxBodySize,
    bodySize: maxBodySize - spent.bodies,
    referencedSize: batchMaxResponse - spent.responses,
    referencedTooMuch: responsesTooLarge(batch),
  });
  const expanded = await runSlicesWithPauses(slices, context.pause);
  if (!expanded.ok) return expanded;
  const { bodySize, referencedSize, headers } = expanded.value;
  // The batch reports the position of its transaction.
  const own = context.config.extensions.sync ? omitPreference(headers, 'position') : headers;
  return ok({
    work: { ...batch.work, request: toHttpRequest({ ...expanded.value, headers: own }, request), phases: undefined },
    spent: { ...spent, bodies: spent.bodies + bodySize, responses: spent.responses + referencedSize },
  });
}

/**
 * @param isOpen whether the transaction is open. Errors then suggest no names, because loading names would take a second
 * connection.
 */
async function prepare(work: Work, isOpen: boolean): Promise<Result<PreparedScript, ApiError>> {
  const context = isOpen ? { ...work.context, findVisibleNames: () => Promise.resolve(NO_NAMES) } : work.context;
  const prepared = await prepareRequest({ ...work, context });
  if (!prepared.ok) return prepared;
  const { value } = prepared;
  if (value.kind === 'info' || value.kind === 'page')
    return fail({ kind: 'invalidBody', message: 'A batch cannot contain requests for web pages' });
  const isStreamed = value.action.kind === 'mutate' && value.action.payload?.batches?.isComplete === false;
  return isStreamed
    ? fail({ kind: 'invalidBody', message: 'A body in a batch is not inserted row by row' })
    : ok(value);
}

/** Whether the response may be an error even if the statement succeeds. */
function mayFailLater({ action }: PreparedScript): boolean {
  if (action.kind === 'describe') return false;
  return action.checks.length > 0 || (action.count.kind !== 'none' && action.range.offset > 0);
}
