// Reads the head of a request from Node's parser and checks its `Host` header.
import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../../contract/http.ts';
import { decodeHeaderText } from './header-text.ts';
import { EMPTY_BODY } from './read-body.ts';
import { parseTarget } from './request-target.ts';

/** @returns the request without its body */
export function readHead({ method = 'GET', url = '/', rawHeaders }: IncomingMessage): HttpRequest {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([(rawHeaders[index] ?? '').toLowerCase(), decodeHeaderText(rawHeaders[index + 1] ?? '')]);
  return { method, ...parseTarget(url), headers, body: EMPTY_BODY };
}

/** RFC 9112 §3.2: a request must have exactly one `Host` header; only HTTP/1.0 may omit it. */
export function isHostWrong({ headers }: HttpRequest, httpVersion: string): boolean {
  let count = 0;
  for (const [name] of headers) if (name === 'host') count += 1;
  return count > 1 || (count === 0 && httpVersion !== '1.0');
}
