// A response with live rows: the events of one read, or of several, each with the id of its read (`beyond.md` §6.1).
import { laterPosition, type LogPosition } from '../../../contract/log-position.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { EncodedEvent } from '../events/event-text.ts';
import {
  addReadId,
  followByPosition,
  type LiveEvent,
  renderFailure,
  renderPosition,
  renderReadFailure,
} from '../events/live-events.ts';
import { EventBody, type EventBodyOptions } from './event-body.ts';

export interface LiveResponseOptions extends Pick<EventBodyOptions, 'maxBacklog' | 'memory'> {
  readonly hasPositions: boolean;
  readonly describe: (error: ApiError) => StreamFailure;
  /** Called with the number of reads that have ended. */
  readonly onStreamsEnd: (count: number) => void;
  /** Called once, when the response is over. */
  readonly onOver: (body: EventBody) => void;
}

/** An error as events contain it. */
export interface StreamFailure {
  readonly status: number;
  /** A JSON object. */
  readonly body: string;
}

/** The group that sends events to a stream. */
interface StreamGroup {
  /** Returns up to where what the group has sent contains all commits; undefined if the stream lacks some of it. */
  positionOf(stream: LiveStream): LogPosition | undefined;
  suspend(stream: LiveStream): void;
  rejoin(stream: LiveStream): void;
  leave(stream: LiveStream): void;
}

export class LiveResponse {
  readonly body: EventBody;
  readonly #options: LiveResponseOptions;
  readonly #streams: Set<LiveStream> = new Set();
  /** Whose events wait for the client, in a list of reads. */
  readonly #sources: WeakMap<EncodedEvent, LiveStream | 'failure'> = new WeakMap();
  /** Streams that have missed events. */
  readonly #behind: Set<LiveStream> = new Set();
  /** Errors that a slow client has not received. No group would send them again. */
  readonly #missedFailures: Set<EncodedEvent> = new Set();
  /** The latest position that was sent. */
  #reached: LogPosition | undefined;

  constructor(options: LiveResponseOptions) {
    this.#options = options;
    this.body = new EventBody({
      maxBacklog: options.maxBacklog,
      memory: options.memory,
      onBacklog: (_, discarded) => this.#suspend(discarded),
      onCaughtUp: () => this.#catchUp(),
      onOver: () => {
        for (const stream of this.#streams) stream.leave();
        options.onStreamsEnd(this.#streams.size);
        this.#streams.clear();
        options.onOver(this.body);
      },
    });
  }

  /** @param readId undefined for the only read */
  add(readId: string | undefined): LiveStream {
    const stream = new LiveStream(this, readId);
    this.#streams.add(stream);
    return stream;
  }

  push(stream: LiveStream, event: LiveEvent): void {
    const own = stream.readId === undefined ? event : addReadId(event, stream.readId);
    const position = event.name === 'reset' ? undefined : this.#findPosition();
    const sent = position === undefined ? own : followByPosition(own, position);
    this.#reached = position ?? this.#reached;
    if (stream.readId !== undefined) this.#sources.set(sent, stream);
    this.body.push(sent);
  }

  /** Sends the position if it is a later one. */
  pushPosition(): void {
    const position = this.#findPosition();
    if (position === undefined || !isBehind(this.#reached, position)) return;
    this.#reached = position;
    this.body.push(renderPosition(position));
  }

  /** Returns up to where the response contains all commits that concern it, in all of its reads. */
  #findPosition(): LogPosition | undefined {
    if (!this.#options.hasPositions) return undefined;
    let earliest: LogPosition | undefined;
    for (const stream of this.#streams) {
      const position = this.#behind.has(stream) ? undefined : stream.position;
      if (position === undefined) return undefined;
      if (earliest === undefined || isBehind(position, earliest)) earliest = position;
    }
    return earliest !== undefined && isBehind(earliest, this.#reached) ? this.#reached : earliest;
  }

  /** Sends the error. The response ends with its last read. */
  fail(stream: LiveStream, error: ApiError): void {
    if (!this.#streams.delete(stream)) return;
    stream.leave();
    this.#options.onStreamsEnd(1);
    this.#behind.delete(stream);
    const failure = this.#options.describe(error);
    if (stream.readId === undefined) return this.body.end(renderFailure(failure.body));
    const event = renderReadFailure(stream.readId, failure);
    this.#sources.set(event, 'failure');
    this.body.push(event);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#streams.size === 0 && this.#missedFailures.size === 0) this.body.end();
  }

  #suspend(discarded: readonly EncodedEvent[]): void {
    for (const event of discarded) {
      const stream = this.#sources.get(event) ?? this.#onlyStream;
      if (stream === 'failure') this.#missedFailures.add(event);
      if (stream === undefined || stream === 'failure' || !this.#streams.has(stream)) continue;
      this.#behind.add(stream);
      stream.group?.suspend(stream);
    }
  }

  #catchUp(): void {
    const failures = [...this.#missedFailures];
    this.#missedFailures.clear();
    for (const event of failures) this.body.push(event);
    const streams = [...this.#behind];
    this.#behind.clear();
    for (const stream of streams) stream.rejoin();
    this.#endIfDone();
  }

  /** The stream of a response to one read. */
  get #onlyStream(): LiveStream | undefined {
    const [stream] = this.#streams;
    return stream?.readId === undefined ? stream : undefined;
  }
}

function isBehind(position: LogPosition | undefined, other: LogPosition | undefined): boolean {
  if (position === undefined || other === undefined) return other !== undefined;
  return other !== position && laterPosition(other, position) === other;
}

/** The events of one read, as its group sends them. */
export class LiveStream {
  readonly readId: string | undefined;
  readonly #response: LiveResponse;
  /** Whether the client has rows, with everything that the group has sent since. */
  #hasRows = false;
  /** What was sent contains all commits up to it; undefined while that is unknown. */
  #sent: LogPosition | undefined;
  #group: StreamGroup | undefined;
  #onLeft: (() => void) | undefined;

  constructor(response: LiveResponse, readId: string | undefined) {
    this.#response = response;
    this.readId = readId;
  }

  /** Undefined until the read has begun. */
  get group(): StreamGroup | undefined {
    return this.#group;
  }

  /** @param onLeft called when the stream has left the group */
  join(group: StreamGroup, onLeft: () => void): void {
    this.#group = group;
    this.#onLeft = onLeft;
  }

  push(event: LiveEvent): void {
    this.#hasRows = event.name !== 'reset';
    this.#sent = event.position;
    this.#response.push(this, event);
  }

  /** Call when the stream contains all commits up to the position. */
  reach(position: LogPosition | undefined): void {
    this.#hasRows = true;
    this.#sent = position;
    this.#response.pushPosition();
  }

  /** Up to where the stream contains all commits that concern it; undefined while it lacks rows. */
  get position(): LogPosition | undefined {
    if (!this.#hasRows) return undefined;
    const known = this.#group?.positionOf(this);
    return this.#sent && known ? laterPosition(known, this.#sent) : (known ?? this.#sent);
  }

  /** Call when the client has missed events, and can receive rows again. */
  rejoin(): void {
    this.#hasRows = false;
    this.#sent = undefined;
    this.#group?.rejoin(this);
  }

  fail(error: ApiError): void {
    this.#response.fail(this, error);
  }

  leave(): void {
    const [group, onLeft] = [this.#group, this.#onLeft];
    this.#group = undefined;
    this.#onLeft = undefined;
    group?.leave(this);
    onLeft?.();
  }
}
