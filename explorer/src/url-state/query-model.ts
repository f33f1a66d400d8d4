// A read request as data: what the URL says, read by the server's own parser.
import type { QueryParams } from '../../../src/request/query/query-params.ts';

export interface RequestPath {
  readonly kind: 'relation' | 'function';
  readonly name: string;
}

/** What parameters ask for, without what the parser tells of their text. */
export type ModelParams = Omit<QueryParams, 'canonical' | 'ignoredText'>;

export interface QueryModel {
  readonly path: RequestPath;
  readonly params: ModelParams;
}

/** Everything of a relation, or a function without arguments. */
export function createModel(path: RequestPath): QueryModel {
  return {
    path,
    params: {
      select: [{ kind: 'all' }],
      filters: [],
      logic: [],
      orders: [],
      ranges: [],
      columns: undefined,
      onConflict: undefined,
      args: [],
    },
  };
}
