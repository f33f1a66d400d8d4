// Follows one stream of events on its own connection: a channel, or a read if the server cannot send many reads on one
// connection. When the connection is lost, it reconnects with the latest event id.
import { createParser } from 'eventsource-parser';
import { readServerError } from '../client/server-error.ts';
import type { StreamError, StreamState } from './stream-state.ts';

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

export interface StreamOptions {
  /** Rejects without a connection. */
  readonly open: (lastId: string | undefined) => Promise<Response>;
  readonly onState: (state: StreamState) => void;
  readonly onEvent: (event: StreamEvent) => void;
  /** Returns the error with which an event ends the stream. */
  readonly endOf: (event: StreamEvent) => StreamError | undefined;
  /** Resolves early if the stream is stopped. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 30_000];

/** Resolves when the stream has ended or is stopped. */
export async function followStream(options: StreamOptions): Promise<void> {
  const { onState, signal, wait } = options;
  let lastId: string | undefined;
  let pause = FIRST_PAUSE_MS;
  let wanted = 0;
  onState({ kind: 'connecting' });
  while (!signal.aborted) {
    const result = await connect(options, lastId);
    if (signal.aborted) return;
    if (result.kind === 'ended') return onState({ kind: 'ended', error: result.error });
    ({ lastId } = result);
    if (result.wasLive) pause = FIRST_PAUSE_MS;
    wanted = result.pauseMs ?? wanted;
    onState({ kind: 'reconnecting' });
    await wait(Math.max(pause, wanted));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

type Connection =
  | { readonly kind: 'ended'; readonly error: StreamError }
  | {
      readonly kind: 'lost';
      readonly lastId: string | undefined;
      readonly wasLive: boolean;
      /** The pause that the server wants. */
      readonly pauseMs: number | undefined;
    };

async function connect(options: StreamOptions, known: string | undefined): Promise<Connection> {
  let lastId = known;
  let wasLive = false;
  let pauseMs: number | undefined;
  let ended: Connection | undefined;
  const parser = createParser({
    onEvent({ event = 'message', data, id }) {
      if (options.signal.aborted || ended !== undefined) return;
      const error = options.endOf({ name: event, data });
      if (error !== undefined) ended = { kind: 'ended', error };
      else options.onEvent({ name: event, data });
      lastId = id ?? lastId;
      wasLive = true;
    },
    onRetry: (milliseconds) => (pauseMs = milliseconds),
  });
  try {
    const response = await options.open(known);
    const refused = await refusalOf(response, lastId);
    if (refused !== undefined) return refused;
    options.onState({ kind: 'live' });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      parser.feed(read.value);
      if (ended !== undefined) return ended;
    }
  } catch {
    // The connection is lost.
  }
  return { kind: 'lost', lastId, wasLive, pauseMs };
}

/** Returns undefined if the response is a stream. A server that is busy or starting can be tried again. */
async function refusalOf(response: Response, lastId: string | undefined): Promise<Connection | undefined> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.ok && isStream) return undefined;
  if (response.status >= 500 || response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? '0');
    return { kind: 'lost', lastId, wasLive: false, pauseMs: Number.isFinite(seconds) ? seconds * 1000 : undefined };
  }
  const error = readServerError(await response.text());
  return {
    kind: 'ended',
    error: { ...error, message: error.message ?? `The server responds with ${response.status}.` },
  };
}

/** The end of a stream of rows. */
export function endOfRows({ name, data }: StreamEvent): StreamError | undefined {
  if (name === 'error') return readServerError(data);
  if (name !== 'expired') return undefined;
  return { code: undefined, message: 'The token has expired.', details: undefined, hint: 'Enter a new token.' };
}
