// What a request asks for, before the schema cache decides whether it is possible.
import type { MediaType } from '../media/media-type.ts';
import type { Payload } from './payload/payload.ts';
import type { Preferences } from './preferences.ts';
import type { Profile } from './profile.ts';
import type { Addressed, PageToken, QueryParams } from './query/query-params.ts';
import type { RowRange } from './range.ts';
import type { Target } from './target.ts';

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

export type WriteCondition =
  /** `If-Match: *`: the row exists. */
  | { readonly kind: 'exists' }
  /** `If-Match` with tags: the row has one of these versions. */
  | { readonly kind: 'unchanged'; readonly versions: readonly string[] }
  /** `If-None-Match: *`: no such row exists. */
  | { readonly kind: 'absent' }
  /** A condition that cannot be checked. */
  | { readonly kind: 'unsupported'; readonly feature: string };

/** The keyset page that a read asks for (`beyond.md` §1.6). */
export interface PageRequest {
  readonly tokens: readonly Addressed<PageToken>[];
  /** The query string without tokens; undefined: the response has no links. */
  readonly linkQuery: string | undefined;
  /** The rows are also selected by number. */
  readonly hasOffset: boolean;
}
