// Where one is in the explorer. It stands in the address behind `#`, so that it can be shared and Back and Forward work.

/** How the rows of an answer are shown. */
export type ResultView = 'table' | 'json' | 'csv' | 'plan';

export type Place =
  | { readonly kind: 'start' }
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
