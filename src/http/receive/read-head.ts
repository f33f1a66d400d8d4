// Reads the head of a request from Node's parser and checks its `Host` header.
import type { IncomingMessage } from 'node:http';
import type { HeaderList, HttpRequest } from '../../contract/http.ts';
import type { Connection } from '../limits/connections.ts';
import { decodeHeaderText } from './header-text.ts';
import { EMPTY_BODY } from './read-body.ts';
import { parseTarget } from './request-target.ts';

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
  const headers = readHeaders(rawHeaders);
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

function readHeaders(raw: readonly string[]): HeaderList {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    list.push([(raw[index] ?? '').toLowerCase(), decodeHeaderText(raw[index + 1] ?? '')]);
  return list;
}

/** RFC 9112 §3.2: a request must have exactly one `Host` header; only HTTP/1.0 may omit it. */
export function isHostWrong({ headers }: HttpRequest, httpVersion: string): boolean {
  let count = 0;
  for (const header of headers) if (header[0] === 'host') count += 1;
  return count > 1 || (count === 0 && httpVersion !== '1.0');
}
