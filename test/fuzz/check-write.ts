// Checks responses to random writes and calls for anything that must never occur, whatever the request.
import type { Answer, Question } from '../support/http-client.ts';
import { BATCH_TYPE } from '../support/generate/random-batch.ts';
import { checkError, parseJson } from './check-answer.ts';

/**
 * Failures for which `writing.md` allows a 5xx: duplicate keys in one statement, read-only views, program limits,
 * deadlocks, assertions, `response.*` settings that cannot be sent.
 */
const EXPECTED_FAILURE = /error=(?:21000|55000|54...|42P17|40P01|P000[234]|SVC11[12])$/u;

export function checkWrite({ method, url, headers: sent }: Question, answer: Answer): string | undefined {
  const { status, headers, body } = answer;
  if (status >= 500 && !EXPECTED_FAILURE.test(String(headers['proxy-status']))) return `${status} ${body}`;
  if (status === 204 || status === 304)
    return body === '' && headers['content-type'] === undefined
      ? undefined
      : 'a body or content type with a status that has none';
  if (method === 'HEAD') return body === '' ? undefined : 'HEAD with a body';
  if (headers['proxy-status'] !== undefined) return checkFailure(answer);
  if (sent['Content-Type'] === BATCH_TYPE) return checkBatch(answer);
  const isJson = /^application\/[^;]*json/u.test(headers['content-type'] ?? '');
  if (isJson && parseJson(body) === undefined) return `invalid JSON: ${body}`;
  if (url.startsWith('/rpc/') || headers['content-type']?.includes('plan') || sent['Accept']?.includes('plan'))
    return undefined;
  return checkRange(method, headers['content-range'], String(headers['range-unit']));
}

interface Part {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: unknown;
}

/** All requests of a batch that succeeds have succeeded. */
function checkBatch({ body }: Answer): string | undefined {
  const parts = parseJson(body) as readonly Part[];
  if (!Array.isArray(parts)) return `a batch answered with ${body}`;
  const wrong = (parts as readonly Part[]).find(
    ({ status, headers, body: part }) =>
      status >= 400 || headers['proxy-status'] !== undefined || ((status === 204 || status === 304) && part !== null),
  );
  return wrong === undefined ? undefined : `in a batch: ${JSON.stringify(wrong)}`;
}

function checkFailure({ status, headers, body }: Answer): string | undefined {
  const value = parseJson(body);
  const wrong = checkError(value, body);
  if (wrong !== undefined) return wrong;
  const { code } = value as { readonly code: string };
  if (headers['proxy-status'] !== `rowhouse; error=${code}`) return `Proxy-Status ${String(headers['proxy-status'])}`;
  if (status !== 416 && headers['preference-applied'] !== undefined) return 'Preference-Applied on an error';
  return undefined;
}

function checkRange(method: string, range: string | undefined, unit: string): string | undefined {
  if (method === 'PUT') return range === undefined ? undefined : `Content-Range ${range} on PUT`;
  const pattern = method === 'PATCH' ? /^(?:\*|0-\d+)\/(?:\*|\d+)$/u : /^\*\/(?:\*|\d+)$/u;
  return pattern.test(range ?? '') && unit === 'items' ? undefined : `Content-Range ${range ?? ''}`;
}
