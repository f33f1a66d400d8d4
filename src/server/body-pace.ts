// Bodies on their way → those that come too slowly. One look a second at all of them costs a request nothing.

export interface Pace {
  /** Milliseconds since the body was begun to be read. */
  readonly elapsed: number;
  /** Milliseconds without a byte. */
  readonly pause: number;
  /** Bytes. */
  readonly size: number;
}

/** Bytes that earn a further millisecond: 1 kB/s is enough however long it takes. */
const BYTES_PER_MILLISECOND = 1;

/** @param patience milliseconds that a body may take whatever its size, and the longest pause in it */
export function isTooSlow({ elapsed, pause, size }: Pace, patience: number): boolean {
  return pause >= patience || elapsed >= patience + size / BYTES_PER_MILLISECOND;
}

export interface WatchedBody {
  /** Bytes so far. */
  readonly size: number;
  giveUp(): void;
}

interface Watch {
  readonly start: number;
  size: number;
  /** When it last had grown. */
  grownAt: number;
}

const INTERVAL = 1000;

export class BodyWatch {
  readonly #patience: () => number;
  readonly #bodies: Map<WatchedBody, Watch> = new Map();
  #timer: NodeJS.Timeout | undefined;

  /** @param patience as in `isTooSlow` */
  constructor(patience: () => number) {
    this.#patience = patience;
  }

  add(body: WatchedBody): void {
    const now = performance.now();
    this.#bodies.set(body, { start: now, size: 0, grownAt: now });
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref();
  }

  remove(body: WatchedBody): void {
    this.#bodies.delete(body);
  }

  #look(): void {
    const now = performance.now();
    for (const [body, watch] of this.#bodies) {
      if (body.size > watch.size) watch.grownAt = now;
      watch.size = body.size;
      const pace = { elapsed: now - watch.start, pause: now - watch.grownAt, size: body.size };
      if (isTooSlow(pace, this.#patience())) body.giveUp();
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
