// Follows a stream of events: connects, and connects again with the latest id after a lost connection.
import { readServerError, type ServerError } from '../client/server-error.ts';
import { createEventParser, type StreamEvent } from './event-parser.ts';

export type StreamState =
  | { readonly kind: 'connecting' | 'live' | 'reconnecting' }
  | { readonly kind: 'ended'; readonly error: StreamError };

export type StreamError = Pick<ServerError, 'code' | 'message' | 'details' | 'hint'>;

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
  const parser = createEventParser(known);
  try {
    const response = await options.open(known);
    const refused = await refusalOf(response, lastId);
    if (refused !== undefined) return refused;
    options.onState({ kind: 'live' });
    for await (const piece of textsOf(response)) {
      for (const event of parser.push(piece)) {
        if (options.signal.aborted) break;
        const error = options.endOf(event);
        if (error !== undefined) return { kind: 'ended', error };
        lastId = event.id;
        wasLive = true;
        options.onEvent(event);
      }
    }
  } catch {
    // The connection is lost.
  }
  return { kind: 'lost', lastId, wasLive, pauseMs: parser.retryMs() };
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

async function* textsOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) yield read.value;
}
