// Implements `Browser` with the window of the page.
import { send } from '../client/send.ts';
import type { Browser } from './browser.ts';

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
