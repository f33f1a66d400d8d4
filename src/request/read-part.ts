// Reads one request of a list in a body, as in a batch: its members, and the headers that it may have (`beyond.md` §2.1).
import { type HeaderList, isSendable } from '../contract/http.ts';
import { isPartHeader, isSharedHeader, PART_HEADERS } from '../contract/part-headers.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { isJsonObject } from '../util/json-object.ts';
import type { Slices } from '../util/slices.ts';
import { CLOSE_BRACE, OPEN_BRACE, scanColon, scanString, skipWhitespace } from './payload/json-scanner.ts';
import { quoteStart, readValue, scanAny, skipComma, type Span } from './payload/json-text.ts';

export interface ReadPart {
  readonly id: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Span | undefined;
  readonly lastEventId: string | undefined;
}

export interface PartProblem {
  /** Continues "Request 2 of the batch …". */
  readonly problem: string;
  readonly hint?: string;
}

export interface ReadFault extends PartProblem {
  readonly id: string | undefined;
}

export type MemberName = 'id' | 'method' | 'path' | 'headers' | 'body' | 'lastEventId';

export interface PartRules {
  /** What the list is called in errors. */
  readonly noun: 'batch' | 'list';
  /** The members of a request. */
  readonly members: readonly MemberName[];
  /** Undefined: each request names its own. */
  readonly defaultMethod: string | undefined;
  /** Names of further headers that requests may have, in lower case. */
  readonly batchHeaders: readonly string[];
  /** Finds what else is not allowed. */
  readonly findFault: (part: ReadPart) => PartProblem | undefined;
}

const METHOD = /^[A-Z]+$/u;
/** These are not part of URLs. */
const CONTROL_OR_BLANK = /[\p{Cc} ]/u;
const OUTER_PREFERENCE = /(?:^|,)\s*(tx|isolation)\s*=/iu;

/** Bytes of a name above which it is unknown, even if every character is escaped. */
const MAX_NAME_BYTES = 64;
/** Bytes of each member but the body. The headers of an ordinary request have as many, and a path has at most this many. */
const MAX_BYTES: Readonly<Record<MemberName, number>> = {
  id: 65_536,
  method: 65_536,
  path: 1_048_576,
  headers: 65_536,
  body: Number.POSITIVE_INFINITY,
  lastEventId: 65_536,
};

/** @param start of the array's element */
export function* readPart(text: Uint8Array, start: number, rules: PartRules): Slices<Result<ReadPart, ReadFault>> {
  if (text[start] !== OPEN_BRACE) return fail({ id: undefined, problem: 'is not an object' });
  const { members, unknown } = yield* findMembers(text, start, rules.members);
  const isLong = (name: MemberName): boolean => sizeOf(members.get(name)) > MAX_BYTES[name];
  const read = (name: MemberName): unknown => (isLong(name) ? undefined : readMember(text, members.get(name)));
  const id = read('id');
  const known = typeof id === 'string' ? id : undefined;
  const refuse = (problem: string): Result<never, ReadFault> => fail({ id: known, problem });
  if (unknown !== undefined) return refuse(`has the unknown member ${quoteStart(text, unknown, MAX_NAME_BYTES)}`);
  const long = [...members.keys()].find(isLong);
  if (long !== undefined) return refuse(`has the member "${long}" with more than ${MAX_BYTES[long]} bytes`);
  if (id !== undefined && known === undefined) return refuse('has an id that is not a string');
  const method = read('method') ?? rules.defaultMethod;
  if (typeof method !== 'string' || !METHOD.test(method)) return refuse('has no valid method');
  const target = read('path');
  // A path starts at the root of the API.
  if (typeof target !== 'string' || !target.startsWith('/')) return refuse('has no path that starts with /');
  if (CONTROL_OR_BLANK.test(target)) return refuse('has a path with a blank or control character; encode it, as %20');
  const headers = readHeaders(read('headers') ?? {});
  if (headers === undefined) return refuse('has headers that are not an object of strings');
  const lastEventId = read('lastEventId');
  if (lastEventId !== undefined && typeof lastEventId !== 'string')
    return refuse('has a lastEventId that is not a string');
  const part = { id: known, method, target, headers, body: members.get('body'), lastEventId };
  const fault = rules.findFault(part) ?? findHeaderFault(headers, rules);
  return fault === undefined ? ok(part) : fail({ id: known, ...fault });
}

interface FoundMembers {
  /** The last of each name counts. */
  readonly members: ReadonlyMap<MemberName, Span>;
  /** The first unknown member, with its quotes. */
  readonly unknown: Span | undefined;
}

const MEMBERS_PER_SLICE = 256;

function* findMembers(text: Uint8Array, start: number, names: readonly MemberName[]): Slices<FoundMembers> {
  const members = new Map<MemberName, Span>();
  let unknown: Span | undefined;
  let count = 0;
  for (let at = skipWhitespace(text, start + 1); text[at] !== CLOSE_BRACE;) {
    const nameSpan = { start: at, end: scanString(text, at) };
    const isShort = nameSpan.end - at <= MAX_NAME_BYTES;
    const name = isShort ? String(readValue(text, nameSpan)) : '';
    const valueStart = scanColon(text, nameSpan.end);
    const end = yield* scanAny(text, valueStart);
    const member = names.find((known) => known === name);
    if (member === undefined) unknown ??= nameSpan;
    else members.set(member, { start: valueStart, end });
    at = skipComma(text, end);
    count += 1;
    if (count % MEMBERS_PER_SLICE === 0) yield;
  }
  return { members, unknown };
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

function findHeaderFault(headers: HeaderList, { noun, batchHeaders }: PartRules): PartProblem | undefined {
  for (const [name, value] of headers) {
    if (isSharedHeader(name)) return { problem: `has the header ${name}, which belongs to the ${noun}` };
    if (!isPartHeader(name, batchHeaders)) return forbiddenHeader(name, noun, batchHeaders);
    const preference = name === 'prefer' ? OUTER_PREFERENCE.exec(value)?.[1] : undefined;
    if (preference !== undefined) return { problem: `has the preference ${preference}, which belongs to the ${noun}` };
  }
  return undefined;
}

/** Characters of a name in a message. */
const MAX_SHOWN_NAME = 100;

function forbiddenHeader(name: string, noun: PartRules['noun'], batchHeaders: readonly string[]): PartProblem {
  const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
  const allowed = [...PART_HEADERS, ...batchHeaders].join(', ');
  return {
    problem: `has the header ${shown}, which a request in a ${noun} cannot have`,
    hint: `Send it with the ${noun} itself, for all requests. Headers of a request in a ${noun}: ${allowed}. The operator allows others with batch-headers`,
  };
}
