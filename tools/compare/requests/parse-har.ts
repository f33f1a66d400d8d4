// Parses HAR 1.2 files, in which browsers and proxies save requests.
import type { HeaderList } from '../../../src/contract/http.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../src/util/json-object.ts';
import { keepEndToEnd, type RecordedRequest, type Recording, targetBelow } from './recorded-request.ts';

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
