// Opens the stream of a request with the token and the schema of the page.
import { headersOf, headerText } from '../client/headers.ts';
import type { Store } from '../store/store.ts';
import { windowBrowser } from '../store/window-browser.ts';
import type { RequestPlace } from '../url-state/place.ts';

export function openEvents(
  { store, place }: { readonly store: Store; readonly place: RequestPlace },
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const resumed = lastId === undefined ? [] : [['Last-Event-ID', lastId] as const];
  const headers = [['Accept', 'text/event-stream'] as const, ...resumed];
  const access = { token: store.token.peek(), schema: place.schema };
  return fetch(new URL(`.${place.url}`, windowBrowser.base), {
    headers: headersOf(access, { method: 'GET', headers }).map(([name, value]) => [name, headerText(value)]),
    cache: 'no-store',
    signal,
  });
}

/** Resolves after the time, or when the stream is stopped. */
export function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
