// The clients of a test: builds requests and reads responses.
import { isStream, type BodyStream } from '../../../src/contract/body-stream.ts';
import type { HeaderList, HttpRequest, HttpResponse, MountSession } from '../../../src/contract/http.ts';
import { parseTarget } from '../../../src/http/receive/read-head.ts';
import type { RequestOptions, TestClient, TestIdentity, TestResponse } from '../contract/types.ts';
import type { AnsweredRequest } from '../../access/why/explain-request.ts';

/** What answers the requests of clients. */
export interface ClientApi {
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  readonly explain: (answered: AnsweredRequest) => Promise<string>;
}

const ORIGIN = 'http://localhost/';

/** @param identity undefined: the token of the request decides */
export function createClient({ send, explain }: ClientApi, identity: TestIdentity | undefined): TestClient {
  const session = identity === undefined ? undefined : toSession(identity);
  const request: TestClient['request'] = async (method, path, options = {}) => {
    const sent = buildRequest(method, path, { ...options, session });
    return readResponse(await send(sent), (answer) => explain({ request: sent, ...answer }));
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
    rpc: (name, args = {}, options) => request('POST', `/rpc/${encodeURIComponent(name)}`, { ...options, body: args }),
  };
}

/** Checks at runtime, since tests may be untyped. */
function toSession({ role, ...claims }: TestIdentity): MountSession {
  if (typeof role !== 'string' || role === '') throw new TypeError('as({ role, … }) needs the name of a role');
  return { role, claimsText: JSON.stringify(claims) };
}

interface RequestParts extends RequestOptions {
  readonly body?: unknown;
  readonly session: MountSession | undefined;
}

function buildRequest(
  method: string,
  path: string,
  { body, headers: fields = {}, session }: RequestParts,
): HttpRequest {
  const headers = Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value] as const);
  const isTyped = headers.some(([name]) => name === 'content-type');
  const bytes = encodeBody(body, isTyped);
  const typed = bytes === undefined || isTyped ? headers : [...headers, ['content-type', 'application/json'] as const];
  const { href } = new URL(path.replace(/^\/*/u, ''), ORIGIN);
  return {
    method,
    ...parseTarget(href),
    headers: typed,
    body: bytes ?? new Uint8Array(),
    mount: { basePath: '', origin: ORIGIN, isBare: false, session },
  };
}

function encodeBody(body: unknown, isTyped: boolean): Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(isTyped && typeof body === 'string' ? body : JSON.stringify(body));
}

/** Rejects if the database fails after the response has begun. */
async function readResponse(
  { status, headers, body }: HttpResponse,
  explain: (answer: Pick<AnsweredRequest, 'status' | 'body'>) => Promise<string>,
): Promise<TestResponse> {
  const [, type = ''] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const content = readContent(isStream(body) ? await collect(body) : body, type);
  let fields: Headers | undefined;
  return {
    status,
    // The class is part of `fetch`, which takes longer to load than many tests run.
    get headers() {
      return (fields ??= toHeaders(headers));
    },
    body: content,
    rows: status < 300 ? listRows(content) : [],
    explain: () => explain({ status, body: content }),
  };
}

function toHeaders(list: HeaderList): Headers {
  const fields = new Headers();
  for (const [name, value] of list) fields.append(name, value);
  return fields;
}

function readContent(bytes: Uint8Array | undefined, type: string): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = new TextDecoder().decode(bytes);
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b/iu.test(type);
  if (isJson) return JSON.parse(text);
  return /^text\/|charset=|ndjson/iu.test(type) ? text : bytes;
}

function listRows(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'object' && content !== null && !(content instanceof Uint8Array) ? [content] : [];
}

function collect(body: BodyStream): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    body.read({
      take(piece) {
        pieces.push(piece);
        return true;
      },
      end: () => resolve(Buffer.concat(pieces)),
      fail: () => reject(new Error('The response broke off.', { cause: body.failure })),
    });
  });
}
