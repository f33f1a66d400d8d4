// Sends heartbeats to open streams, and ends them when their tokens expire.
import type { EncodedEvent } from '../../live/event-text.ts';
import type { EventBody } from './event-body.ts';

export interface StreamTimes {
  readonly heartbeat: EncodedEvent;
  /** Milliseconds since the epoch; undefined if the stream has no end. */
  readonly endsAt: number | undefined;
  /** Event that is sent when the stream ends. */
  readonly last: EncodedEvent | undefined;
}

const HEARTBEAT_MS = 15_000;
/** Longest delay of a timer, 24.8 days. With longer ones, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class StreamClock {
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
