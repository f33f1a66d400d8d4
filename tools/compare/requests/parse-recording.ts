// Parses recordings: files of requests, HAR files and access logs.
import type { HeaderList } from '../../../src/contract/http.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import {
  keepEndToEnd,
  nameServer,
  type RecordedRequest,
  targetBelow,
  type Recording,
  stripBase,
} from './recorded-request.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../src/util/json-object.ts';

// Parses files of requests. Without a line that begins with `###`, each line is a request (`/films`, `HEAD /films`) or a
// header of the request above it. Such a line begins a request with headers, and a body after a blank line.

interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** An error names the line. @param base URL below which absolute URLs in the file are */
export function parseRequestFile(text: string, base: URL): Result<readonly RecordedRequest[], string> {
  const lines = text.split(/\r?\n/u).map((line, index) => ({ number: index + 1, text: line }));
  const blocks = lines.some(isSeparator) ? splitAtSeparators(lines) : splitAtRequests(lines);
  const requests: RecordedRequest[] = [];
  for (const block of blocks) {
    const request = parseBlock(block, base);
    if (!request.ok) return request;
    requests.push(request.value);
  }
  return ok(requests);
}

function isSeparator({ text }: Line): boolean {
  return text.startsWith('###');
}

/** Comments begin with `#` or `//`. */
function isIgnored({ text }: Line): boolean {
  return text.trim() === '' || /^(?:#|\/\/)/u.test(text);
}

function splitAtSeparators(lines: readonly Line[]): readonly (readonly Line[])[] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (isSeparator(line)) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.map(dropLeadingComments).filter((block) => block.length > 0);
}

function dropLeadingComments(block: readonly Line[]): readonly Line[] {
  const start = block.findIndex((line) => !isIgnored(line));
  return start === -1 ? [] : block.slice(start);
}

function splitAtRequests(lines: readonly Line[]): readonly (readonly Line[])[] {
  const blocks: Line[][] = [];
  for (const line of lines.filter((each) => !isIgnored(each))) {
    const block = blocks.at(-1);
    if (block !== undefined && HEADER.test(line.text)) block.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** A request line has a blank after the method; the name of a header ends at its colon. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+):(?!\/\/)[ \t]*(.*?)[ \t]*$/u;
const REQUEST = /^(?:([A-Z]+)[ \t]+)?(\/\S*|https?:\/\/\S+)(?:[ \t]+HTTP\/\S+)?[ \t]*$/u;

function parseBlock(block: readonly Line[], base: URL): Result<RecordedRequest, string> {
  const [first, ...rest] = block;
  const [, method = 'GET', url = ''] = REQUEST.exec(first?.text.trim() ?? '') ?? [];
  const target = url.startsWith('/') ? url : targetBelow(url, base);
  if (first === undefined || target === undefined) {
    return fail(
      `Line ${first?.number ?? 1}: expected a request such as "GET /films?id=eq.1", or its URL below ${nameServer(base)}`,
    );
  }
  const end = rest.findIndex(({ text }) => text.trim() === '');
  const headers = parseHeaders(end === -1 ? rest : rest.slice(0, end));
  if (!headers.ok) return headers;
  const lines = end === -1 ? [] : rest.slice(end + 1).map(({ text }) => text);
  const body = lines.join('\n').trim();
  return ok({ method, target, headers: keepEndToEnd(headers.value), body: body === '' ? undefined : body });
}

function parseHeaders(lines: readonly Line[]): Result<HeaderList, string> {
  const headers: (readonly [string, string])[] = [];
  for (const line of lines.filter((each) => !isIgnored(each))) {
    const [, name, value] = HEADER.exec(line.text) ?? [];
    if (name === undefined || value === undefined) return fail(`Line ${line.number}: expected a header "Name: value"`);
    headers.push([name.toLowerCase(), value]);
  }
  return ok(headers);
}

// Parses HAR 1.2 files, in which browsers and proxies save requests.

/** @param base URL of the API at the time of the recording; other requests in the file are skipped */
export function parseHar(text: string, base: URL): Result<Recording, string> {
  const log = parseJsonObject(text)?.['log'];
  const entries = isJsonObject(log) ? log['entries'] : undefined;
  if (!Array.isArray(entries)) return fail('The file is not a HAR file: it has no log.entries');
  const recorded = entries.map((entry: unknown) => (isJsonObject(entry) ? entry['request'] : undefined));
  const requests = recorded.map((request) => (isJsonObject(request) ? parseRequest(request, base) : undefined));
  const known = requests.filter((request) => request !== undefined);
  return ok({ requests: known, foreign: requests.length - known.length });
}

function parseRequest({ method, url, headers, postData }: JsonObject, base: URL): RecordedRequest | undefined {
  const target = typeof url === 'string' ? targetBelow(url, base) : undefined;
  if (typeof method !== 'string' || target === undefined) return undefined;
  const text = isJsonObject(postData) ? postData['text'] : undefined;
  return {
    method: method.toUpperCase(),
    target,
    headers: keepEndToEnd(Array.isArray(headers) ? headers.flatMap(parseHeader) : []),
    body: typeof text === 'string' && text !== '' ? text : undefined,
  };
}

function parseHeader(header: unknown): HeaderList {
  if (!isJsonObject(header)) return [];
  const { name, value } = header;
  return typeof name === 'string' && typeof value === 'string' ? [[name.toLowerCase(), value]] : [];
}

// Parses access logs: common and combined log format, as PostgREST, nginx and this server write them, and the JSON lines
// of `log-format = "json"`. Logs contain neither headers nor bodies.

const REQUEST_LINE = /"([A-Z]+) ((?:[^"\\]|\\.)+?)(?: HTTP\/[\d.]+)?" \d{3} /u;

/** @param base path of the API at the time of the recording: `/rest/v1` or `''` */
export function parseAccessLog(text: string, base: string): Recording {
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '');
  const requests = lines.map((line) => parseLine(line, base)).filter((request) => request !== undefined);
  return { requests, foreign: lines.length - requests.length };
}

function parseLine(line: string, base: string): RecordedRequest | undefined {
  const { method, path } = line.startsWith('{') ? readJsonLine(line) : readTextLine(line);
  const target = path === undefined ? undefined : stripBase(path, base);
  return method === undefined || target === undefined ? undefined : { method, target, headers: [], body: undefined };
}

interface RequestLine {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
}

function readJsonLine(line: string): RequestLine {
  const { method, path } = parseJsonObject(line) ?? {};
  return typeof method === 'string' && typeof path === 'string' ? { method, path } : {};
}

function readTextLine(line: string): RequestLine {
  const [, method, path] = REQUEST_LINE.exec(line) ?? [];
  return { method, path: path === undefined ? undefined : unescape(path) };
}

/** Reverts the escapes of nginx, Apache and this server: `\"`, `\\`, and `\xC3` for a byte. */
function unescape(text: string): string {
  return text.replaceAll(/\\(x[\da-f]{2}|.)/giu, (_, code: string) =>
    code.length === 1 ? code : `%${code.slice(1).toUpperCase()}`,
  );
}
