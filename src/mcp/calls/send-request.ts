// Sends the request of a tool call through the API, with the identity of the agent's own request, and reads the reply.
import type { HeaderList, HttpRequest, HttpResponse } from '../../contract/http.ts';
import { isJsonObject } from '../../util/json-object.ts';
import { collectBody } from './collect-body.ts';
import { parseExactly } from './parse-exactly.ts';

/** Handles a request like one from a client: authenticates, plans, runs and logs it. */
export type CallApi = (request: HttpRequest, cancelled: AbortSignal) => Promise<ApiReply>;

export interface ApiReply {
  readonly response: HttpResponse;
  /** Set for an error, whatever its status: the database can choose any. */
  readonly failure: object | undefined;
}

/** The agent's request, whose identity its tool calls share. */
export type AgentRequest = Pick<HttpRequest, 'headers' | 'mount'>;

export interface ToolRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Decoded names and values. */
  readonly parameters?: readonly Parameter[];
  readonly headers: HeaderList;
  /** Sent as JSON. */
  readonly body?: unknown;
}

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
  /^(?:accept|accept-.*|connection|content-.*|expect|idempotency-key|if-.*|keep-alive|last-event-id|mcp-.*|origin|prefer|range|te|transfer-encoding|upgrade)$/u;

export const TOO_LONG: ToolFailure = {
  message: 'The response is longer than a tool can read',
  hint: 'Select fewer columns, or set a lower limit',
};
const BROKEN: ToolFailure = { message: 'The response ended early, because the database failed', hint: 'Try again' };

/** Sends the requests of one tool call. */
export interface Sender {
  readonly agent: AgentRequest;
  readonly call: CallApi;
  /** Aborts when the call of the tool is cancelled. */
  readonly cancelled: AbortSignal;
}

export async function sendRequest({ agent, call, cancelled }: Sender, request: ToolRequest): Promise<Reply> {
  const { response, failure } = await call(buildRequest(agent, request), cancelled);
  const collected = await collectBody(response.body);
  if (collected.kind === 'broken') return { kind: 'failure', failure: BROKEN };
  const isTooLong = collected.kind === 'tooLong';
  const body = isTooLong || collected.text === '' ? undefined : parseSafely(collected.text);
  if (failure === undefined && response.status < 400)
    return { kind: 'answer', headers: lowerNames(response.headers), body, isTooLong };
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

function buildRequest({ headers, mount }: AgentRequest, request: ToolRequest): HttpRequest {
  const { method, path, parameters = [], body } = request;
  const content: HeaderList = body === undefined ? [] : [['content-type', 'application/json']];
  return {
    method,
    path,
    rawQuery: renderQuery(parameters),
    headers: [...headers.filter(([name]) => !OWN_HEADERS.test(name)), ...content, ...request.headers],
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    isToolCall: true,
    ...(mount === undefined ? {} : { mount }),
  };
}

function parseSafely(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

function lowerNames(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name.toLowerCase(), value]);
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
