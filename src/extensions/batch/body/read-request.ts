// Reads one request of a batch: its members and what is not allowed in a batch (`beyond.md` §2.1).
import { isBatchType } from './batch.ts';
import { type HeaderList, isSendable } from '../../../contract/http.ts';
import type { Dialect } from '../../../contract/dialect.ts';
import { isPartHeader, isSharedHeader, PART_HEADERS } from '../../../contract/part-headers.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { isJsonObject } from '../../../util/json-object.ts';
import type { Slices } from '../../../util/slices.ts';
import {
  CLOSE_BRACE,
  OPEN_BRACE,
  scanColon,
  scanString,
  skipWhitespace,
} from '../../../request/payload/json-scanner.ts';
import { quoteStart, readValue, scanAny, skipComma, type Span } from '../../../request/payload/json-text.ts';

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
  readonly hint?: string;
}

export interface RequestRules {
  readonly dialect: Dialect;
  /** Names of further headers that requests may have, in lower case. */
  readonly batchHeaders: readonly string[];
}

const METHOD = /^[A-Z]+$/u;
/** A path starts at the root of the API. Control characters and blanks are not part of URLs. */
const TARGET = /^\/[^\p{Cc} ]*$/u;
const OUTER_PREFERENCE = /(?:^|,)\s*(tx|isolation)\s*=/iu;

/** Bytes of a name above which it is unknown, even if every character is escaped. */
const MAX_NAME_BYTES = 64;
/** Bytes of each member but the body. The headers of an ordinary request have as many, and a path has at most this many. */
const MAX_BYTES = { id: 65_536, method: 65_536, path: 1_048_576, headers: 65_536, body: Number.POSITIVE_INFINITY };

type MemberName = keyof typeof MAX_BYTES;

/** @param start of the array's element */
export function* readRequest(
  text: Uint8Array,
  start: number,
  rules: RequestRules,
): Slices<Result<ReadRequest, RequestFault>> {
  if (text[start] !== OPEN_BRACE) return fail({ id: undefined, problem: 'is not an object' });
  const { members, unknown } = yield* findMembers(text, start);
  const isLong = (name: MemberName): boolean => sizeOf(members.get(name)) > MAX_BYTES[name];
  const read = (name: MemberName): unknown => (isLong(name) ? undefined : readMember(text, members.get(name)));
  const id = read('id');
  const known = typeof id === 'string' ? id : undefined;
  const refuse = (problem: string): Result<never, RequestFault> => fail({ id: known, problem });
  if (unknown !== undefined) return refuse(`has the unknown member ${quoteStart(text, unknown, MAX_NAME_BYTES)}`);
  const long = [...members.keys()].find(isLong);
  if (long !== undefined) return refuse(`has the member "${long}" with more than ${MAX_BYTES[long]} bytes`);
  if (id !== undefined && known === undefined) return refuse('has an id that is not a string');
  const method = read('method');
  if (typeof method !== 'string' || !METHOD.test(method)) return refuse('has no valid method');
  const target = read('path');
  if (typeof target !== 'string' || !TARGET.test(target)) return refuse('has no path that starts with /');
  const headers = readHeaders(read('headers') ?? {});
  if (headers === undefined) return refuse('has headers that are not an object of strings');
  const fault = findFault({ method, target, headers }, rules);
  if (fault !== undefined) return fail({ id: known, ...fault });
  return ok({ id: known, method, target, headers, body: members.get('body') });
}

interface FoundMembers {
  /** The last of each name counts. */
  readonly members: ReadonlyMap<MemberName, Span>;
  /** The first name that is none of ours, with its quotes. */
  readonly unknown: Span | undefined;
}

const MEMBERS_PER_SLICE = 256;

function* findMembers(text: Uint8Array, start: number): Slices<FoundMembers> {
  const members = new Map<MemberName, Span>();
  let unknown: Span | undefined;
  let count = 0;
  for (let at = skipWhitespace(text, start + 1); text[at] !== CLOSE_BRACE;) {
    const nameSpan = { start: at, end: scanString(text, at) };
    const isShort = nameSpan.end - at <= MAX_NAME_BYTES;
    const name = isShort ? String(readValue(text, nameSpan)) : '';
    const valueStart = scanColon(text, nameSpan.end);
    const end = yield* scanAny(text, valueStart);
    if (isMemberName(name)) members.set(name, { start: valueStart, end });
    else unknown ??= nameSpan;
    at = skipComma(text, end);
    count += 1;
    if (count % MEMBERS_PER_SLICE === 0) yield;
  }
  return { members, unknown };
}

function isMemberName(name: string): name is MemberName {
  return Object.hasOwn(MAX_BYTES, name);
}

function sizeOf(member: Span | undefined): number {
  return member === undefined ? 0 : member.end - member.start;
}

function readMember(text: Uint8Array, member: Span | undefined): unknown {
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

type Fault = Omit<RequestFault, 'id'>;

function findFault(
  { method, target, headers }: Pick<ReadRequest, 'method' | 'target' | 'headers'>,
  { dialect, batchHeaders }: RequestRules,
): Fault | undefined {
  if (method === 'OPTIONS') return { problem: 'is an OPTIONS request, which a batch cannot contain' };
  for (const [name, value] of headers) {
    if (isSharedHeader(name)) return { problem: `has the header ${name}, which belongs to the batch` };
    if (!isPartHeader(name, batchHeaders)) return forbiddenHeader(name, batchHeaders);
    const preference = name === 'prefer' ? OUTER_PREFERENCE.exec(value)?.[1] : undefined;
    if (preference !== undefined) return { problem: `has the preference ${preference}, which belongs to the batch` };
    if (name === 'accept' && /text\/event-stream/iu.test(value)) return { problem: 'asks for an event stream' };
    if (name === 'content-type' && method === 'POST' && /^\/(?:\?|$)/u.test(target) && isBatchType(value, dialect))
      return { problem: 'is a batch itself' };
  }
  return undefined;
}

/** Characters of a name in a message. */
const MAX_SHOWN_NAME = 100;

function forbiddenHeader(name: string, batchHeaders: readonly string[]): Fault {
  const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
  const allowed = [...PART_HEADERS, ...batchHeaders].join(', ');
  return {
    problem: `has the header ${shown}, which a request in a batch cannot have`,
    hint: `Send it with the batch itself, for all requests. Headers of a request in a batch: ${allowed}. The operator allows others with batch-headers`,
  };
}
