// The Fetch API on one side, plain records on the other: serves inside another server that supports the Fetch API.
import type { BodyStream } from '../contract/body-stream.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Service } from '../runtime/service.ts';
import { Admission } from './admission.ts';
import { createApiHandler } from './api-handler.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { decodeHeaderText, encodeHeaderText } from './header-text.ts';
import { answerSafely, checkSafely, type HttpHandler, refuseSafely } from './http-handler.ts';
import { beyondLimit, type HttpLimits, type LimitName, type ToldLimit } from './limits.ts';
import { BODY_TAKEN, checkBasePath, type HandlerOptions, type HandlerParts, mountHandler } from './mounted-handler.ts';
import { type BodyRules, EMPTY_BODY, UNCHECKED_BYTES } from './read-body.ts';
import { parseTarget } from './request-target.ts';
import { cancelBody } from './send-response.ts';
import { streamBody } from './stream-body.ts';

/** Answers every request that it gets, and never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

export type FetchHandlerOptions = HandlerOptions<Request>;

const CLIENT = { address: undefined, httpVersion: '1.1' };

export function createFetchHandler(
  service: Service,
  { options = {}, onLimit }: HandlerParts<FetchHandlerOptions>,
): FetchHandler {
  const { basePath = '' } = options;
  checkBasePath(basePath);
  const api = createApiHandler(service);
  const limits = (): HttpLimits => service.config;
  const admission = new Admission(limits);
  return async (incoming) => {
    const request = readHead(incoming);
    const handler = mountHandler(api, incoming, { ...options, basePath, path: request.path, origin: incoming.url });
    const response = await answer(incoming, request, { handler, limits, admission, onLimit });
    return buildResponseSafely(response, request, { handler, limits, admission, onLimit });
  };
}

interface Host {
  readonly handler: HttpHandler;
  readonly limits: () => HttpLimits;
  readonly admission: Admission;
  readonly onLimit: (name: LimitName) => void;
}

/** The limits that apply here; the others are those of the server that accepts the connections. */
async function answer(incoming: Request, request: HttpRequest, host: Host): Promise<HttpResponse> {
  const { handler, limits, admission, onLimit } = host;
  const { serverMaxBodySize, serverMaxHeaders } = limits();
  const refuse = (name: ToldLimit): HttpResponse => {
    onLimit(name);
    return handler.refuse(request, CLIENT, beyondLimit(name, limits()));
  };
  if (request.headers.length > serverMaxHeaders) return refuse('server-max-headers');
  const overload = admission.check();
  if (overload !== undefined) return refuse(overload);
  const check = (): Promise<HttpResponse | undefined> => checkSafely(handler, request, CLIENT);
  const body = await readBodySafely(incoming, { maxSize: serverMaxBodySize, check });
  if (body === 'tooLarge') return refuse('server-max-body-size');
  if (body === 'taken') return handler.refuse(request, CLIENT, BODY_TAKEN);
  if (body === 'broken') return handler.refuse(request, CLIENT, BODY_BROKEN);
  if (!(body instanceof Uint8Array)) return body;
  const { signal } = incoming;
  return admission.run(() => answerSafely(handler, { ...request, body }, { client: CLIENT, signal }));
}

function readHead(incoming: Request): HttpRequest {
  const headers: HeaderList = [...incoming.headers].map(([name, value]) => [name, decodeHeaderText(value)]);
  return { method: incoming.method, ...parseTarget(incoming.url), headers, body: EMPTY_BODY };
}

/** The client may leave in the middle of its body. */
const BODY_BROKEN: ApiError = {
  kind: 'invalidBody',
  message: 'The body of the request ended before all of it had come',
};

type WholeBody = Uint8Array | HttpResponse | 'tooLarge';
type FetchBodyRules = Pick<BodyRules, 'maxSize' | 'check'>;

async function readBodySafely(incoming: Request, rules: FetchBodyRules): Promise<WholeBody | 'taken' | 'broken'> {
  if (incoming.bodyUsed || incoming.body?.locked === true) return 'taken';
  try {
    return await readBody(incoming, rules);
  } catch {
    return 'broken';
  }
}

/** @returns the body, or the answer to a request that gets it whatever its body is */
async function readBody(incoming: Request, { maxSize, check }: FetchBodyRules): Promise<WholeBody> {
  if (incoming.body === null) return EMPTY_BODY;
  const declared = Number(incoming.headers.get('content-length') ?? 0);
  if (declared > maxSize) return 'tooLarge';
  const bytes = new GrowingBytes(declared);
  let isChecked = false;
  for await (const chunk of incoming.body) {
    if (bytes.size + chunk.byteLength > maxSize) return 'tooLarge';
    bytes.add(chunk);
    if (isChecked || bytes.size <= UNCHECKED_BYTES) continue;
    isChecked = true;
    const refusal = await check();
    if (refusal !== undefined) return refusal;
  }
  return bytes.join();
}

/** The database may have set an invalid header. */
function buildResponseSafely(response: HttpResponse, request: HttpRequest, { handler, limits }: Host): Response {
  const { serverSendTimeout } = limits();
  try {
    return buildResponse(response, request.method, serverSendTimeout);
  } catch (error) {
    handler.onCrash(error);
    cancelBody(response);
    return buildResponse(refuseSafely(handler, request, CLIENT), request.method, serverSendTimeout);
  }
}

function buildResponse({ status, reason, headers, body }: HttpResponse, method: string, sendTimeout: number): Response {
  const encoded = headers.map(([name, value]): [string, string] => [name, encodeHeaderText(value)]);
  const statusText = reason === undefined ? {} : { statusText: encodeHeaderText(reason) };
  const sent = body === undefined || method === 'HEAD' ? null : toBodyInit(body, sendTimeout);
  return new Response(sent, { status, headers: encoded, ...statusText });
}

function toBodyInit(body: Uint8Array | BodyStream, sendTimeout: number): Uint8Array | ReadableStream<Uint8Array> {
  return body instanceof Uint8Array ? body : streamBody(body, sendTimeout * 1000);
}
