// Parses requests that Node's parser rejects, as far as possible, and renders responses to them. Node knows a fixed
// list of methods, and a client that uses another one must get a regular response.
import type { HeaderList, HttpRequest, HttpResponse } from '../../contract/http.ts';
import { decodeHeaderText, encodeHeaderText, parseTarget } from './read-head.ts';

export interface RawRequest {
  readonly request: HttpRequest;
  /** `1.1` */
  readonly httpVersion: string;
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/(\d\.\d)$/u;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/u;

/** Returns undefined if the bytes do not contain a complete, well-formed head (RFC 9112 §2). Ignores the body. */
export function parseRawRequest(packet: Uint8Array): RawRequest | undefined {
  const text = Buffer.from(packet).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [requestLine = '', ...headerLines] = text.slice(0, end).split('\r\n');
  const [, method, target, httpVersion] = REQUEST_LINE.exec(requestLine) ?? [];
  const headers = parseHeaders(headerLines);
  if (method === undefined || target === undefined || httpVersion === undefined || headers === undefined)
    return undefined;
  return { request: { method, ...parseTarget(target), headers, body: new Uint8Array() }, httpVersion };
}

function parseHeaders(lines: readonly string[]): HeaderList | undefined {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.push([name.toLowerCase(), decodeHeaderText(value)]);
  }
  return headers;
}

/** Renders the whole response, after which the connection ends. */
export function renderRawResponse(response: HttpResponse, reason: string): Buffer {
  const { body = new Uint8Array() } = response;
  if (!(body instanceof Uint8Array)) throw new Error('a method unknown to Node cannot have a streamed response');
  const headers: HeaderList = [
    ...response.headers,
    ['Content-Length', String(body.byteLength)],
    ['Connection', 'close'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${encodeHeaderText(value)}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${response.status} ${reason}\r\n${lines}\r\n`, 'latin1'), body]);
}
