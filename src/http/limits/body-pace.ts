// Bodies of requests that arrive, or of responses that clients take → those that are too slow. One check per second covers
// all of one direction, so a request needs no timer of its own.

export interface Pace {
  /** In which the client was awaited, since the start of the body or of the window. */
  readonly elapsedMs: number;
  /** Since the last byte. */
  readonly idleMs: number;
  readonly sizeBytes: number;
}

/** Beyond the timeout, a body must have passed at 1 kB/s on average. */
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

/** Bytes after which the pace is measured from the start again: a client that was fast must not stop for long. */
const PACE_WINDOW = 1_048_576;

interface Watch {
  /** Of the window. */
  start: number;
  /** The size at that time. */
  base: number;
  size: number;
  /** When bytes last passed. */
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
    const { size } = body;
    const watch = this.#bodies.get(body) ?? { start: now, base: size, size, grownAt: now, heldAt: now };
    const held = now - (watch.heldAt ?? now);
    watch.start += held;
    watch.grownAt += held;
    watch.heldAt = undefined;
    this.#bodies.set(body, watch);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS).unref();
  }

  /** The client is not awaited: the server itself does not go on. */
  hold(body: WatchedBody): void {
    const watch = this.#bodies.get(body);
    if (watch !== undefined) watch.heldAt ??= performance.now();
  }

  /** Bodies that have not been removed. */
  get count(): number {
    return this.#bodies.size;
  }

  remove(body: WatchedBody): void {
    this.#bodies.delete(body);
  }

  #check(): void {
    const now = performance.now();
    for (const [body, watch] of this.#bodies) {
      if (watch.heldAt !== undefined) continue;
      const { size } = body;
      if (size > watch.size) watch.grownAt = now;
      watch.size = size;
      const pace = { elapsedMs: now - watch.start, idleMs: now - watch.grownAt, sizeBytes: size - watch.base };
      if (isTooSlow(pace, this.#timeoutMs())) body.giveUp();
      else if (pace.sizeBytes > PACE_WINDOW) {
        watch.start = now;
        watch.base = size;
      }
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
