// Follows a read on the connection that the tabs of the browser share.
import { headerText } from '../client/headers.ts';
import type { Store } from '../store/store.ts';
import { windowBrowser } from '../store/window-browser.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { ReadMessage, ReadRequest } from './serve-reads.ts';
import type { StreamError } from './stream-state.ts';

export interface FollowedRead {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly onMessage: (message: ReadMessage) => void;
  readonly signal: AbortSignal;
}

export function followRows({ store, place, onMessage, signal }: FollowedRead): void {
  const { base } = windowBrowser;
  const token = store.token.peek();
  const request: ReadRequest = {
    access: {
      url: base,
      token: token === undefined ? undefined : headerText(token),
      headers: place.schema === undefined ? {} : { 'Accept-Profile': headerText(place.schema) },
    },
    path: new URL(`.${place.url}`, base).href.slice(base.length - 1),
  };
  let port: MessagePort | undefined;
  const begin = (chosen: MessagePort): void => {
    if (signal.aborted) return;
    port = chosen;
    const receive = ({ data }: MessageEvent<ReadMessage>): void => onMessage(data);
    port.addEventListener('message', receive, { signal });
    port.start();
    port.postMessage(request);
  };
  const beginHere = (): void => {
    serveHere().then(begin, () => onMessage({ kind: 'state', state: { kind: 'ended', error: NOT_LOADED } }));
  };
  const open = (): void => {
    if (typeof SharedWorker !== 'function') return beginHere();
    const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('error', beginHere, { signal });
    return begin(worker.port);
  };
  const end = (): void => port?.postMessage('end');
  open();
  signal.addEventListener('abort', end);
  // The worker does not see that a tab is closed. The browser may bring the page back.
  addEventListener('pagehide', end, { signal });
  addEventListener('pageshow', ({ persisted }) => (persisted ? open() : undefined), { signal });
}

const NOT_LOADED: StreamError = {
  code: undefined,
  message: 'Part of the page could not be loaded.',
  details: undefined,
  hint: 'Reload the page.',
};

/** For browsers that share no workers. */
async function serveHere(): Promise<MessagePort> {
  const { createReadService } = await import('./serve-reads.ts');
  const { port1, port2 } = new MessageChannel();
  createReadService()(port1);
  return port2;
}
