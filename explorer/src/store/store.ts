// The state shared by the whole page. Everything displayed derives from these signals; components change them only with
// `go`, `setToken`, `run` and `cancel`.
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
  /** Navigates by adding a history entry or replacing the current one. */
  go(place: Place, step?: 'push' | 'replace'): void;
  readonly token: ReadonlySignal<string | undefined>;
  setToken(token: string | undefined): void;
  /** The key with which the page may sign tokens; undefined if the user has not given it. */
  readonly signingKey: ReadonlySignal<string | undefined>;
  setSigningKey(key: string): void;
  readonly schema: ReadonlySignal<Loaded<SchemaIndex>>;
  /** Reloads the schema. */
  reload(): void;
  /** The request of the current place, or the last write; undefined before the first. */
  readonly exchange: ReadonlySignal<Exchange | undefined>;
  /** Sends the request of the current place again. */
  run(): void;
  cancel(): void;
  /** Sends a separate request (a look-up, a write, a plan) with token and schema, without changing `exchange`. */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange>;
}
