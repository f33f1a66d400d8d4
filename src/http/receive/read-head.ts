// Reads the head of a request from Node's parser and checks its `Host` header.
import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../../contract/http.ts';
import type { Connection } from '../limits/connections.ts';
import { EMPTY_BODY } from './read-body.ts';

/** In characters; longer heads of many idle connections would take much memory. */
const MAX_KEPT_LENGTH = 2048;

/**
 * @param connection keeps the headers for its next request; undefined: nothing is kept
 * @returns the request without its body
 */
export function readHead(incoming: IncomingMessage, connection?: Pick<Connection, 'headers'>): HttpRequest {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const known = connection?.headers;
  if (known !== undefined && areEqual(known.raw, rawHeaders))
    return { method, ...parseTarget(url), headers: known.texts.list, headerTexts: known.texts, body: EMPTY_BODY };
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([(rawHeaders[index] ?? '').toLowerCase(), decodeHeaderText(rawHeaders[index + 1] ?? '')]);
  if (connection !== undefined)
    connection.headers = isKept(rawHeaders) ? { raw: rawHeaders, texts: { list: headers } } : undefined;
  return { method, ...parseTarget(url), headers, body: EMPTY_BODY };
}

function isKept(raw: readonly string[]): boolean {
  let length = 0;
  for (const text of raw) length += text.length;
  return length <= MAX_KEPT_LENGTH;
}

function areEqual(texts: readonly string[], others: readonly string[]): boolean {
  if (texts.length !== others.length) return false;
  for (let index = 0; index < texts.length; index += 1) if (texts[index] !== others[index]) return false;
  return true;
}

/** RFC 9112 §3.2: a request must have exactly one `Host` header; only HTTP/1.0 may omit it. */
export function isHostWrong({ headers }: HttpRequest, httpVersion: string): boolean {
  let count = 0;
  for (const header of headers) if (header[0] === 'host') count += 1;
  return count > 1 || (count === 0 && httpVersion !== '1.0');
}

/** Converts header texts: Node reads and writes their bytes as Latin-1, clients use UTF-8. */
export function decodeHeaderText(text: string): string {
  return /[\x80-\xff]/u.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

/** What must be encoded; most texts contain nothing of it. */
export const NOT_ASCII: RegExp = /[^\x00-\x7f]/u;

export function encodeHeaderText(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** Splits a request target into path and query without decoding them (RFC 9112 §3.2). */
export function parseTarget(text: string): {
  readonly path: string;
  readonly rawQuery: string;
  readonly hasEmptyQuery?: true;
} {
  const target = text.startsWith('/') ? text : dropAuthority(text);
  const question = target.indexOf('?');
  if (question === -1) return { path: target, rawQuery: '' };
  const path = target.slice(0, question);
  const rawQuery = target.slice(question + 1);
  return rawQuery === '' ? { path, rawQuery, hasEmptyQuery: true } : { path, rawQuery };
}

/** Servers must also accept the absolute form (RFC 9112 §3.2.2). */
function dropAuthority(text: string): string {
  const [, rest = text] = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*(.*)$/iu.exec(text) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
}
