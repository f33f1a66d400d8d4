// Plans the requests of a batch that go to the database together: those after the last answered one, up to a reference to
// one of them, or to one whose response decides whether the next may run.
import { NO_NAMES } from '../catalog/visible-names.ts';
import type { HttpRequest } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { prepareRequest } from '../prepare-request.ts';
import { type BatchFault, type BatchRequest, latestReference } from '../request/batch/batch.ts';
import { expandRequest } from '../request/batch/expand-request.ts';
import type { JsonDocument } from '../request/batch/json-document.ts';
import type { PreparedScript } from '../sql/render-script.ts';
import { type BatchContext, toHttpRequest } from './batch-context.ts';

export interface PlannedRequest {
  readonly index: number;
  readonly id: string | undefined;
  readonly request: HttpRequest;
  readonly prepared: PreparedScript;
}

export interface BatchPart {
  readonly requests: readonly PlannedRequest[];
  /** Why the request after these fails, if it does. */
  readonly failure: BatchFault | undefined;
  /** Bytes of the bodies up to the end of this part. */
  readonly bodySize: number;
}

/** The requests that have been answered. */
export interface Answered {
  readonly documents: readonly JsonDocument[];
  readonly bodySize: number;
}

export async function planPart({ documents, bodySize }: Answered, batch: BatchContext): Promise<BatchPart> {
  const planned: PlannedRequest[] = [];
  let size = bodySize;
  for (const next of batch.requests.slice(documents.length)) {
    if (latestReference(next) >= documents.length) break;
    const expanded = expand(next, { documents, bodySize: size }, batch);
    if (!expanded.ok) return { requests: planned, failure: faultOf(next, expanded.error), bodySize: size };
    const prepared = await prepare(expanded.value.request, documents.length > 0, batch);
    // The statements of a nested write depend on each other's results.
    const isNested = prepared.ok && prepared.value.kind === 'rows' && prepared.value.nested !== undefined;
    if (isNested && planned.length > 0) break;
    size = expanded.value.bodySize;
    if (!prepared.ok) return { requests: planned, failure: faultOf(next, prepared.error), bodySize: size };
    const { index, id } = next;
    planned.push({ index, id, request: expanded.value.request, prepared: prepared.value });
    if (isNested || mayFailLater(prepared.value)) break;
  }
  return { requests: planned, failure: undefined, bodySize: size };
}

function faultOf({ index, id }: Pick<BatchRequest, 'index' | 'id'>, error: ApiError): BatchFault {
  return { error, request: index, id };
}

function expand(
  next: BatchRequest,
  { documents, bodySize }: Answered,
  { outer, context }: BatchContext,
): Result<{ readonly request: HttpRequest; readonly bodySize: number }, ApiError> {
  const { urlMaxLength: maxUrlLength, serverMaxBodySize: maxBodySize } = context.config;
  const expanded = expandRequest(next, documents, { maxUrlLength, maxBodySize, bodySize: maxBodySize - bodySize });
  if (!expanded.ok) return expanded;
  return ok({ request: toHttpRequest(expanded.value, outer), bodySize: bodySize + expanded.value.bodySize });
}

/**
 * @param isOpen whether the transaction is open: the names for suggestions would then need a second connection, so errors
 * suggest none
 */
async function prepare(
  request: HttpRequest,
  isOpen: boolean,
  { identity, context, planning }: BatchContext,
): Promise<Result<PreparedScript, ApiError>> {
  const known = isOpen ? { ...context, findVisibleNames: () => Promise.resolve(NO_NAMES) } : context;
  const prepared = await prepareRequest(request, { planning, role: identity.role }, known);
  if (!prepared.ok) return prepared;
  const { value } = prepared;
  if (value.kind === 'info' || value.kind === 'page')
    return fail({ kind: 'invalidBody', message: 'A batch cannot contain requests for web pages' });
  const isStreamed = value.action.kind === 'mutate' && value.action.payload?.batches?.isComplete === false;
  return isStreamed
    ? fail({ kind: 'invalidBody', message: 'A body in a batch is not inserted row by row' })
    : ok(value);
}

/** Whether the response may be an error although its statement succeeds. */
function mayFailLater({ action }: PreparedScript): boolean {
  if (action.kind === 'describe') return false;
  return action.checks.length > 0 || (action.count.kind !== 'none' && action.range.offset > 0);
}
