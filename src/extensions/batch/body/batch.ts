// A batch as parsed: its requests in order, with the places that refer to earlier responses (`beyond.md` §2.1).
import type { HeaderList } from '../../../contract/http.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { Span } from '../../../request/payload/json-text.ts';
import type { PointerTree } from './pointer-tree.ts';

/** A part of the response to an earlier request. */
export interface Reference {
  /** Index of the earlier request. */
  readonly request: number;
  readonly id: string;
  /** RFC 6901. */
  readonly pointer: string;
}

/** `element`: the text stands between the quotes of a list element, otherwise it is the whole value of a filter. */
export interface PathReference extends Reference {
  readonly place: 'value' | 'element';
}

/** Text as sent, with references between its parts. */
export type TargetTemplate = readonly (string | PathReference)[];

/** JSON text as sent; `parts` of it are kept, with references between them. */
export interface BodyTemplate {
  readonly text: Uint8Array;
  /** Undefined: all of the text. */
  readonly parts: readonly (Span | Reference)[] | undefined;
}

export interface BatchRequest {
  readonly index: number;
  readonly id: string | undefined;
  readonly method: string;
  /** Path and query string. */
  readonly target: TargetTemplate;
  readonly headers: HeaderList;
  /** Undefined: no body. */
  readonly body: BodyTemplate | undefined;
  /** Index of the latest request that it refers to; -1 if there is none. */
  readonly latestReference: number;
}

export interface Batch {
  readonly requests: readonly BatchRequest[];
  /** The pointers into the response to each request, by its index. */
  readonly pointers: ReadonlyMap<number, PointerTree>;
}

export function describeReference({ id, pointer }: Pick<Reference, 'id' | 'pointer'>): string {
  return `{${id}#${pointer}}`;
}

export function unresolvable(text: string, request: number, details: string): ApiError {
  return { kind: 'referenceUnresolved', text, request, details };
}
