// Reads one request of a batch: its members and what is not allowed in a batch (`beyond.md` §2.1).
import { type HeaderList, isSendable } from '../../contract/http.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isJsonObject } from '../../util/json-object.ts';
import { OPEN_BRACE } from '../payload/json-scanner.ts';
import { isBatchType } from './batch-type.ts';
import { listMembers, type Member, readValue, type Span } from '../payload/json-text.ts';

export interface ReadRequest {
  readonly id: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Span | undefined;
}

export interface RequestFault {
  readonly id: string | undefined;
  /** Continues "Request 2 of the batch …". */
  readonly problem: string;
}

const MEMBERS: ReadonlySet<string> = new Set(['id', 'method', 'path', 'headers', 'body']);
const METHOD = /^[A-Z]+$/u;
/** A path starts at the root of the API. Control characters and blanks are not part of URLs. */
const TARGET = /^\/[^\p{Cc} ]*$/u;
/** The batch itself has them, for all its requests. */
const OUTER_HEADERS: ReadonlySet<string> = new Set([
  'accept-profile',
  'authorization',
  'content-profile',
  'cookie',
  'host',
  'idempotency-key',
]);
const OUTER_PREFERENCE = /(?:^|,)\s*(tx|isolation)\s*=/iu;

/** @param span of the array's element */
export function readRequest(text: Uint8Array, span: Span, dialect: Dialect): Result<ReadRequest, RequestFault> {
  if (text[span.start] !== OPEN_BRACE) return fail({ id: undefined, problem: 'is not an object' });
  const members = new Map([...listMembers(text, span.start)].map((member) => [member.name, member]));
  const read = (name: string): unknown => readMember(text, members.get(name));
  const id = read('id');
  const known = typeof id === 'string' ? id : undefined;
  const refuse = (problem: string): Result<never, RequestFault> => fail({ id: known, problem });
  const unknown = [...members.keys()].find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) return refuse(`has the unknown member "${unknown}"`);
  if (id !== undefined && known === undefined) return refuse('has an id that is not a string');
  const method = read('method');
  if (typeof method !== 'string' || !METHOD.test(method)) return refuse('has no valid method');
  const target = read('path');
  if (typeof target !== 'string' || !TARGET.test(target)) return refuse('has no path that starts with /');
  const headers = readHeaders(read('headers') ?? {});
  if (headers === undefined) return refuse('has headers that are not an object of strings');
  const problem = findProblem({ method, target, headers }, dialect);
  if (problem !== undefined) return refuse(problem);
  return ok({ id: known, method, target, headers, body: members.get('body') });
}

function readMember(text: Uint8Array, member: Member | undefined): unknown {
  return member && readValue(text, member);
}

function readHeaders(value: unknown): HeaderList | undefined {
  if (!isJsonObject(value)) return undefined;
  const headers: (readonly [string, string])[] = [];
  for (const [name, content] of Object.entries(value)) {
    for (const line of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
      if (typeof line !== 'string' || !isSendable(name, line)) return undefined;
      headers.push([name.toLowerCase(), line]);
    }
  }
  return headers;
}

function findProblem(
  { method, target, headers }: Pick<ReadRequest, 'method' | 'target' | 'headers'>,
  dialect: Dialect,
): string | undefined {
  if (method === 'OPTIONS') return 'is an OPTIONS request, which a batch cannot contain';
  for (const [name, value] of headers) {
    if (OUTER_HEADERS.has(name)) return `has the header ${name}, which belongs to the batch`;
    const preference = name === 'prefer' ? OUTER_PREFERENCE.exec(value)?.[1] : undefined;
    if (preference !== undefined) return `has the preference ${preference}, which belongs to the batch`;
    if (name === 'accept' && /text\/event-stream/iu.test(value)) return 'asks for an event stream';
    if (name === 'content-type' && method === 'POST' && /^\/(?:\?|$)/u.test(target) && isBatchType(value, dialect))
      return 'is a batch itself';
  }
  return undefined;
}
