// Where one is in the explorer. It stands in the address behind `#`, so that it can be shared and Back and Forward work.

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

export function parsePlace(hash: string): Place {
  const [, word = '', schemaText, url = ''] = /^#?([^@/]*)(?:@([^/]*))?(.*)$/su.exec(hash) ?? [];
  const schema = schemaText === undefined || schemaText === '' ? undefined : decodeURIComponent(schemaText);
  if (word === 'map') return { kind: 'map', schema, focus: decodeURIComponent(url.slice(1)) || undefined };
  if (url.length < 2) return { kind: 'start', schema };
  return { kind: 'request', schema, url, view: VIEWS.find((view) => view === word) ?? 'table' };
}

export function renderPlace(place: Place): string {
  const schema = place.schema === undefined ? '' : `@${encodeURIComponent(place.schema)}`;
  if (place.kind === 'start') return `#${schema}`;
  if (place.kind === 'map')
    return `#map${schema}${place.focus === undefined ? '' : `/${encodeURIComponent(place.focus)}`}`;
  return `#${place.view === 'table' ? '' : place.view}${schema}${place.url}`;
}
