// What a request asks for, before the schema cache decides whether it is possible.
import type { MediaType } from '../media/media-type.ts';
import type { Payload } from './payload/payload.ts';
import type { PageRequest } from './page-request.ts';
import type { Preferences } from './preferences.ts';
import type { Profile } from './profile.ts';
import type { QueryParams } from './query/query-params.ts';
import type { RowRange } from './range.ts';
import type { Target } from './target.ts';
import type { WriteCondition } from './write-condition.ts';

export type Mutation = 'insert' | 'update' | 'delete' | 'put';

export type Action =
  | { readonly kind: 'readRelation'; readonly relation: string; readonly isHead: boolean }
  | { readonly kind: 'mutateRelation'; readonly relation: string; readonly mutation: Mutation }
  | { readonly kind: 'callRoutine'; readonly routine: string; readonly method: 'get' | 'head' | 'post' }
  | { readonly kind: 'describeSchema'; readonly isHead: boolean }
  /** For browsers at `/`. */
  | { readonly kind: 'showPage'; readonly isHead: boolean }
  | { readonly kind: 'listMethods'; readonly target: Target };

export interface ApiRequest {
  readonly action: Action;
  readonly profile: Profile;
  readonly query: QueryParams;
  readonly preferences: Preferences;
  /** Range of the top-level rows. */
  readonly range: RowRange;
  /** Under which condition a write may happen; undefined: under any. */
  readonly condition: WriteCondition | undefined;
  /** Undefined unless a relation is read in keyset pages. */
  readonly paging: PageRequest | undefined;
  readonly accepted: readonly MediaType[];
  /** The URL alone does not identify the response. */
  readonly isLongQuery: boolean;
  /** Undefined if the request has no body or its body is ignored. */
  readonly payload: Payload | undefined;
}
