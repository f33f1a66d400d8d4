// The current place in the explorer, stored in the URL fragment so that it can be shared and Back and Forward work:
// `#[view][@schema]/relation?query`, `#record/relation?key`, `#reference/relation`, `#map`, `#map@schema/relation`,
// `#access`, `#explain/relation?key`, `#history`, `#sql`, and nothing or `@schema` for the start page.
import { decodeSegment, encodeSegment, resolveNeedlessEscapes } from './readable-text.ts';

/** How to show the rows of a response. */
export type ResultView = 'table' | 'json' | 'csv' | 'plan' | 'chart' | 'geo';

export type Place =
  | { readonly kind: 'start'; readonly schema?: string | undefined }
  | RequestPlace
  | PagePlace
  /** `focus` is the name of a relation. */
  | { readonly kind: 'map'; readonly schema: string | undefined; readonly focus: string | undefined }
  | { readonly kind: 'access'; readonly schema: string | undefined; readonly focus: string | undefined }
  | { readonly kind: 'history'; readonly schema: string | undefined }
  | { readonly kind: 'sql'; readonly schema: string | undefined };

/** A GET request relative to the API: `/relation?…` or `/rpc/function?…`. */
export interface RequestPlace {
  readonly kind: 'request';
  /** Undefined for the default schema of the server. */
  readonly schema: string | undefined;
  readonly url: string;
  readonly view: ResultView;
}

/**
 * A page about one row (`url` filters by a key: `/houses?id=eq.3`), about a relation or function (`url` is its path), or
 * about which roles see a row (the key may be missing).
 */
export interface PagePlace {
  readonly kind: 'record' | 'reference' | 'explain';
  readonly schema: string | undefined;
  readonly url: string;
}

export const VIEWS: readonly ResultView[] = ['table', 'json', 'csv', 'plan', 'chart', 'geo'];

/** Accepts any text, with or without `#`: an unknown view becomes the table, other text the start page. */
export function parsePlace(hash: string): Place {
  const address = resolveNeedlessEscapes(hash.startsWith('#') ? hash.slice(1) : hash);
  const slash = address.indexOf('/');
  const head = slash < 0 ? address : address.slice(0, slash);
  const url = slash < 0 ? '' : address.slice(slash);
  const at = head.indexOf('@');
  const word = at < 0 ? head : head.slice(0, at);
  const schema = (at >= 0 && decodeSegment(head.slice(at + 1))) || undefined;
  if (word === 'map' || word === 'access')
    return { kind: word, schema, focus: decodeSegment(url.slice(1)) || undefined };
  if (word === 'history' || word === 'sql') return { kind: word, schema };
  if (url.length < 2 || leavesApi(url)) return schema === undefined ? { kind: 'start' } : { kind: 'start', schema };
  if (word === 'record' || word === 'reference' || word === 'explain') return { kind: word, schema, url };
  return { kind: 'request', schema, url, view: VIEWS.find((view) => view === word) ?? 'table' };
}

/** Returns whether dots in the path lead outside of the API, where the token must not be sent. */
function leavesApi(url: string): boolean {
  return !new URL(`.${url}`, 'http://host/api/').pathname.startsWith('/api/');
}

/** Includes `#` even for the start page, because `''` would not change the address. */
export function renderPlace(place: Place): string {
  const schema = place.schema === undefined ? '' : `@${encodeSegment(place.schema)}`;
  if (place.kind === 'start') return `#${schema}`;
  if (place.kind === 'map' || place.kind === 'access')
    return `#${place.kind}${schema}${place.focus === undefined ? '' : `/${encodeSegment(place.focus)}`}`;
  if (place.kind === 'history' || place.kind === 'sql') return `#${place.kind}${schema}`;
  if (place.kind !== 'request') return `#${place.kind}${schema}${place.url}`;
  return `#${place.view === 'table' ? '' : place.view}${schema}${place.url}`;
}
