// Stops a running script whose client no longer waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { sendCancelRequest } from '../connect/cancel.ts';
import type { Session } from '../session/session.ts';

/** Pause before the first repetition of a cancel request. */
const FIRST_PAUSE_MS = 25;

/** Stops the script on a session, at most once: when the client disconnects or the consumer cancels the body. */
export class Stopper {
  readonly #session: Session;
  readonly #over: Promise<unknown>;
  #stopping: Promise<void> | undefined;

  /** @param over resolves when nothing runs any more */
  constructor(session: Session, over: Promise<unknown>) {
    this.#session = session;
    this.#over = over;
  }

  stop(): void {
    this.#stopping ??= stopRun(this.#session, this.#over);
  }

  /** Resolves when no cancel request is in flight, which could hit the next script on the connection. */
  get settled(): Promise<void> | undefined {
    return this.#stopping;
  }
}

/**
 * Repeats the cancel request while the statement runs: a request that arrives before the statement has begun has no
 * effect. If the statement does not stop in time, closes the connection.
 */
async function stopRun(session: Session, running: Promise<unknown>): Promise<void> {
  const { target, cancelKey: key } = session;
  const { timeoutMs } = session.liveness;
  const end = performance.now() + timeoutMs;
  const over = running.then(() => true);
  for (let pause = FIRST_PAUSE_MS; performance.now() < end; pause *= 2) {
    const isReceived = key !== undefined && (await sendCancelRequest({ target, key, timeoutMs }));
    if (!isReceived) return session.destroy('the cancel request for its statement got no response');
    if (await Promise.race([over, sleep(Math.min(pause, timeoutMs), false, { ref: false })])) return;
  }
  session.destroy('its statement did not end after it was cancelled');
}
