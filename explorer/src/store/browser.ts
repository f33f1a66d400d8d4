// What the store needs of the browser: the address, a place for the token that lasts as long as the tab, and the network.
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import type { ApiAccess } from '../client/api-access.ts';

export interface Browser {
  /** The folder that the page lies in is the API's. */
  readonly base: string;
  readHash(): string;
  writeHash(hash: string, step: 'push' | 'replace'): void;
  /** Back, Forward, links and addresses typed in. */
  onHash(listener: () => void): void;
  readToken(): string | undefined;
  writeToken(token: string | undefined): void;
  send(access: ApiAccess, request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange>;
}
