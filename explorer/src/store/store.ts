// The state shared by the whole page. Everything displayed derives from these signals; components change them only with
// the methods of the store.
import type { ReadonlySignal } from '@preact/signals';
import type { Exchange, OutgoingRequest, ReceivedResponse } from '../client/exchange.ts';
import type { ServerError } from '../client/server-error.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Place } from '../url-state/place.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly exchange: Exchange };

export interface Store {
  readonly place: ReadonlySignal<Place>;
  /** Navigates to the place, with a stable order, by adding a history entry or replacing the current one. */
  go(place: Place, step?: 'push' | 'replace'): void;
  readonly token: ReadonlySignal<string | undefined>;
  setToken(token: string | undefined): void;
  /** Resolves with the error if the server rejects the token, without using it for other requests. */
  tryToken(token: string): Promise<ServerError | undefined>;
  /** The key with which the page may sign tokens; undefined if the user has not given it. */
  readonly signingKey: ReadonlySignal<string | undefined>;
  setSigningKey(key: string): void;
  /** Whether the server does not know the key of the link that was opened, until `dismissLink`. */
  readonly isLinkRefused: ReadonlySignal<boolean>;
  dismissLink(): void;
  /** Asks `rowhouse dev` about the access of roles, with a token signed for this question alone. */
  askAccess(path: string, question: object, signal?: AbortSignal): Promise<Exchange>;
  readonly schema: ReadonlySignal<Loaded<SchemaIndex>>;
  /** The schema if it is loaded. */
  readonly known: ReadonlySignal<SchemaIndex | undefined>;
  /** Reloads the schema from scratch, without showing the previous one meanwhile. */
  reload(): void;
  /** Reads the schema again and replaces it if it has changed. Keeps it if it cannot be read. */
  refresh(onRead?: (read: Loaded<SchemaIndex>) => void): void;
  /** The request of the current place, or the last write; undefined before the first. */
  readonly exchange: ReadonlySignal<Exchange | undefined>;
  /** Whether the place has a request that `run` sends; false for a function that only its form can call. */
  readonly canRun: ReadonlySignal<boolean>;
  /** Sends the request of the current place again. */
  run(): void;
  /** Changes the response that is shown, after a write. */
  amend(change: (response: ReceivedResponse) => ReceivedResponse): void;
  cancel(): void;
  /** Sends a separate request (a look-up, a write, a plan) with token and schema, without changing `exchange`. */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange>;
}
