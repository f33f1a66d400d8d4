// Checks responses to random reads for anything that must never occur, whatever the request.
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Question } from '../support/http-client.ts';

/** Failures for which `reading.md` §17.3 and `writing.md` §19.6 allow a 5xx: program limits, views of views. */
const EXPECTED_FAILURE = /"code":"(?:54...|42P17|21000)"/u;

export function checkRead({ method }: Question, { status, headers, body }: Answer): string | undefined {
  if (status >= 500 && !EXPECTED_FAILURE.test(body)) return `${status} ${body}`;
  if (method === 'HEAD') return body === '' ? undefined : 'HEAD with a body';
  const isJson = /^application\/[^;]*json/u.test(headers['content-type'] ?? '');
  const value = isJson ? parseJson(body) : undefined;
  if (isJson && value === undefined) return `invalid JSON: ${body}`;
  return status >= 300 ? checkError(value, body) : checkPage(value, headers);
}

export function checkError(value: unknown, body: string): string | undefined {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : '';
  // Errors in batches name the request.
  const known = keys.replace(/,id(?=,)/u, '').replace(/,request$/u, '');
  return known === 'code,details,hint,message' ? undefined : `error body ${body}`;
}

function checkPage(value: unknown, headers: IncomingHttpHeaders): string | undefined {
  if (headers['content-type']?.includes('plan') || !Array.isArray(value)) return undefined;
  const range = headers['content-range'] ?? '';
  // An estimated total may be zero although there are rows, and then hides them (`reading.md` §9.3).
  if (range === '*/0') return undefined;
  const [, first, last] = /^(\d+)-(\d+)\//u.exec(range) ?? [];
  const rows = first === undefined ? 0 : Number(last) - Number(first) + 1;
  return rows === value.length ? undefined : `${value.length} rows, Content-Range: ${range}`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
