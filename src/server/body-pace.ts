// Request bodies being received → those that arrive too slowly. One check per second covers all of them, so a request
// needs no timer of its own.

export interface Pace {
  /** Since reading of the body began. */
  readonly elapsedMs: number;
  /** Since the last byte. */
  readonly idleMs: number;
  readonly sizeBytes: number;
}

/** Beyond the timeout, a body must have arrived at 1 kB/s on average. */
const MIN_BYTES_PER_MS = 1;

/** @param timeoutMs that a body may take whatever its size, and the longest time without a byte */
export function isTooSlow({ elapsedMs, idleMs, sizeBytes }: Pace, timeoutMs: number): boolean {
  return idleMs >= timeoutMs || elapsedMs >= timeoutMs + sizeBytes / MIN_BYTES_PER_MS;
}

export interface WatchedBody {
  /** Bytes so far. */
  readonly size: number;
  giveUp(): void;
}

interface Watch {
  start: number;
  size: number;
  /** When bytes last arrived. */
  grownAt: number;
  /** Since when nothing is expected of the client; undefined: something is. */
  heldAt: number | undefined;
}

const INTERVAL_MS = 1000;

export class BodyWatch {
  readonly #timeoutMs: () => number;
  readonly #bodies: Map<WatchedBody, Watch> = new Map();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeoutMs as in `isTooSlow` */
  constructor(timeoutMs: () => number) {
    this.#timeoutMs = timeoutMs;
  }

  /** To be called again when a body that was held is expected to go on: the time between does not count. */
  add(body: WatchedBody): void {
    const now = performance.now();
    const { start = now, size = 0, grownAt = now, heldAt = now } = this.#bodies.get(body) ?? {};
    const held = now - heldAt;
    this.#bodies.set(body, { start: start + held, size, grownAt: grownAt + held, heldAt: undefined });
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS).unref();
  }

  /** The server itself does not read it. */
  hold(body: WatchedBody): void {
    const watch = this.#bodies.get(body);
    if (watch !== undefined) watch.heldAt ??= performance.now();
  }

  remove(body: WatchedBody): void {
    this.#bodies.delete(body);
  }

  #check(): void {
    const now = performance.now();
    for (const [body, watch] of this.#bodies) {
      if (watch.heldAt !== undefined) continue;
      if (body.size > watch.size) watch.grownAt = now;
      watch.size = body.size;
      const pace = { elapsedMs: now - watch.start, idleMs: now - watch.grownAt, sizeBytes: body.size };
      if (isTooSlow(pace, this.#timeoutMs())) body.giveUp();
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
