// The Fetch API on one side, plain records on the other: serves inside somebody else's server, wherever that runs.
import type { HeaderList, HttpRequest, HttpResponse } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Service } from '../runtime/service.ts';
import { createApiHandler } from './api-handler.ts';
import { decodeHeaderText, encodeHeaderText } from './header-text.ts';
import { answerSafely, type HttpHandler, refuseSafely } from './http-handler.ts';
import { bodyTooLarge } from './read-body.ts';
import { parseTarget } from './request-target.ts';

export type FetchHandler = (request: Request) => Promise<Response>;

export interface FetchHandlerOptions {
  /** The path under which the API is mounted, without a slash at the end: `/api`. Default: none. */
  readonly basePath?: string;
}

const CLIENT = { address: undefined, httpVersion: '1.1' };
const NO_BODY = new Uint8Array();
const INVALID_PATH: ApiError = { kind: 'invalidPath' };

export function createFetchHandler(service: Service, { basePath = '' }: FetchHandlerOptions = {}): FetchHandler {
  const handler = createApiHandler(service);
  return async (incoming) => {
    const { path, ...head } = readHead(incoming);
    const { serverMaxBodySize: maxBodySize } = service.config;
    const body = await readBody(incoming, maxBodySize);
    const isInside = path === basePath || path.startsWith(`${basePath}/`);
    const ownPath = isInside ? path.slice(basePath.length) || '/' : path;
    const request = { ...head, path: ownPath, body: body ?? NO_BODY };
    const refusal = isInside ? body === undefined && bodyTooLarge(maxBodySize) : INVALID_PATH;
    const response =
      refusal === false
        ? await answerSafely(handler, request, { client: CLIENT, signal: incoming.signal })
        : handler.refuse(request, CLIENT, refusal);
    return buildResponseSafely(response, request, handler);
  };
}

function readHead(incoming: Request): Omit<HttpRequest, 'body'> {
  const headers: HeaderList = [...incoming.headers].map(([name, value]) => [name, decodeHeaderText(value)]);
  return { method: incoming.method, ...parseTarget(incoming.url), headers };
}

/** Undefined beyond `maxSize` bytes. */
async function readBody(incoming: Request, maxSize: number): Promise<Uint8Array | undefined> {
  if (incoming.body === null) return NO_BODY;
  if (Number(incoming.headers.get('content-length') ?? 0) > maxSize) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming.body) {
    size += chunk.byteLength;
    if (size > maxSize) return undefined;
    chunks.push(chunk);
  }
  return join(chunks, size);
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.byteLength;
  }
  return bytes;
}

/** What the database set may be no header at all. */
function buildResponseSafely(response: HttpResponse, request: HttpRequest, handler: HttpHandler): Response {
  try {
    return buildResponse(response, request.method);
  } catch (error) {
    handler.onCrash(error);
    return buildResponse(refuseSafely(handler, request, CLIENT), request.method);
  }
}

function buildResponse({ status, reason, headers, body }: HttpResponse, method: string): Response {
  const encoded = headers.map(([name, value]): [string, string] => [name, encodeHeaderText(value)]);
  const statusText = reason === undefined ? {} : { statusText: encodeHeaderText(reason) };
  const hasBody = body !== undefined && method !== 'HEAD';
  return new Response(hasBody ? body : null, { status, headers: encoded, ...statusText });
}
