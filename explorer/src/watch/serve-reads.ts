// Watches the reads of pages, those with the same token and schema on one connection. Runs in a worker that the tabs of a
// browser share, or in the page.
import { connect, type Live, type LiveError } from '../../../packages/live/src/index.ts';
import { parseEventData, type RowsEvent } from './rows-event.ts';
import type { StreamError, StreamState } from './stream-state.ts';

/** What a page sends to begin. `end` ends the read. */
export interface ReadRequest {
  /** Reads with equal access share a connection. */
  readonly access: {
    /** URL of the API. */
    readonly url: string;
    readonly token: string | undefined;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly path: string;
}

export type ReadMessage = RowsEvent | { readonly kind: 'state'; readonly state: StreamState };

/** A `MessagePort`. */
export interface ReadPort {
  addEventListener(name: 'message', listener: (event: { readonly data: ReadRequest | 'end' }) => void): void;
  start(): void;
  postMessage(message: ReadMessage): void;
}

interface Connection {
  readonly live: Live;
  readonly reads: Set<ReadPort>;
}

/** Returns a function that serves a page, which watches one read. */
export function createReadService(): (port: ReadPort) => void {
  const connections = new Map<string, Connection>();
  const begin = (port: ReadPort, { access, path }: ReadRequest): (() => void) => {
    const key = JSON.stringify(access);
    const connection = connections.get(key) ?? {
      live: connect({ ...access, parse: parseEventData }),
      reads: new Set(),
    };
    const { live, reads } = connection;
    connections.set(key, connection);
    reads.add(port);
    const end = watchRead(live, path, (message) => port.postMessage(message));
    return () => {
      end();
      reads.delete(port);
      if (reads.size > 0) return;
      live.close();
      connections.delete(key);
    };
  };
  return (port) => {
    let end: (() => void) | undefined;
    port.addEventListener('message', ({ data }) => {
      end?.();
      end = data === 'end' ? undefined : begin(port, data);
    });
    port.start();
  };
}

function watchRead(live: Live, path: string, send: (message: ReadMessage) => void): () => void {
  const end = new AbortController();
  let hasRows = false;
  let shown: StreamState['kind'] = 'connecting';
  const show = (state: StreamState): void => {
    if (state.kind !== shown || 'error' in state) send({ kind: 'state', state });
    shown = state.kind;
  };
  const showStatus = (): void => {
    if (hasRows) show({ kind: live.status === 'open' ? 'live' : 'reconnecting' });
  };
  const apply = (event: RowsEvent): void => {
    hasRows = true;
    showStatus();
    send(event);
  };
  live.addEventListener('status', showStatus, end);
  live.watch<string>(path, {
    signal: end.signal,
    // A page counts what has changed since its own response.
    fresh: true,
    onRows: (rows) => apply({ kind: 'rows', rows }),
    onChange: (change) => apply({ kind: 'change', upsert: change.upsert, delete: change.delete }),
    onError(error) {
      show({ kind: error.isFinal ? 'ended' : 'reconnecting', error: describeError(error) });
      if (error.isFinal) end.abort();
    },
  });
  return () => end.abort();
}

function describeError({ code, message, details, hint, status }: LiveError): StreamError {
  const advice = hint ?? (status === 401 ? 'Enter a new token.' : undefined);
  return { code, message, details: details ?? undefined, hint: advice };
}
