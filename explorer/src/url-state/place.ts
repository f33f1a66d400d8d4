// Where one is in the explorer. It stands in the address behind `#`, so that it can be shared and Back and Forward work:
// `#[view][@schema]/relation?query`, `#map`, `#map@schema/relation`, nothing or `@schema` for the start.
import { decodeSegment, encodeSegment, resolveNeedlessEscapes } from './readable-text.ts';

/** How the rows of an answer are shown. */
export type ResultView = 'table' | 'json' | 'csv' | 'plan';

export type Place =
  | { readonly kind: 'start'; readonly schema?: string | undefined }
  | RequestPlace
  /** `focus`: name of a relation. */
  | { readonly kind: 'map'; readonly schema: string | undefined; readonly focus: string | undefined };

/** Reads only: `/relation?…` or `/rpc/function?…`, as curl would get it, relative to the API. */
export interface RequestPlace {
  readonly kind: 'request';
  /** undefined: the default one of the server. */
  readonly schema: string | undefined;
  readonly url: string;
  readonly view: ResultView;
}

const VIEWS: readonly ResultView[] = ['table', 'json', 'csv', 'plan'];

/** Total, with or without `#`: an unknown view is the table, an address that says nothing is the start. */
export function parsePlace(hash: string): Place {
  const address = resolveNeedlessEscapes(hash.startsWith('#') ? hash.slice(1) : hash);
  const slash = address.indexOf('/');
  const head = slash < 0 ? address : address.slice(0, slash);
  const url = slash < 0 ? '' : address.slice(slash);
  const at = head.indexOf('@');
  const word = at < 0 ? head : head.slice(0, at);
  const schema = (at >= 0 && decodeSegment(head.slice(at + 1))) || undefined;
  if (word === 'map') return { kind: 'map', schema, focus: decodeSegment(url.slice(1)) || undefined };
  if (url.length < 2 || leavesApi(url)) return schema === undefined ? { kind: 'start' } : { kind: 'start', schema };
  return { kind: 'request', schema, url, view: VIEWS.find((view) => view === word) ?? 'table' };
}

/** By dots in its path: what lies there beside the API is not for the token. */
function leavesApi(url: string): boolean {
  return !new URL(`.${url}`, 'http://host/api/').pathname.startsWith('/api/');
}

/** With its `#`, which also the start has: a bare `''` would not change an address. */
export function renderPlace(place: Place): string {
  const schema = place.schema === undefined ? '' : `@${encodeSegment(place.schema)}`;
  if (place.kind === 'start') return `#${schema}`;
  if (place.kind === 'map') return `#map${schema}${place.focus === undefined ? '' : `/${encodeSegment(place.focus)}`}`;
  return `#${place.view === 'table' ? '' : place.view}${schema}${place.url}`;
}
