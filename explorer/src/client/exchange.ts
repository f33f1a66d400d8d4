// A request to the API and its outcome.

export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Relative to the API: `/houses?limit=3`. */
  readonly url: string;
  /** Without `Authorization`, which the client adds. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** The bytes as received. */
  readonly content: Blob;
  readonly bytes: number;
  /** Number of rows at the top that were inserted after the response and belong to no page. */
  readonly insertedRows?: number | undefined;
  readonly milliseconds: number;
  /** What just happened to rows, by index. */
  readonly marks?: ReadonlyMap<number, RowMark> | undefined;
}

export type RowMark = 'new' | 'changed' | 'left';

export type Exchange =
  | { readonly kind: 'running'; readonly request: OutgoingRequest; readonly startedAt: number }
  | { readonly kind: 'answered'; readonly request: OutgoingRequest; readonly response: ReceivedResponse }
  | { readonly kind: 'failed'; readonly request: OutgoingRequest; readonly reason: 'network' | 'cancelled' };
