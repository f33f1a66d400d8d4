// Creates the store: the place follows the address, the schema follows the place and the token, and the exchange
// follows the request of the place. Outdated responses are dropped.
import { computed, signal } from '@preact/signals';
import type { Exchange } from '../client/exchange.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { parsePlace, renderPlace, type Place } from '../url-state/place.ts';
import type { Browser } from './browser.ts';
import { latestOnly } from './latest-only.ts';
import { DESCRIPTION_REQUEST, readDescription } from './read-description.ts';
import { requestOfPlace } from './request-of-place.ts';
import type { Loaded, Store } from './store.ts';

export function createStore(browser: Browser): Store {
  const signingKey = signal(browser.readSigningKey());
  const place = signal<Place>(parsePlace(browser.readHash()));
  const token = signal(browser.readToken());
  const schema = signal<Loaded<SchemaIndex>>({ kind: 'loading' });
  const exchange = signal<Exchange | undefined>(undefined);

  const access = computed(() => ({ base: browser.base, token: token.value, schema: place.value.schema }));
  const send: Store['send'] = async (request, abort) => browser.send(access.peek(), request, abort);
  const latestRequest = latestOnly(send);
  const latestDescription = latestOnly(send);
  const currentRequest = computed(() =>
    requestOfPlace(place.value, schema.value.kind === 'ready' ? schema.value.value : undefined),
  );

  const run = (): void => {
    const request = currentRequest.peek();
    latestRequest.drop();
    exchange.value = request && { kind: 'running', request, startedAt: performance.now() };
    if (request !== undefined) latestRequest.start(request, (outcome) => (exchange.value = outcome));
  };
  const reload = (): void => {
    schema.value = { kind: 'loading' };
    latestDescription.start(DESCRIPTION_REQUEST, (outcome) => (schema.value = readDescription(outcome)));
  };
  const setPlace = (next: Place): boolean => {
    if (renderPlace(next) === renderPlace(place.peek())) return false;
    place.value = next;
    return true;
  };

  browser.onHash(() => setPlace(parsePlace(browser.readHash())));
  computed(() => JSON.stringify(access.value)).subscribe(reload);
  computed(() => JSON.stringify([currentRequest.value, access.value])).subscribe(run);

  return {
    place,
    token,
    schema,
    exchange,
    go(next, step = 'push') {
      if (setPlace(next)) browser.writeHash(renderPlace(next), step);
    },
    setToken(next) {
      browser.writeToken(next);
      token.value = next;
    },
    signingKey,
    setSigningKey(next) {
      browser.writeSigningKey(next);
      signingKey.value = next;
    },
    reload,
    run,
    cancel: latestRequest.cancel,
    send,
  };
}
