// The context that all requests of a batch share: the batch itself, its sender and its transaction.
import type { Identity } from '../auth/authenticate.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { HeaderList, HttpRequest } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { IsolationLevel } from '../contract/transaction.ts';
import type { Planning } from '../prepare/plan-cache.ts';
import type { Batch } from '../request/batch/batch.ts';
import type { ExpandedRequest } from '../request/batch/expand-request.ts';
import type { RequestContext } from '../request-context.ts';

/** The transaction of all requests. */
export interface BatchTransaction {
  readonly access: 'read only' | 'read write';
  readonly isolation: IsolationLevel | undefined;
  readonly end: 'commit' | 'rollback';
  /** Value of `Preference-Applied`. */
  readonly preferencesApplied: string | undefined;
}

export interface BatchContext extends Batch {
  readonly outer: HttpRequest;
  readonly identity: Identity;
  readonly transaction: BatchTransaction;
  readonly context: RequestContext & { readonly cache: SchemaCache };
  readonly planning: Planning;
}

/** Headers that describe the body of the batch, not its sender. */
const MESSAGE_HEADERS =
  /^(?:accept|accept-encoding|content-(?!profile$).*|expect|idempotency-key|if-.*|prefer|range|transfer-encoding|connection|te|trailer|upgrade)$/u;

/**
 * Turns a request of the batch into an HTTP request. It inherits the headers of the batch that describe the sender, and
 * cannot replace them, because a proxy may have set them.
 */
export function toHttpRequest(expanded: ExpandedRequest, { headers, mount }: HttpRequest): HttpRequest {
  const outer = headers.filter(([name]) => !MESSAGE_HEADERS.test(name));
  const names = new Set(outer.map(([name]) => name));
  const own: HeaderList = expanded.headers.filter(([name]) => !names.has(name));
  const { method, path, rawQuery, body } = expanded;
  return { method, path, rawQuery, headers: [...outer, ...own], body, ...(mount && { mount }) };
}

/** @param request index of the request whose response exceeds the limit; undefined if the caller adds it */
export function responsesTooLarge({ context }: BatchContext, request?: number): ApiError {
  const limit = `The responses in a batch and the parts of them that references insert have up to ${context.config.batchMaxResponse} bytes together`;
  return { kind: 'limitExceeded', limit, option: 'batch-max-response', status: 400, request };
}
