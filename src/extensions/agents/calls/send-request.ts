// Sends the request of a tool call through the API, with the identity of the agent's own request, and reads the reply.
import { type BodyStream, isStream } from '../../../contract/body-stream.ts';
import type { HeaderList, HttpRequest } from '../../../contract/http.ts';
import type { CallReply } from '../../../serve/extension.ts';
import { joinBytes } from '../../../util/join-bytes.ts';
import { isJsonObject } from '../../../util/json-object.ts';

/** Handles a request like one from a client: authenticates, plans, runs and logs it. */
export type CallApi = (request: HttpRequest, cancelled: AbortSignal) => Promise<CallReply>;

/** The agent's request, whose identity its tool calls share. */
export type AgentRequest = Pick<HttpRequest, 'headers' | 'mount' | 'sender'>;

export interface ToolRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Decoded names and values. */
  readonly parameters?: readonly Parameter[];
  readonly headers: readonly ToolHeader[];
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Reads the body of the response; absent: as JSON with exact numbers. */
  readonly read?: (bytes: Uint8Array) => Promise<unknown>;
}

/** No argument names a header: a gateway that sets or removes headers sees only those of the agent's request. */
export type ToolHeader = readonly [name: 'accept' | 'accept-profile' | 'content-profile' | 'prefer', value: string];

export type Parameter = readonly [name: string, value: string];

export type Reply = Answer | { readonly kind: 'failure'; readonly failure: ToolFailure };

export interface Answer {
  readonly kind: 'answer';
  readonly headers: HeaderList;
  /** Undefined if there is no body, or if it is too long. */
  readonly body: unknown;
  readonly isTooLong: boolean;
}

/** Every text in it may come from the database. */
export interface ToolFailure {
  readonly status?: number;
  readonly code?: string;
  readonly message: string;
  readonly details?: unknown;
  readonly hint?: string;
}

/** Headers of the agent's own request that would change the meaning of the tool's request. */
const OWN_HEADERS =
  /^(?:accept|accept-.*|connection|content-.*|expect|idempotency-key|if-.*|keep-alive|last-event-id|mcp-.*|origin|prefer|range|range-unit|te|transfer-encoding|upgrade)$/u;

export const TOO_LONG: ToolFailure = {
  message: 'The response is longer than a tool can read',
  hint: 'Select fewer columns, or set a lower limit',
};
const BROKEN: ToolFailure = { message: 'The response ended early, because the database failed', hint: 'Try again' };

export async function sendRequest(
  agent: AgentRequest,
  call: CallApi,
  cancelled: AbortSignal,
  request: ToolRequest,
): Promise<Reply> {
  const { response, failure } = await call(buildRequest(agent, request), cancelled);
  const collected = await collectBody(response.body);
  if (collected.kind === 'broken') return { kind: 'failure', failure: BROKEN };
  const isTooLong = collected.kind === 'tooLong';
  const bytes = isTooLong ? NO_BYTES : collected.bytes;
  const isAnswer = failure === undefined && response.status < 400;
  const body = await (isAnswer && bytes.length > 0 && request.read ? request.read(bytes) : parseSafely(bytes));
  const headers = response.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  if (isAnswer) return { kind: 'answer', headers, body, isTooLong };
  return { kind: 'failure', failure: describeFailure(response.status, body) };
}

/** Returns the name of a relation or function as a segment of a path. */
export function encodeSegment(name: string): string {
  return encodeText(name);
}

export function renderQuery(parameters: readonly Parameter[]): string {
  return parameters.map((pair) => pair.map(encodeText).join('=')).join('&');
}

/** Replaces lone surrogates, which have no encoding in UTF-8. */
function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));
}

function buildRequest({ headers, mount, sender }: AgentRequest, request: ToolRequest): HttpRequest {
  const { method, path, parameters = [], body } = request;
  const content: HeaderList = body === undefined ? [] : [['content-type', 'application/json']];
  return {
    method,
    path,
    rawQuery: renderQuery(parameters),
    headers: [...headers.filter(([name]) => !OWN_HEADERS.test(name)), ...content, ...request.headers],
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    isOwnCall: true,
    ...(mount && { mount }),
    ...(sender && { sender }),
  };
}

const NO_BYTES = new Uint8Array();

/** @returns undefined for an empty body */
function parseSafely(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (text === '') return undefined;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

function describeFailure(status: number, body: unknown): ToolFailure {
  const { code, message, details, hint } = isJsonObject(body) ? body : {};
  return {
    status,
    ...(typeof code === 'string' ? { code } : {}),
    message: typeof message === 'string' ? message : 'The request failed',
    ...(details === undefined || details === null ? {} : { details }),
    ...(typeof hint === 'string' ? { hint } : {}),
  };
}

/** Several times the size of a result, because rows are dropped from it only after they have arrived. */
const MAX_BYTES = 4_194_304;

/** `broken`: the database failed after the response had begun. */
type CollectedBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLong' }
  | { readonly kind: 'broken' };

function collectBody(body: Uint8Array | BodyStream | undefined): Promise<CollectedBody> {
  if (isStream(body)) return collectStream(body);
  const bytes = body ?? NO_BYTES;
  return Promise.resolve(bytes.byteLength > MAX_BYTES ? { kind: 'tooLong' } : { kind: 'bytes', bytes });
}

function collectStream(body: BodyStream): Promise<CollectedBody> {
  return new Promise((resolve) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    body.read({
      take(piece) {
        size += piece.byteLength;
        if (size <= MAX_BYTES) {
          pieces.push(piece);
          return true;
        }
        resolve({ kind: 'tooLong' });
        body.cancel();
        return false;
      },
      end: () => resolve({ kind: 'bytes', bytes: joinBytes(pieces) }),
      fail: () => resolve({ kind: 'broken' }),
    });
  });
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gu;

/**
 * Parses JSON without changing its numbers: those that JavaScript cannot represent become strings. An agent that reads
 * the key 9007199254740993 must not write to the row 9007199254740992.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replaceAll(STRING_OR_NUMBER, (token) => (isInexact(token) ? `"${token}"` : token)));
}

/** Longer numbers have more digits than JavaScript keeps. */
const MAX_NUMBER_LENGTH = 40;

/** Up to 15 digits are exact. */
function isInexact(token: string): boolean {
  if (token.length <= 15 || token.startsWith('"')) return false;
  if (token.length > MAX_NUMBER_LENGTH) return true;
  return normalize(String(Number(token))) !== normalize(token);
}

/** PostgreSQL prints trailing zeros, which carry no value. */
function normalize(number: string): string {
  return number.includes('.') && !/e/iu.test(number) ? number.replace(/\.?0+$/u, '') : number;
}
