// What the whole page shares. Everything that is shown follows from these signals; components change them only by `go`,
// `setToken`, `run` and `cancel`.
import type { ReadonlySignal } from '@preact/signals';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Place } from '../url-state/place.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly exchange: Exchange };

export interface Store {
  readonly place: ReadonlySignal<Place>;
  /** A new step in the browser's history, or the present one changed. */
  go(place: Place, step?: 'push' | 'replace'): void;
  readonly token: ReadonlySignal<string | undefined>;
  setToken(token: string | undefined): void;
  readonly schema: ReadonlySignal<Loaded<SchemaIndex>>;
  /** Reads the schema again. */
  reload(): void;
  /** The request of the present place, or the last write; undefined before the first. */
  readonly exchange: ReadonlySignal<Exchange | undefined>;
  /** Sends the request of the present place again. */
  run(): void;
  cancel(): void;
  /** A request on the side (a look-up, a write, a plan): with the token and the schema, not shown as `exchange`. */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange>;
}
