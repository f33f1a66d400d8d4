// Owns the event streams of this process: opens and counts them, sends heartbeats, and ends them.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Identity } from '../../../auth/authenticate.ts';
import type { BodyStream } from '../../../contract/body-stream.ts';
import type { CancelSignal } from '../../../contract/cancel-signal.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { describeError, renderErrorBody } from '../../../errors/render-error.ts';
import { type EncodedEvent, HEARTBEAT, renderRetry } from '../events/event-text.ts';
import { EXPIRED } from '../events/live-events.ts';
import { LiveMemory } from '../events/live-memory.ts';
import type { RunningHash } from '../events/sent-rows.ts';
import { findTokenEnd } from '../events/token-end.ts';
import { hideClaims, renderGroupKey, type SharingSettings, showHeaders } from '../events/watched-request.ts';
import type { LiveCounters } from '../live-metrics.ts';
import { errorContextOf, type RequestContext, type Work } from '../../../serve/request-context.ts';
import type { LiveRead } from '../../../sql/render-script.ts';
import { attempt } from './attempt.ts';
import { ChannelHub, type ChannelHubOptions } from './channel-hub.ts';
import { EventBody } from './event-body.ts';
import type { LiveGroup } from './live-group.ts';
import { LiveHub, type LiveHubOptions } from './live-hub.ts';
import { LiveResponse, type LiveStream, type StreamFailure } from './live-response.ts';
import { PositionClock } from './position-clock.ts';
import { LiveReader, type LiveReaderOptions } from './live-reader.ts';

export interface ServiceStreamsOptions {
  /** @param signal aborts when a read is no longer wanted */
  readonly context: (signal?: CancelSignal) => RequestContext;
  readonly channels: ChannelHubOptions;
  readonly live: Pick<LiveHubOptions, 'open' | 'observe'> & Pick<LiveReaderOptions, 'query'>;
}

/** A read to watch, or why it cannot be. */
export interface WatchedRead {
  /** Undefined for the only read of a response. */
  readonly readId: string | undefined;
  readonly live: Result<LiveRead, ApiError>;
  /** The request, and what it was planned under. */
  readonly work: Pick<Work, 'request' | 'identity' | 'planning'>;
  /** Id of the last event that the client has received; undefined if it is new. */
  readonly lastId: string | undefined;
  /** Completes an error for the client. */
  readonly explain: (error: ApiError) => Promise<ApiError>;
}

/** The response that a read enters. */
interface StreamPlace {
  readonly response: LiveResponse;
  /** Aborts when the client disconnects. */
  readonly signal: CancelSignal | undefined;
  /** Called before the first event of a read. */
  readonly onBegin: () => void;
}

type StreamKind = 'channels' | 'rows';

/** Estimated memory of a group, without its rows and what depends on its request. */
const GROUP_BYTES = 8192;
/** Memory per byte of a group's key, because the group keeps its request parsed and planned. */
const BYTES_PER_KEY_BYTE = 20;
/** Bytes that may wait for a client. */
const MAX_BACKLOG = 1_048_576;
/** How long clients wait before they reconnect after a shutdown, because the server may be restarting. */
const RETRY_MS = 2000;
const UNAVAILABLE = 503;
const TOO_SLOW: ApiError = { kind: 'overloaded', details: 'The client read its events too slowly', option: undefined };
const ENDED: ApiError = { kind: 'overloaded', details: 'The server is shutting down', option: undefined };

export class ServiceStreams {
  readonly #options: ServiceStreamsOptions;
  readonly #memory: LiveMemory;
  readonly #channels: ChannelHub;
  readonly #live: LiveHub;
  readonly #clock = new StreamClock();
  readonly #positions: PositionClock;
  readonly #open: Readonly<Record<StreamKind, Set<EventBody>>> = { channels: new Set(), rows: new Set() };
  /** Number of reads of open responses. */
  #reads = 0;
  #hasEnded = false;
  #wasUsed = false;

  constructor(options: ServiceStreamsOptions) {
    this.#options = options;
    this.#channels = new ChannelHub(options.channels);
    this.#memory = new LiveMemory(
      () => this.#config.liveMaxBytes,
      () => this.#live.giveUp(),
    );
    this.#positions = new PositionClock({
      ask: () => this.#live.askPosition(),
      pause: () => options.context().pause(),
    });
    this.#live = new LiveHub({
      ...options.live,
      memory: this.#memory,
      reader: new LiveReader({ context: options.context, query: options.live.query, memory: this.#memory }),
      createHash: () => createRowHash(),
      createSigner,
      settings: () => ({ interval: this.#config.liveInterval, resync: this.#config.liveResync }),
      bufferSize: () => this.#config.liveBufferSize,
      onAdvance: () => this.#positions.advance(),
      maxLingering: () => this.#config.liveMaxStreams,
      onEnd: (streams, error) => {
        for (const stream of streams) stream.fail(error);
      },
    });
  }

  /** Number of requests that hold no database connection: open streams, and requests that wait for a shared read. */
  get size(): number {
    return this.#open.channels.size + this.#open.rows.size;
  }

  /** Undefined before the first stream. */
  get counters(): LiveCounters | undefined {
    if (!this.#wasUsed) return undefined;
    const { groups, lag, counts } = this.#live;
    const { bytes } = this.#memory;
    return { channelStreams: this.#open.channels.size, rowStreams: this.#reads, groups, bytes, lag, ...counts };
  }

  /**
   * Opens a stream of the notifications on these channels. Resolves when the database listens to all of them.
   * @param claimsText of the identity; the stream ends when its token expires
   */
  async openChannels(channels: readonly string[], claimsText: string): Promise<Result<BodyStream, ApiError>> {
    const refusal = this.#findRefusal('channels');
    if (refusal !== undefined) return fail(refusal);
    this.#wasUsed = true;
    const body = new EventBody({
      maxBacklog: MAX_BACKLOG,
      memory: this.#memory,
      onBacklog: (slow) => slow.fail(TOO_SLOW),
      onOver: (over) => {
        this.#remove('channels', over);
        this.#channels.remove(over);
      },
    });
    this.#open.channels.add(body);
    const listening = await this.#channels.add(body, channels);
    if (!listening.ok) {
      body.cancel();
      return listening;
    }
    body.push(HEARTBEAT);
    this.#clock.add(body, { heartbeat: HEARTBEAT, endsAt: findTokenEnd(claimsText, Date.now()), last: undefined });
    return ok(body);
  }

  /**
   * Opens a stream of the rows that the requests read. Resolves when the first of them has been read for the first time.
   * Error: no read can begin, because of an error that concerns the only read, or because the server is full.
   *
   * @param hasPositions whether the stream reports positions in the log
   * @param signal aborts when the client disconnects
   */
  async watch(
    [first, ...others]: readonly [WatchedRead, ...WatchedRead[]],
    hasPositions: boolean,
    signal: CancelSignal | undefined,
  ): Promise<Result<BodyStream, ApiError>> {
    const { identity } = first.work;
    const over = others.length === 0 ? undefined : new AbortController();
    // Each read of the list listens to it, and Node warns of more than ten listeners.
    if (over !== undefined) setMaxListeners(0, over.signal);
    const response = this.#respond(identity, hasPositions, () => over?.abort());
    const { body } = response;
    const cancel = (): void => body.cancel();
    if (over !== undefined) {
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted === true) cancel();
    }
    let hasBegun = false;
    const onBegin = (): void => {
      if (hasBegun) return;
      hasBegun = true;
      body.push(HEARTBEAT);
      const endsAt = findTokenEnd(identity.claimsText, Date.now());
      this.#clock.add(body, { heartbeat: HEARTBEAT, endsAt, last: EXPIRED });
      if (hasPositions) this.#positions.add(response);
    };
    const place = { response, signal: over?.signal ?? signal, onBegin };
    const errors = await firstOrAll([first, ...others].map((read) => this.#enter(read, place)));
    if (over !== undefined) signal?.removeEventListener('abort', cancel);
    const [error] = errors;
    const isFull = (each: ApiError): boolean => this.#describe(each, identity).status === UNAVAILABLE;
    if (error === undefined || (first.readId !== undefined && !errors.every(isFull))) return ok(body);
    cancel();
    return fail(error);
  }

  /** Resolves when the read has begun or failed. */
  async #enter(read: WatchedRead, { response, signal, onBegin }: StreamPlace): Promise<Result<void, ApiError>> {
    const refusal = this.#findRefusal('rows');
    this.#reads += 1;
    const stream = response.add(read.readId);
    const open = (group: LiveGroup, key: string): LiveStream | undefined => {
      if (this.#hasEnded || !response.body.isOpen) return undefined;
      onBegin();
      stream.join(group, () => this.#live.settle(key));
      return stream;
    };
    const enter = (): Promise<Result<unknown, ApiError>> => this.#join(read, signal, open);
    const { observe } = this.#options.live;
    const entered = refusal === undefined ? await attempt(enter, observe) : fail(refusal);
    if (entered.ok) return ok(undefined);
    const explained = await attempt(async () => ok(await read.explain(entered.error)), observe);
    const error = explained.ok ? explained.value : explained.error;
    // If there is only one read, the response is the error itself.
    if (read.readId !== undefined) stream.fail(error);
    return fail(error);
  }

  async #join(
    { live, work: { request, identity, planning }, lastId }: WatchedRead,
    signal: CancelSignal | undefined,
    open: (group: LiveGroup, key: string) => LiveStream | undefined,
  ): Promise<Result<unknown, ApiError>> {
    if (!live.ok) return live;
    const sharing = this.#sharing;
    const shown = showHeaders(request.headers, sharing);
    const claims = hideClaims(identity.claimsText, sharing);
    const key = renderGroupKey(request, { role: identity.role, claims, shown });
    const watched = {
      live: live.value,
      planning,
      request,
      shown: { ...request, headers: shown },
      identity: { ...identity, claimsText: claims },
      byteLength: GROUP_BYTES + BYTES_PER_KEY_BYTE * key.length,
    };
    return this.#live.enter({ key, watched, lastId, signal, open: (group) => open(group, key) });
  }

  /** Call when the configuration or the schema cache has been replaced. */
  refresh(): void {
    this.#live.refresh(true);
  }

  /** Ends all streams and refuses new ones. */
  end(): void {
    this.#hasEnded = true;
    const retry = renderRetry(RETRY_MS);
    for (const body of this.#listOpen()) body.end(retry);
  }

  /** Resolves when all database connections of streams are closed. */
  async close(): Promise<void> {
    this.end();
    for (const body of this.#listOpen()) body.cancel();
    await Promise.all([this.#channels.close(), this.#live.close()]);
  }

  get #config(): RequestContext['config'] {
    return this.#options.context().config;
  }

  get #sharing(): SharingSettings {
    const { liveHeaders, liveIgnoreClaims } = this.#config;
    return { headers: liveHeaders.map((name) => name.toLowerCase()), ignoredClaims: liveIgnoreClaims };
  }

  /** Opens a response for rows, without reads. */
  #respond(identity: Identity, hasPositions: boolean, onOver: () => void): LiveResponse {
    this.#wasUsed = true;
    const response = new LiveResponse({
      maxBacklog: MAX_BACKLOG,
      memory: this.#memory,
      hasPositions,
      describe: (error) => this.#describe(error, identity),
      onStreamsEnd: (count) => (this.#reads -= count),
      onOver: (body) => {
        this.#remove('rows', body);
        this.#positions.remove(response);
        onOver();
      },
    });
    this.#open.rows.add(response.body);
    return response;
  }

  #remove(kind: StreamKind, body: EventBody): void {
    this.#open[kind].delete(body);
    this.#clock.remove(body);
  }

  #describe(error: ApiError, identity: Identity): StreamFailure {
    const context = this.#options.context();
    const described = describeError(error, errorContextOf(context, identity));
    return { status: described.status, body: renderErrorBody(described, context.config.clientErrorVerbosity) };
  }

  #listOpen(): readonly EventBody[] {
    return [...this.#open.channels, ...this.#open.rows];
  }

  #findRefusal(kind: StreamKind): ApiError | undefined {
    const count = kind === 'rows' ? this.#reads : this.#open.channels.size;
    return this.#hasEnded ? ENDED : findShortage(kind, count, this.#config);
  }
}

/** Resolves with no error when one of them has succeeded, or with all errors. */
function firstOrAll(outcomes: readonly Promise<Result<void, ApiError>>[]): Promise<readonly ApiError[]> {
  const errors: ApiError[] = [];
  return new Promise((resolve) => {
    for (const outcome of outcomes)
      void outcome.then((each) => {
        if (each.ok) resolve([]);
        else if (errors.push(each.error) === outcomes.length) resolve(errors);
      });
  });
}

function createRowHash(): RunningHash {
  const hash = createHash('sha256');
  return { update: (bytes) => hash.update(bytes), digest: () => hash.digest('base64') };
}

/** Random for each process, so that no other process can create valid event ids. */
const SIGNING_KEY = randomBytes(32);

/** Signs event numbers with a key derived from the process and the text, so that clients cannot forge event ids. */
function createSigner(text: string): (number: number) => string {
  const key = createHmac('sha256', SIGNING_KEY).update(text).digest();
  return (number) => createHmac('sha256', key).update(String(number)).digest('hex').slice(0, 24);
}

const LIMITS = {
  channels: { key: 'eventsMaxStreams', option: 'events-max-streams' },
  rows: { key: 'liveMaxStreams', option: 'live-max-streams' },
} as const;

/** @returns undefined if another stream may be opened */
function findShortage(kind: StreamKind, open: number, limits: RequestContext['config']): ApiError | undefined {
  const { key, option } = LIMITS[kind];
  const maximum = limits[key];
  return open < maximum ? undefined : { kind: 'overloaded', details: `${maximum} event streams are open`, option };
}

interface StreamTimes {
  readonly heartbeat: EncodedEvent;
  /** Milliseconds since the epoch; undefined if the stream has no end. */
  readonly endsAt: number | undefined;
  /** Event that is sent when the stream ends. */
  readonly last: EncodedEvent | undefined;
}

const HEARTBEAT_MS = 15_000;
/** Longest delay of a timer, 24.8 days. With longer ones, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Sends heartbeats to open streams, and ends them when their tokens expire. */
class StreamClock {
  readonly #timers: Map<EventBody, NodeJS.Timeout[]> = new Map();

  /** A body that is already over is ignored. */
  add(body: EventBody, { heartbeat, endsAt, last }: StreamTimes): void {
    if (!body.isOpen) return;
    const timers = [setInterval(() => body.push(heartbeat), HEARTBEAT_MS)];
    this.#timers.set(body, timers);
    if (endsAt !== undefined) this.#endAt(endsAt, () => body.end(last), timers);
  }

  remove(body: EventBody): void {
    for (const timer of this.#timers.get(body) ?? []) clearTimeout(timer);
    this.#timers.delete(body);
  }

  #endAt(endsAt: number, end: () => void, timers: NodeJS.Timeout[]): void {
    const rest = endsAt - Date.now();
    const isNear = rest <= MAX_TIMER_MS;
    const next = isNear ? end : () => this.#endAt(endsAt, end, timers);
    timers[1] = setTimeout(next, isNear ? rest : MAX_TIMER_MS);
  }
}
