// Serves the API through the Fetch API, inside another server that supports it.
import { isStream } from '../../contract/body-stream.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../contract/http.ts';
import { decodeHeaderText, encodeHeaderText, parseTarget } from '../receive/read-head.ts';
import { BODY_CUT } from '../../request/payload/payload-errors.ts';
import type { Service } from '../../service/service.ts';
import { Admission } from '../limits/admission.ts';
import { type BodyReader, ReadableBody } from './readable-body.ts';
import { GrowingBytes } from '../receive/growing-bytes.ts';
import { admitSafely, answerSafely, checkSafely, type HttpHandler, refuseSafely } from '../exchange/http-handler.ts';
import {
  beyondLimit,
  bodyTooLarge,
  maxBodySize,
  type CurrentLimits,
  type LimitName,
  type ReportedLimit,
} from '../limits/limits.ts';
import { BODY_TAKEN, checkBasePath, type HandlerOptions, type HandlerParts, mountHandler } from './mounted-handler.ts';
import { type BodyRules, EMPTY_BODY, limitOf, type SizeLimit, UNCHECKED_BYTES } from '../receive/read-body.ts';
import { cancelBody } from '../send/send-response.ts';
import { createSending, type Sending } from '../send/send-wait.ts';
import { streamBody } from './stream-body.ts';

/** Answers every request and never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

export type FetchHandlerOptions = HandlerOptions<Request>;

const CLIENT = { address: undefined, httpVersion: '1.1' };

export function createFetchHandler(
  service: Service,
  { options = {}, onLimit, unsent }: HandlerParts<FetchHandlerOptions>,
): FetchHandler {
  const { basePath = '' } = options;
  checkBasePath(basePath);
  const api = service.serving.requests;
  const limits = service.serving.state;
  const admission = new Admission({ limits, countPermitWaiters: () => service.serving.waitingForPermit });
  const sending = createSending(limits, onLimit, (error) => api.onConnectionError(error), unsent);
  return async (incoming) => {
    const headers: HeaderList = [...incoming.headers].map(([name, value]) => [name, decodeHeaderText(value)]);
    const request = { method: incoming.method, ...parseTarget(incoming.url), headers, body: EMPTY_BODY };
    const handler = mountHandler(api, incoming, { ...options, basePath, path: request.path, origin: incoming.url });
    const response = await answer(incoming, request, { handler, limits, admission, onLimit });
    // Cancels the body if the caller has left; otherwise the response would be logged as broken.
    if (isStream(response.body)) incoming.signal.addEventListener('abort', () => cancelBody(response), { once: true });
    return buildResponseSafely(response, request, handler, sending);
  };
}

interface Host {
  readonly handler: HttpHandler;
  readonly limits: CurrentLimits;
  readonly admission: Admission;
  readonly onLimit: (name: LimitName) => void;
}

/** Applies the limits of single requests; the host server enforces the others. */
async function answer(incoming: Request, request: HttpRequest, host: Host): Promise<HttpResponse> {
  const { handler, limits, admission, onLimit } = host;
  if (request.headers.length > limits.config.serverMaxHeaders) return refuse('server-max-headers', request, host);
  const overload = admission.check();
  if (overload !== undefined) return refuse(overload, request, host);
  if (handler.admit === undefined) return answerAdmitted(incoming, request, host);
  const admitted = await admitSafely(handler.admit, handler, request, CLIENT);
  if (admitted.ok) return answerAdmitted(incoming, admitted.value, host);
  onLimit('server-rate-limit');
  return handler.refuse(request, CLIENT, admitted.error);
}

function refuse(name: ReportedLimit, request: HttpRequest, { handler, limits, onLimit }: Host): HttpResponse {
  onLimit(name);
  return handler.refuse(request, CLIENT, beyondLimit(name, limits.config));
}

async function answerAdmitted(incoming: Request, request: HttpRequest, host: Host): Promise<HttpResponse> {
  const { handler, limits, admission, onLimit } = host;
  const body = await readBodySafely(incoming, {
    maxSize: maxBodySize(request, limits.config),
    mayArrive: handler.mayArrive?.(request) === true,
    check: () => checkSafely(handler, request, CLIENT),
    waits: admission,
  });
  const run = async (whole: HttpRequest, release = (): void => undefined): Promise<HttpResponse> => {
    const { signal } = incoming;
    // Many other requests may have arrived while the body was received.
    const lateOverload = admission.check();
    if (lateOverload === undefined)
      return admission.run(() => answerSafely(handler, whole, CLIENT, signal).finally(release));
    release();
    return refuse(lateOverload, request, host);
  };
  switch (body.kind) {
    case 'refused':
      return body.response;
    case 'tooLarge':
      onLimit('server-max-body-size');
      return handler.refuse(request, CLIENT, bodyTooLarge(request, limits.config));
    case 'taken':
      return handler.refuse(request, CLIENT, BODY_TAKEN);
    case 'broken':
      return handler.refuse(request, CLIENT, BODY_CUT);
    case 'body':
      return run({ ...request, body: body.bytes });
    case 'arriving':
      return run({ ...request, arriving: body.body }, () => body.body.release());
  }
}

type FetchBody =
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  /** Streamed: read on demand; release it after use. */
  | { readonly kind: 'arriving'; readonly body: ReadableBody }
  | { readonly kind: 'refused'; readonly response: HttpResponse }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'broken' };

type FetchBodyRules = Pick<BodyRules, 'maxSize' | 'mayArrive' | 'check' | 'waits'>;

async function readBodySafely(incoming: Request, rules: FetchBodyRules): Promise<FetchBody> {
  if (incoming.bodyUsed || incoming.body?.locked === true) return { kind: 'taken' };
  if (incoming.body === null) return { kind: 'body', bytes: EMPTY_BODY };
  const declared = Number(incoming.headers.get('content-length') ?? 0);
  if (declared > rules.maxSize && !rules.mayArrive) return { kind: 'tooLarge' };
  const reader = incoming.body.getReader();
  try {
    const body = await readBody(reader, declared, rules);
    if (body.kind === 'refused' || body.kind === 'tooLarge') reader.cancel().catch(() => undefined);
    return body;
  } catch {
    return { kind: 'broken' };
  }
}

async function readBody(reader: BodyReader, declared: number, rules: FetchBodyRules): Promise<FetchBody> {
  const bytes = new GrowingBytes(declared);
  let limit: SizeLimit | undefined;
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done) return { kind: 'body', bytes: await bytes.join() };
    if (bytes.size + chunk.byteLength > rules.maxSize && !rules.mayArrive) return { kind: 'tooLarge' };
    bytes.add(chunk);
    if (limit === undefined && bytes.size > Math.min(UNCHECKED_BYTES, rules.maxSize)) {
      const reading = await rules.check();
      if (!reading.ok) return { kind: 'refused', response: reading.error };
      limit = limitOf(reading.value, rules);
    }
    if (limit === undefined || bytes.size <= limit.bytes) continue;
    if (!limit.isArriving) return { kind: 'tooLarge' };
    return { kind: 'arriving', body: new ReadableBody(reader, rules.waits, bytes.takeSegments()) };
  }
}

/** The database may have set an invalid header. */
function buildResponseSafely(
  response: HttpResponse,
  request: HttpRequest,
  handler: HttpHandler,
  sending: Sending,
): Response {
  try {
    return buildResponse(response, request.method, sending);
  } catch (error) {
    handler.onCrash(error);
    cancelBody(response);
    return buildResponse(refuseSafely(handler, request, CLIENT), request.method, sending);
  }
}

function buildResponse({ status, reason, headers, body }: HttpResponse, method: string, sending: Sending): Response {
  const encoded = headers.map(([name, value]): [string, string] => [name, encodeHeaderText(value)]);
  const statusText = reason === undefined ? {} : { statusText: encodeHeaderText(reason) };
  const sent =
    body === undefined || method === 'HEAD' ? null : body instanceof Uint8Array ? body : streamBody(body, sending);
  return new Response(sent, { status, headers: encoded, ...statusText });
}
