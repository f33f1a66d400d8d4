// The JSON file of exported requests, which is also how the browser stores them.
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { isJsonObject, parseJsonObject } from '../../../src/util/json-object.ts';
import { parsePlace, type ResultView, VIEWS } from '../url-state/place.ts';
import { isKeepable, type KeptRequest, type KeptRequests, LIMITS } from './kept-request.ts';

const KIND = 'rowhouse-requests';
const VERSION = 1;
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

export function printRequests(requests: KeptRequests): string {
  const list = requests.map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() }));
  return `${JSON.stringify({ kind: KIND, version: VERSION, requests: list }, undefined, 2)}\n`;
}

/** @returns the requests, or a message for the user */
export function parseRequests(text: string): Result<KeptRequests, string> {
  const file = parseJsonObject(text);
  if (file === undefined) return fail('The file is not a JSON object.');
  if (file['kind'] !== KIND) return fail(`The file has no "kind": "${KIND}". Choose a file exported here.`);
  if (file['version'] !== VERSION) return fail(`The file must have "version": ${VERSION}.`);
  const list = file['requests'];
  if (!Array.isArray(list)) return fail('"requests" must be a list.');
  if (list.length > LIMITS.recent + LIMITS.saved) {
    return fail(`"requests" must have at most ${LIMITS.recent + LIMITS.saved} members.`);
  }
  const requests: KeptRequest[] = [];
  for (const [index, member] of list.entries()) {
    const request = readRequest(member);
    if (!request.ok) return fail(`requests[${index}]${request.error}`);
    requests.push(request.value);
  }
  return ok(requests);
}

function readRequest(member: unknown): Result<KeptRequest, string> {
  if (!isJsonObject(member)) return fail(' must be an object.');
  const { url, name, schema } = member;
  if (typeof url !== 'string' || !isRequestUrl(url))
    return fail('.url must be the path of a request, such as "/houses".');
  if (!isKeepable(url)) return fail('.url is too long or seems to contain a secret.');
  const method = METHODS.find((one) => one === member['method']);
  if (method === undefined) return fail(`.method must be one of ${METHODS.join(', ')}.`);
  if (!isTextOrNothing(name) || name === '' || (name ?? '').length > LIMITS.nameLength) {
    return fail(`.name must be a text of at most ${LIMITS.nameLength} characters.`);
  }
  if (!isTextOrNothing(schema)) return fail('.schema must be a text.');
  const at = Date.parse(String(member['at']));
  if (Number.isNaN(at)) return fail('.at must be a time, such as "2026-03-01T09:30:00Z".');
  return ok({
    method,
    url,
    schema,
    name,
    at,
    view: viewOf(member['view']),
    status: statusOf(member['status']),
  });
}

/** Returns whether the explorer can open the URL, which must not lead outside of the API. */
function isRequestUrl(url: string): boolean {
  return url.startsWith('/') && parsePlace(`#${url}`).kind === 'request';
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function viewOf(value: unknown): ResultView {
  return VIEWS.find((one) => one === value) ?? 'table';
}

function statusOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
