// Implements `Browser` with the window of the page.
import { send } from '../client/send.ts';
import type { Browser } from './browser.ts';

const TOKEN_KEY = 'rowhouse.token';
const SIGNING_KEY = 'rowhouse.key';
/** The address with which `rowhouse dev` passes its key to the page. Servers never see this part of an address. */
const KEY_HASH = /^#key=([\w-]+)$/u;

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
  readSigningKey() {
    const given = KEY_HASH.exec(location.hash)?.[1];
    if (given === undefined) return sessionStorage.getItem(SIGNING_KEY) ?? undefined;
    this.writeSigningKey(given);
    history.replaceState(null, '', '#');
    return given;
  },
  writeSigningKey: (key) => sessionStorage.setItem(SIGNING_KEY, key),
  send,
};
