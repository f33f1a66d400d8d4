// The kept requests of this API, in the local storage of the browser. Other tabs see changes at once.
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Browser } from '../store/browser.ts';
import type { Store } from '../store/store.ts';
import { isKeepable, isWrite, keep, type KeptRequest, type KeptRequests } from './kept-request.ts';
import { parseRequests, printRequests } from './request-file.ts';

/** Several APIs may have the same origin. */
const KEY = `rowhouse.requests ${new URL('.', document.baseURI).pathname}`;

const requests = signal<KeptRequests>(read());

export const keptRequests: ReadonlySignal<KeptRequests> = requests;

export function changeRequests(change: (list: KeptRequests) => KeptRequests): void {
  const changed = change(read());
  requests.value = changed;
  try {
    localStorage.setItem(KEY, printRequests(changed));
  } catch {
    // The storage is full or not allowed: the requests last as long as the page.
  }
}

/** Keeps each request of a place that the server answers. */
export function keepRequests(store: Store): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY) requests.value = read();
  });
  effect(() => {
    const exchange = store.exchange.value;
    const place = store.place.peek();
    if (exchange?.kind !== 'answered' || place.kind !== 'request' || place.url !== exchange.request.url) return;
    const { view, schema, url } = place;
    keepOne({ method: 'GET', url, schema, view, status: exchange.response.status });
  });
}

/** Keeps each write without its body, unless it was a dry run. */
export function keepWrites(send: Browser['send']): Browser['send'] {
  return async (access, request, abort) => {
    const exchange = await send(access, request, abort);
    if (exchange.kind === 'answered' && isWrite(request)) {
      const { method, url } = request;
      keepOne({ method, url, schema: access.schema, view: 'table', status: exchange.response.status });
    }
    return exchange;
  };
}

function keepOne(request: Omit<KeptRequest, 'name' | 'at'>): void {
  if (!isKeepable(request.url)) return;
  changeRequests((list) => keep(list, { ...request, name: undefined, at: Date.now() }));
}

function read(): KeptRequests {
  try {
    const stored = parseRequests(localStorage.getItem(KEY) ?? '');
    return stored.ok ? stored.value : [];
  } catch {
    return [];
  }
}
