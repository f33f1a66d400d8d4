// Compares the responses of two servers to the same request.
import { firstHeader } from '../../../src/contract/http.ts';
import { compareHeaders } from './compare-headers.ts';
import { compareJson } from './compare-json.ts';
import type { Difference } from './difference.ts';
import { type ExactJson, isExactObject, parseExactJson } from './exact-json.ts';
import type { Reply, Response } from './reply.ts';

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
