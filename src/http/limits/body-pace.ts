// Finds request bodies that arrive too slowly, or response bodies that clients read too slowly. One check per second
// covers all bodies of one direction, so no request needs its own timer.

export interface Pace {
  /** Time spent waiting for the client since the start of the body or window. */
  readonly elapsedMs: number;
  /** Time since the last byte. */
  readonly idleMs: number;
  readonly sizeBytes: number;
}

/** After the timeout, a body must have an average rate of 1 kB/s. */
const MIN_BYTES_PER_MS = 1;

/** @param timeoutMs time that a body of any size may take, and maximum time without a byte */
export function isTooSlow({ elapsedMs, idleMs, sizeBytes }: Pace, timeoutMs: number): boolean {
  return idleMs >= timeoutMs || elapsedMs >= timeoutMs + sizeBytes / MIN_BYTES_PER_MS;
}

export interface PacedTransfer {
  /** Bytes transferred so far. */
  readonly size: number;
  giveUp(): void;
}

/** Bytes after which measurement starts again: a client that was fast must not stop for long. */
const PACE_WINDOW = 1_048_576;

interface Watch {
  /** Start of the window. */
  start: number;
  /** Size at that time. */
  base: number;
  size: number;
  /** Time of the last transfer. */
  grownAt: number;
  /** Time since the server has not been waiting for the client; undefined while it waits. */
  suspendedAt: number | undefined;
}

const INTERVAL_MS = 1000;

export class BodyWatch {
  readonly #timeoutMs: () => number;
  readonly #bodies: Map<PacedTransfer, Watch> = new Map();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeoutMs see `isTooSlow` */
  constructor(timeoutMs: () => number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Starts or resumes measurement. Time while suspended does not count. */
  add(body: PacedTransfer): void {
    const now = performance.now();
    const { size } = body;
    const watch = this.#bodies.get(body) ?? { start: now, base: size, size, grownAt: now, suspendedAt: now };
    const suspendedMs = now - (watch.suspendedAt ?? now);
    watch.start += suspendedMs;
    watch.grownAt += suspendedMs;
    watch.suspendedAt = undefined;
    this.#bodies.set(body, watch);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS).unref();
  }

  /** Suspends measurement: the server itself does not continue. */
  suspend(body: PacedTransfer): void {
    const watch = this.#bodies.get(body);
    if (watch !== undefined) watch.suspendedAt ??= performance.now();
  }

  /** Number of bodies that have not been removed. */
  get count(): number {
    return this.#bodies.size;
  }

  remove(body: PacedTransfer): void {
    this.#bodies.delete(body);
  }

  #check(): void {
    const now = performance.now();
    for (const [body, watch] of this.#bodies) {
      if (watch.suspendedAt !== undefined) continue;
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
