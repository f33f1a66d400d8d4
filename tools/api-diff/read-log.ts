// Reads the requests of an access log or a HAR file for `rowhouse diff --api --log`.
import { isJsonObject, type JsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { parseAccessLog, parseHar } from '../compare/requests/parse-recording.ts';
import { basePathOf, type Recording } from '../compare/requests/recorded-request.ts';

/**
 * @param text of the file
 * @param base URL of the API when the file was recorded; undefined: at the root of any server
 */
export function parseLog(text: string, base: URL | undefined): Result<Recording, string> {
  const har = text.trimStart().startsWith('{') ? parseJsonObject(text) : undefined;
  const recording =
    har?.['log'] === undefined
      ? ok(parseAccessLog(text, base === undefined ? '' : basePathOf(base)))
      : parseAnyHar(text, har, base);
  if (!recording.ok || recording.value.requests.length > 0) return recording;
  return fail('The log contains no request to this API: expected an access log or a HAR file');
}

function parseAnyHar(text: string, har: JsonObject, base: URL | undefined): Result<Recording, string> {
  if (base !== undefined) return parseHar(text, base);
  const recordings = [...listOrigins(har)].map((origin) => parseHar(text, new URL(origin)));
  return ok({ requests: recordings.flatMap((each) => (each.ok ? each.value.requests : [])), foreign: 0 });
}

function listOrigins({ log }: JsonObject): ReadonlySet<string> {
  const entries: unknown = isJsonObject(log) ? log['entries'] : undefined;
  const urls = (Array.isArray(entries) ? entries : []).map((entry: unknown) => {
    const request = isJsonObject(entry) ? entry['request'] : undefined;
    return isJsonObject(request) ? request['url'] : undefined;
  });
  return new Set(urls.flatMap((url) => (typeof url === 'string' && URL.canParse(url) ? [new URL(url).origin] : [])));
}
