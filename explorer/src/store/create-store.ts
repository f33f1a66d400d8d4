// Creates the store: the place follows the address, the schema follows the place and the token, and the exchange
// follows the request of the place. Outdated responses are dropped.
import { computed, signal } from '@preact/signals';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { ACCESS_PURPOSE } from '../../../src/contract/access-document.ts';
import { parsePlace, renderPlace, type Place } from '../url-state/place.ts';
import { withStableOrder } from '../url-state/stable-order.ts';
import { signToken } from '../client/sign-token.ts';
import type { Browser } from './browser.ts';
import { latestOnly } from './latest-only.ts';
import { DESCRIPTION_REQUEST, isSameSchema, readDescription, saysSchemaChanged } from './read-description.ts';
import { requestOfPlace } from './request-of-place.ts';
import { createSigningKey } from './signing-key.ts';
import type { Loaded, Store } from './store.ts';

/** Seconds that the token of a question is valid. */
const ACCESS_LIFETIME = 60;

export function createStore(browser: Browser): Store {
  const signing = createSigningKey(browser);
  signing.take();
  const place = signal<Place>(parsePlace(browser.readHash()));
  const token = signal(browser.readToken());
  const schema = signal<Loaded<SchemaIndex>>({ kind: 'loading' });
  const exchange = signal<Exchange | undefined>(undefined);

  const access = computed(() => ({ base: browser.base, token: token.value, schema: place.value.schema }));
  const known = computed(() => (schema.value.kind === 'ready' ? schema.value.value : undefined));
  const latestDescription = latestOnly(async (request: OutgoingRequest, abort) =>
    browser.send(access.peek(), request, abort),
  );
  /** Called with the next description that is read, even if another request replaces theirs. */
  let readers: readonly ((read: Loaded<SchemaIndex>) => void)[] = [];
  const refresh: Store['refresh'] = (onRead) => {
    if (onRead !== undefined) readers = [...readers, onRead];
    latestDescription.start(DESCRIPTION_REQUEST, (outcome) => {
      const next = readDescription(outcome);
      if (!isSameSchema(schema.peek(), next)) schema.value = next;
      const waiting = readers;
      readers = [];
      for (const read of waiting) read(next);
    });
  };
  const send: Store['send'] = async (request, abort) => {
    const outcome = await browser.send(access.peek(), request, abort);
    if (saysSchemaChanged(outcome, known.peek())) refresh();
    return outcome;
  };
  const latestRequest = latestOnly(send);
  const currentRequest = computed(() => requestOfPlace(place.value, known.value));

  const run = (): void => {
    const request = currentRequest.peek();
    latestRequest.drop();
    exchange.value = request && { kind: 'running', request, startedAt: performance.now() };
    if (request !== undefined) latestRequest.start(request, (outcome) => (exchange.value = outcome));
  };
  const reload = (): void => {
    schema.value = { kind: 'loading' };
    refresh();
  };
  /** Another schema is not loaded yet. */
  const settle = (next: Place): Place => {
    const index = next.schema === place.peek().schema ? known.peek() : undefined;
    return index === undefined ? next : withStableOrder(next, index);
  };
  const setPlace = (next: Place): boolean => {
    if (renderPlace(next) === renderPlace(place.peek())) return false;
    place.value = next;
    return true;
  };
  const go: Store['go'] = (next, step = 'push') => {
    const settled = settle(next);
    if (setPlace(settled)) browser.writeHash(renderPlace(settled), step);
  };

  browser.onHash(() => {
    if (signing.take()) {
      browser.writeHash(renderPlace(place.peek()), 'replace');
      reload();
      return run();
    }
    const visited = parsePlace(browser.readHash());
    const settled = settle(visited);
    setPlace(settled);
    if (settled !== visited) browser.writeHash(renderPlace(settled), 'replace');
    return undefined;
  });
  known.subscribe((index) => {
    if (index !== undefined) go(place.peek(), 'replace');
  });
  computed(() => JSON.stringify(access.value)).subscribe(reload);
  computed(() => JSON.stringify([currentRequest.value, access.value])).subscribe(run);

  return {
    place,
    token,
    schema,
    known,
    exchange,
    canRun: computed(() => currentRequest.value !== undefined),
    go,
    setToken(next) {
      browser.writeToken(next);
      token.value = next;
    },
    async tryToken(next) {
      const outcome = await browser.send({ ...access.peek(), token: next }, DESCRIPTION_REQUEST);
      // 403: the server may not assume the role of the token.
      return outcome.kind === 'answered' && (outcome.response.status === 401 || outcome.response.status === 403)
        ? readServerError(outcome.response.text)
        : undefined;
    },
    signingKey: signing.key,
    setSigningKey: signing.set,
    isLinkRefused: signing.isLinkRefused,
    dismissLink: signing.dismiss,
    async askAccess(path, question, abort) {
      const request: OutgoingRequest = {
        method: 'POST',
        url: path,
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify(question),
      };
      const now = Date.now() / 1000;
      const claims = { purpose: ACCESS_PURPOSE, exp: Math.floor(now) + ACCESS_LIFETIME };
      const signed = await signToken(claims, signing.key.peek() ?? '', now);
      return await browser.send({ base: browser.base, token: signed, schema: undefined }, request, abort);
    },
    reload,
    refresh,
    run,
    amend(change) {
      const shown = exchange.peek();
      if (shown?.kind === 'answered') exchange.value = { ...shown, response: change(shown.response) };
    },
    cancel: latestRequest.cancel,
    send,
  };
}
