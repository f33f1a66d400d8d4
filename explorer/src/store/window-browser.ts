// Implements `Browser` with the window of the page.
import { send } from '../client/send.ts';
import type { Browser } from './browser.ts';

const TOKEN_KEY = 'rowhouse.token';
const SIGNING_KEY = 'rowhouse.key';
/** The address with which `rowhouse dev` passes its key to the page. Servers never see this part of an address. */
const KEY_HASH = /^#key=([\w-]+)$/u;

/** Browsers provide `crypto.subtle` only over HTTPS and on localhost. */
export function canSign(): boolean {
  return isSecureContext;
}

export const windowBrowser: Browser = {
  base: new URL('.', document.baseURI).href,
  canSign: canSign(),
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
  writeToken: (token) => keep(TOKEN_KEY, token),
  readSigningKey: () => sessionStorage.getItem(SIGNING_KEY) ?? undefined,
  writeSigningKey: (key) => keep(SIGNING_KEY, key),
  takeLinkKey() {
    const given = KEY_HASH.exec(location.hash)?.[1];
    if (given !== undefined) history.replaceState(null, '', '#');
    return given;
  },
  send,
};

function keep(name: string, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, value);
}
