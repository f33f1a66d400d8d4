// The key with which the page signs tokens: entered, or taken from the link of `rowhouse dev`. The server is asked
// whether it knows the key of a link, because each start of `rowhouse dev` has a new one.
import { type ReadonlySignal, signal } from '@preact/signals';
import { readServerError } from '../client/server-error.ts';
import { signToken } from '../client/sign-token.ts';
import type { Browser } from './browser.ts';
import { DESCRIPTION_REQUEST } from './read-description.ts';

export interface SigningKey {
  readonly key: ReadonlySignal<string | undefined>;
  /** Whether the server does not know the key of the last link. */
  readonly isLinkRefused: ReadonlySignal<boolean>;
  readonly set: (key: string | undefined) => void;
  /** Takes the key from the address if that contains one, and returns whether it does. */
  readonly take: () => boolean;
  /** Forgets that a link was refused. */
  readonly dismiss: () => void;
}

export function createSigningKey(browser: Browser): SigningKey {
  const key = signal(browser.readSigningKey());
  const isLinkRefused = signal(false);
  const set = (next: string | undefined): void => {
    browser.writeSigningKey(next);
    key.value = next;
  };
  const check = async (given: string, previous: string | undefined): Promise<void> => {
    if (!browser.canSign || !(await isRefused(browser, given)) || key.peek() !== given) return;
    set(previous);
    isLinkRefused.value = true;
  };
  return {
    key,
    isLinkRefused,
    set,
    take() {
      const given = browser.takeLinkKey();
      if (given === undefined) return false;
      const previous = key.peek();
      isLinkRefused.value = false;
      set(given);
      void check(given, previous);
      return true;
    },
    dismiss: () => void (isLinkRefused.value = false),
  };
}

/** Seconds that the token of the question is valid. */
const LIFETIME = 60;
/** The code of a token whose signature is wrong, in both dialects. */
const BAD_TOKEN = /301$/u;

async function isRefused(browser: Browser, key: string): Promise<boolean> {
  const now = Date.now() / 1000;
  const token = await signToken({ exp: Math.floor(now) + LIFETIME }, key, now);
  const outcome = await browser.send({ base: browser.base, token, schema: undefined }, DESCRIPTION_REQUEST);
  if (outcome.kind !== 'answered' || outcome.response.status !== 401) return false;
  return BAD_TOKEN.test(readServerError(outcome.response.text).code ?? '');
}
