// Stops a running script whose client no longer waits for it.
import { sendCancelRequest } from '../connect/cancel.ts';
import type { Session } from '../session/session.ts';

/** Pause before the first repetition of a cancel request. */
const FIRST_PAUSE_MS = 25;

/** Created when the client disconnects or the consumer cancels the body. */
export class Stopper {
  readonly #session: Session;
  readonly #stopped: Promise<void>;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#stopped = this.#stop();
  }

  /**
   * Call when nothing runs any more.
   *
   * @returns resolves when no cancel request is in flight, which could hit the next script on the connection
   */
  end(): Promise<void> {
    this.#isOver = true;
    this.#wake();
    return this.#stopped;
  }

  /**
   * Repeats the cancel request while the statement runs: a request that arrives before the statement has begun has no
   * effect. If the statement does not stop in time, closes the connection.
   */
  async #stop(): Promise<void> {
    const { target, cancelKey: key, liveness } = this.#session;
    const { timeoutMs } = liveness;
    const end = performance.now() + timeoutMs;
    for (let pause = FIRST_PAUSE_MS; performance.now() < end; pause *= 2) {
      const isReceived = key !== undefined && (await sendCancelRequest(target, key, timeoutMs));
      if (!isReceived) return this.#session.destroy('the cancel request for its statement got no response');
      if (await this.#isOverWithin(Math.min(pause, timeoutMs))) return;
    }
    this.#session.destroy('its statement did not end after it was cancelled');
  }

  #isOverWithin(milliseconds: number): Promise<boolean> | boolean {
    if (this.#isOver) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds, false).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
