// Requests kept in the browser: recent ones, and saved ones, which have a name. Bodies, headers and tokens are never
// kept, nor are URLs that seem to contain a secret.
import { ACCESS_PATHS } from '../../../src/contract/access-document.ts';
import { CONSOLE_URL } from '../client/console.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { ResultView } from '../url-state/place.ts';

export interface KeptRequest {
  readonly method: OutgoingRequest['method'];
  readonly url: string;
  /** Undefined for the default schema of the server. */
  readonly schema: string | undefined;
  readonly view: ResultView;
  /** Only a saved request has a name. */
  readonly name: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Status of the latest response. */
  readonly status: number | undefined;
}

export type KeptRequests = readonly KeptRequest[];

export const LIMITS = { recent: 100, saved: 200, urlLength: 4_000, nameLength: 100 } as const;

const SECRET_NAME = /[?&][^=&]*(?:passw|secret|token|api_?key|credential)[^=&]*=/iu;
const JSON_WEB_TOKEN = /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/u;

/** Returns whether a URL may be kept. */
export function isKeepable(url: string): boolean {
  return url.length <= LIMITS.urlLength && !SECRET_NAME.test(url) && !JSON_WEB_TOKEN.test(url);
}

/** Requests of the explorer itself, which are no part of the API. */
const OWN_URLS: ReadonlySet<string> = new Set([CONSOLE_URL, ...Object.values(ACCESS_PATHS)]);

/** Returns whether a request is a write to the API that changes something, as opposed to a dry run. */
export function isWrite({ method, url, headers }: OutgoingRequest): boolean {
  const isDryRun = headers.some(([, value]) => value.includes('tx=rollback'));
  return method !== 'GET' && method !== 'HEAD' && !isDryRun && !OWN_URLS.has(url);
}

function isSame(a: KeptRequest, b: KeptRequest): boolean {
  return a.method === b.method && a.url === b.url && a.schema === b.schema && a.name === b.name;
}

/** Adds a request as the latest, in place of an equal one. */
export function keep(list: KeptRequests, added: KeptRequest): KeptRequests {
  return limit([added, ...list.filter((one) => !isSame(one, added))]);
}

export function remove(list: KeptRequests, removed: KeptRequest): KeptRequests {
  return list.filter((one) => one !== removed);
}

/** Adds the requests that are missing, in order of time. */
export function merge(list: KeptRequests, added: KeptRequests): KeptRequests {
  const missing = added.filter((one) => !list.some((other) => isSame(one, other)));
  return limit([...list, ...missing].toSorted((a, b) => b.at - a.at));
}

/** Returns the requests whose name, method or URL contains all words. */
export function search(list: KeptRequests, text: string): KeptRequests {
  const words = text.toLowerCase().split(/\s+/u);
  return list.filter(({ name = '', method, url }) => {
    const whole = `${name} ${method} ${url}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

function limit(list: KeptRequests): KeptRequests {
  const recent = list.filter(({ name }) => name === undefined).slice(0, LIMITS.recent);
  const saved = list.filter(({ name }) => name !== undefined).slice(0, LIMITS.saved);
  const kept = new Set([...recent, ...saved]);
  return list.filter((one) => kept.has(one));
}
