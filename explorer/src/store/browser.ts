// What the store needs of the browser: the address, a place for the token that lasts as long as the tab, and the network.
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { send, type ApiAccess } from '../client/send.ts';

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

const TOKEN_KEY = 'rowhouse.token';

export const windowBrowser: Browser = {
  base: new URL('.', document.baseURI).href,
  readHash: () => location.hash,
  writeHash(hash, step) {
    if (step === 'push') history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
  },
  onHash(listener) {
    addEventListener('popstate', listener);
    addEventListener('hashchange', listener);
  },
  readToken: () => sessionStorage.getItem(TOKEN_KEY) ?? undefined,
  writeToken(token) {
    if (token === undefined) sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, token);
  },
  send,
};
