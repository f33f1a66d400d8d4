// A request to repeat, and what reading a recording returns.
import type { HeaderList } from '../../../src/contract/http.ts';
import { isFraming } from '../../../src/contract/http.ts';

export interface RecordedRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query below the URL of the API: `/films?id=eq.1`. */
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: string | undefined;
}

export interface Recording {
  readonly requests: readonly RecordedRequest[];
  /** Lines or entries without a request to this API. */
  readonly foreign: number;
}

/** Removes the headers that a client sets for its own connection, so that bodies arrive uncompressed. */
export function keepEndToEnd(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !isFraming(name) && !/^(?::.*|host|accept-encoding|expect)$/iu.test(name));
}

/**
 * Returns the part of the target below the base path; undefined if it is outside.
 *
 * @param base `/rest/v1`, or `''` for the whole server
 */
export function stripBase(target: string, base: string): string | undefined {
  if (!target.startsWith(`${base}/`) && target !== base && !target.startsWith(`${base}?`)) return undefined;
  const rest = target.slice(base.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the path of the base URL without the trailing slash. */
export function basePathOf(url: URL): string {
  return url.pathname.replace(/\/+$/u, '');
}

/** Returns the target of an absolute URL below the base; undefined for another server or path. */
export function targetBelow(url: string, base: URL): string | undefined {
  if (!URL.canParse(url) || new URL(url).origin !== base.origin) return undefined;
  // Cut from the text, because `URL` would change the encoding of some characters.
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/iu, '').replace(/#.*$/u, '');
  return stripBase(target.startsWith('/') ? target : `/${target}`, basePathOf(base));
}

/** Names a server in messages, without the credentials that its URL may contain. */
export function nameServer(url: URL): string {
  return `${url.origin}${basePathOf(url)}`;
}
