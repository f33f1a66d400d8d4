// Compares the responses of two servers to the same request.
import { firstHeader, allHeaders, type HeaderList, isFraming } from '../../../src/contract/http.ts';
import {
  type ExactJson,
  isExactObject,
  parseExactJson,
  type ExactObject,
  NumberText,
  renderCanonical,
} from './exact-json.ts';
import type { Reply, Response } from './send-request.ts';

export function compareReplies(old: Reply, other: Reply): readonly Difference[] {
  if (old.kind === 'failure' || other.kind === 'failure') {
    return [{ kind: 'noResponse', old: summarize(old), new: summarize(other) }];
  }
  const status = compareStatus(old, other);
  // What follows from a success that became an error says nothing more.
  if (old.status >= 400 !== other.status >= 400) return status;
  return [...status, ...compareHeaders(old.headers, other.headers), ...compareBodies(old, other)];
}

function summarize(reply: Reply): string {
  return reply.kind === 'failure' ? reply.reason : describeStatus(reply);
}

function compareStatus(old: Response, other: Response): readonly Difference[] {
  if (old.status === other.status) return [];
  return [{ kind: 'status', old: describeStatus(old), new: describeStatus(other) }];
}

/** Adds the code of an error: `404 PGRST205`. */
function describeStatus(response: Response): string {
  const code = readErrorCode(response);
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Returns undefined for a response that is not an error of the API. */
export function readErrorCode(response: Response): string | undefined {
  const body = response.status < 400 ? undefined : parseExactJson(response.body.toString('utf8'));
  const code = body !== undefined && isExactObject(body) ? body['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

function compareBodies(old: Response, other: Response): readonly Difference[] {
  if (old.body.equals(other.body)) return [];
  const texts = { old: old.body.toString('utf8'), new: other.body.toString('utf8') };
  if (!isJson(old)) return [compareText(texts)];
  const [before, after] = [parseExactJson(texts.old), parseExactJson(texts.new)];
  if (before === undefined || after === undefined) {
    return [{ kind: 'body', change: before === after ? 'text' : 'invalidJson', place: '', ...texts }];
  }
  const codes = { old: readErrorCode(old), new: readErrorCode(other) };
  if (codes.old === codes.new) return compareJson(before, after);
  const code: Difference = { kind: 'errorCode', ...codes };
  // Other texts follow from another error, but not from another prefix of the same one.
  return isSameNumber(codes) ? [code, ...compareJson(withoutCode(before), withoutCode(after))] : [code];
}

/** `PGRST116` and `SVC116` are the same error. */
export function isSameNumber(codes: { readonly old: string | undefined; readonly new: string | undefined }): boolean {
  const [before, after] = [codes.old, codes.new].map((code) => /^(?:PGRST|SVC)(\w+)$/u.exec(code ?? '')?.[1]);
  return before !== undefined && before === after;
}

function withoutCode(error: ExactJson): ExactJson {
  if (!isExactObject(error)) return error;
  const { code: _, ...rest } = error;
  return rest;
}

/** Errors are JSON, whatever type some servers claim for them. */
function isJson(response: Response): boolean {
  const type = firstHeader(response.headers, 'content-type') ?? '';
  return /^application\/(?:[\w.-]+\+)?json\b/iu.test(type) || readErrorCode(response) !== undefined;
}

/** Names the first line that differs. */
function compareText(texts: { readonly old: string; readonly new: string }): Difference {
  const [before, after] = [texts.old.split('\n'), texts.new.split('\n')];
  const length = Math.max(before.length, after.length);
  const index = Array.from({ length }, (_, at) => at).find((at) => before[at] !== after[at]) ?? 0;
  return {
    kind: 'body',
    change: 'text',
    place: '',
    old: nameLine(index, before[index]),
    new: nameLine(index, after[index]),
  };
}

function nameLine(index: number, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `line ${index + 1}: ${text}`;
}

// Compares response headers, except those that describe the connection, the moment or the server.

const IGNORED =
  /^(?:age|alt-svc|date|server|server-timing|strict-transport-security|via|x-(?:request|trace|correlation)-id|x-powered-by|x-response-time|x-runtime)$/u;

function compareHeaders(old: HeaderList, other: HeaderList): readonly Difference[] {
  const names = new Set([...old, ...other].map(([name]) => name));
  return [...names].toSorted().flatMap((name) => {
    if (IGNORED.test(name) || isFraming(name)) return [];
    const texts = { old: readHeader(old, name), new: readHeader(other, name) };
    return normalize(name, texts.old) === normalize(name, texts.new) ? [] : [{ kind: 'header', name, ...texts }];
  });
}

function readHeader(headers: HeaderList, name: string): string | undefined {
  const values = allHeaders(headers, name);
  return values.length === 0 ? undefined : values.join(', ');
}

/** Leaves out the name under which the server reports (`Proxy-Status: NAME; error=…`, `Warning: 299 NAME "…"`). */
function normalize(name: string, value: string | undefined): string | undefined {
  if (name === 'proxy-status') return value?.replace(/^[^;]*/u, '');
  if (name === 'warning') return value?.replaceAll(/\b(\d{3}) \S+ "/gu, '$1 "');
  return value?.replaceAll(/\s*([,;])\s*/gu, '$1').trim();
}

// Compares two JSON values by structure: the order of keys does not matter, the order of items does.

/** Returns at most one difference of each kind and place. */
function compareJson(old: ExactJson, other: ExactJson): readonly Difference[] {
  const found = new Map<string, Difference>();
  for (const difference of findDifferences({ old, new: other }, '')) {
    const key = difference.kind === 'body' ? `${difference.change} ${difference.place}` : difference.kind;
    if (!found.has(key)) found.set(key, difference);
  }
  return [...found.values()];
}

interface Pair<Value> {
  readonly old: Value;
  readonly new: Value;
}

function findDifferences(pair: Pair<ExactJson>, place: string): readonly Difference[] {
  const { old, new: other } = pair;
  if (isArray(old) && isArray(other)) return compareArrays({ old, new: other }, place);
  if (isExactObject(old) && isExactObject(other)) return compareObjects({ old, new: other }, place);
  const texts = { old: renderCanonical(old), new: renderCanonical(other) };
  if (texts.old === texts.new) return [];
  // A value that became null, or ceased to be, is a changed value.
  const isSameType = typeOf(old) === typeOf(other) || old === null || other === null;
  return [describe(isSameType ? 'value' : 'type', place, texts)];
}

function isArray(value: ExactJson): value is readonly ExactJson[] {
  return Array.isArray(value);
}

function typeOf(value: ExactJson): string {
  if (value instanceof NumberText) return 'number';
  return isArray(value) ? 'array' : typeof value;
}

function compareObjects({ old, new: other }: Pair<ExactObject>, place: string): readonly Difference[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(other)])];
  return keys.flatMap((key) => {
    const inner = place === '' ? key : `${place}.${key}`;
    const [before, after] = [readMember(old, key), readMember(other, key)];
    if (before !== undefined && after !== undefined) return findDifferences({ old: before, new: after }, inner);
    const change = after === undefined ? 'missingKey' : 'addedKey';
    return [describe(change, inner, { old: renderMember(before), new: renderMember(after) })];
  });
}

/** Does not find what every object inherits, such as `constructor`. */
function readMember(object: ExactObject, key: string): ExactJson | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function renderMember(value: ExactJson | undefined): string | undefined {
  return value === undefined ? undefined : renderCanonical(value);
}

function compareArrays({ old, new: other }: Pair<readonly ExactJson[]>, place: string): readonly Difference[] {
  const inner = `${place}[]`;
  const missing = subtract(old, other);
  const added = subtract(other, old);
  if (missing.length === 0 && added.length === 0) return compareOrder({ old, new: other }, inner);
  // Items without an equal are compared one by one; the longer list has items that only one server returned.
  const paired = Math.min(missing.length, added.length);
  const changed = missing.slice(0, paired).flatMap((item, index) => {
    const counterpart = added[index];
    return counterpart === undefined ? [] : findDifferences({ old: item, new: counterpart }, inner);
  });
  return [
    ...changed,
    ...describeRest('missingItems', inner, missing.slice(paired)),
    ...describeRest('addedItems', inner, added.slice(paired)),
  ];
}

/** Returns the items of a list that the other does not contain, each as often as it is missing. */
function subtract(items: readonly ExactJson[], others: readonly ExactJson[]): readonly ExactJson[] {
  const counts = new Map<string, number>();
  for (const text of others.map(renderCanonical)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return items.filter((item) => {
    const text = renderCanonical(item);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

function compareOrder({ old, new: other }: Pair<readonly ExactJson[]>, place: string): readonly Difference[] {
  const [before, after] = [old.map(renderCanonical), other.map(renderCanonical)];
  const index = before.findIndex((text, at) => text !== after[at]);
  return index === -1 ? [] : [describe('order', place, { old: before[index], new: after[index] })];
}

function describeRest(
  change: 'missingItems' | 'addedItems',
  place: string,
  items: readonly ExactJson[],
): readonly Difference[] {
  const [first] = items;
  if (first === undefined) return [];
  const text = items.length === 1 ? renderCanonical(first) : `${items.length} items, first ${renderCanonical(first)}`;
  const texts = change === 'missingItems' ? { old: text, new: undefined } : { old: undefined, new: text };
  return [describe(change, place, texts)];
}

function describe(change: BodyChange, place: string, texts: Pair<string | undefined>): Difference {
  return { kind: 'body', change, place, ...texts };
}

/** One difference between two responses. Differences of the same kind and place have the same cause. */
export type Difference = { readonly old: string | undefined; readonly new: string | undefined } & Cause;

type Cause =
  /** A server did not respond, or not completely. */
  | { readonly kind: 'noResponse' }
  | { readonly kind: 'status' }
  | { readonly kind: 'errorCode' }
  | { readonly kind: 'header'; /** In lower case. */ readonly name: string }
  | {
      readonly kind: 'body';
      readonly change: BodyChange;
      /** `[].price`; '' for the whole body. */ readonly place: string;
    };

export type BodyChange =
  | 'value'
  | 'type'
  | 'missingKey'
  | 'addedKey'
  | 'missingItems'
  | 'addedItems'
  | 'order'
  | 'invalidJson'
  | 'text';
