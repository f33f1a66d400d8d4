// A read request as data, as parsed by the server's parser.
import type { RenderedParams } from '../../../src/request/query/render-query.ts';

export interface RequestPath {
  readonly kind: 'relation' | 'function';
  readonly name: string;
}

export type ModelParams = RenderedParams;

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
