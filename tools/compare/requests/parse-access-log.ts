// Parses access logs: common and combined log format, as PostgREST, nginx and this server write them, and the JSON lines
// of `log-format = "json"`. Logs contain neither headers nor bodies.
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { type RecordedRequest, type Recording, stripBase } from './recorded-request.ts';

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
