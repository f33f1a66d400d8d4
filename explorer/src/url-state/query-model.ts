// A read request as data, as parsed by the server's parser.
import type { QueryParams } from '../../../src/request/query/query-params.ts';

export interface RequestPath {
  readonly kind: 'relation' | 'function';
  readonly name: string;
}

/** The parsed parameters, without information about their text. */
export type ModelParams = Omit<QueryParams, 'canonical' | 'ignoredText'>;

export interface QueryModel {
  readonly path: RequestPath;
  readonly params: ModelParams;
}

/** Creates a request for a whole relation, or for a function without arguments. */
export function createModel(path: RequestPath): QueryModel {
  return {
    path,
    params: {
      select: [{ kind: 'all' }],
      filters: [],
      logic: [],
      having: [],
      distinct: [],
      scores: [],
      orders: [],
      ranges: [],
      pages: [],
      columns: undefined,
      onConflict: undefined,
      args: [],
    },
  };
}
