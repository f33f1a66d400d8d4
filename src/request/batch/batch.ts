// A batch as parsed: its requests in order, with the places that refer to earlier responses (`beyond.md` §2.1).
import type { HeaderList } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';

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

/** Text or bytes as sent, with references between them. */
export type Template<Text, Ref extends Reference> = readonly (Text | Ref)[];

export interface BatchRequest {
  readonly index: number;
  readonly id: string | undefined;
  readonly method: string;
  /** Path and query string. */
  readonly target: Template<string, PathReference>;
  readonly headers: HeaderList;
  /** JSON text; undefined: no body. */
  readonly body: Template<Uint8Array, Reference> | undefined;
}

/** Why a batch failed, and at which request, if at one. */
export interface BatchFault {
  readonly error: ApiError;
  readonly request?: number | undefined;
  readonly id?: string | undefined;
}

/** Returns the index of the latest request that the request refers to; -1 if there is none. */
export function latestReference({ target, body = [] }: BatchRequest): number {
  let latest = -1;
  for (const part of [...target, ...body]) {
    if (typeof part !== 'string' && 'pointer' in part) latest = Math.max(latest, part.request);
  }
  return latest;
}

export function describeReference({ id, pointer }: Pick<Reference, 'id' | 'pointer'>): string {
  return `{${id}#${pointer}}`;
}

export function unresolvable(text: string, request: number, details: string): ApiError {
  return { kind: 'referenceUnresolved', text, request, details };
}
