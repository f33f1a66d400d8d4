// Sends a recorded request to a server and reads the whole response. Never follows redirects.
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { HeaderList } from '../../../src/contract/http.ts';
import { basePathOf, type RecordedRequest } from '../requests/recorded-request.ts';

/** What a server returned for a request. */
export type Reply =
  | Response
  | { readonly kind: 'failure'; /** A sentence without its period. */ readonly reason: string };

export interface Response {
  readonly kind: 'response';
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Replaces the server's own address, which each server names in its description and may name in `Location`. */
function hideAddress(reply: Reply, { host }: URL): Reply {
  if (reply.kind === 'failure') return reply;
  const headers = reply.headers.map(([name, value]) => [name, value.replaceAll(host, ADDRESS)] as const);
  // Latin-1 keeps every byte.
  const body = reply.body.includes(host)
    ? Buffer.from(reply.body.toString('latin1').replaceAll(host, ADDRESS), 'latin1')
    : reply.body;
  return { ...reply, headers, body };
}

const ADDRESS = 'server.invalid';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** `Content-Location` repeats the query, however long it is. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** Always resolves; a server that does not respond in time is a failure. */
export async function sendRequest(server: URL, request: RecordedRequest, timeoutMs: number): Promise<Reply> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return hideAddress(await receive(server, request, signal), server);
  } catch (error) {
    return { kind: 'failure', reason: describe(error, signal) };
  }
}

/** Rejects if the connection fails, or if the recorded request cannot be sent as HTTP. */
function receive(server: URL, request: RecordedRequest, signal: AbortSignal): Promise<Reply> {
  const send = server.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      server,
      {
        method: request.method,
        path: encodeTarget(`${basePathOf(server)}${request.target}`),
        headers: groupHeaders(request),
        agent: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      },
      (incoming) => void readBody(incoming).then(resolve, reject),
    );
    outgoing.on('error', reject);
    outgoing.end(request.body);
  });
}

/** Logs may contain characters that are not allowed in a request line; escapes are kept as recorded. */
function encodeTarget(target: string): string {
  return target.replaceAll(/[^!-~]/gu, (character) => encodeURIComponent(character));
}

function groupHeaders({ headers, body }: RecordedRequest): Record<string, string | string[]> {
  const grouped = new Map<string, string[]>();
  for (const [name, value] of headers) grouped.set(name, [...(grouped.get(name) ?? []), value]);
  // `node:http` sets no length for a DELETE.
  if (body !== undefined) grouped.set('content-length', [String(Buffer.byteLength(body))]);
  return Object.fromEntries(
    [...grouped].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

async function readBody(incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      incoming.destroy();
      return { kind: 'failure', reason: `the body is longer than ${MAX_BODY_BYTES / 1024 / 1024} MiB` };
    }
    chunks.push(chunk);
  }
  return {
    kind: 'response',
    status: incoming.statusCode ?? 0,
    headers: pairHeaders(incoming.rawHeaders),
    body: Buffer.concat(chunks),
  };
}

function pairHeaders(raw: readonly string[]): HeaderList {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as const] : []));
}

function describe(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no complete response in time';
  if (!(error instanceof Error)) return String(error);
  // Node says no more than "aborted" about a response that was cut off.
  if (error.message === 'aborted') return 'the connection was closed before the end of the response';
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
