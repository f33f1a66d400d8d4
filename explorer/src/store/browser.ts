// The browser features that the store needs: the address, per-tab storage for the token, and the network.
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import type { ApiAccess } from '../client/api-access.ts';

export interface Browser {
  /** Base URL of the API, which is the folder of the page. */
  readonly base: string;
  readonly canSign: boolean;
  readHash(): string;
  writeHash(hash: string, step: 'push' | 'replace'): void;
  /** Notifies of changes by Back, Forward, links and typed addresses. */
  onHash(listener: () => void): void;
  readToken(): string | undefined;
  writeToken(token: string | undefined): void;
  readSigningKey(): string | undefined;
  writeSigningKey(key: string | undefined): void;
  /** Returns the key that the address contains, and removes it there. */
  takeLinkKey(): string | undefined;
  send(access: ApiAccess, request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange>;
}
