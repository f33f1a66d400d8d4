// A script that runs, and that no client waits for any more → its end.
import { setTimeout as sleep } from 'node:timers/promises';
import { sendCancelRequest } from '../connect/cancel.ts';
import type { Session } from '../session/session.ts';

/** Until a cancel request is repeated. */
const FIRST_PAUSE_MS = 25;

/** Stops what runs on a session, at most once: when the client disconnects, or when the consumer cancels the body. */
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

  /** Resolves when no cancel request is under way, which could hit the next script on the connection. */
  get settled(): Promise<void> | undefined {
    return this.#stopping;
  }
}

/**
 * Repeats the cancel request while the statement runs: one that arrives before the statement has begun has no effect. If
 * the server does not stop the statement in time, the connection is closed, since no client waits for the result.
 */
async function stopRun(session: Session, running: Promise<unknown>): Promise<void> {
  const { target, cancelKey: key } = session;
  const { timeoutMs } = session.liveness;
  const end = performance.now() + timeoutMs;
  const over = running.then(() => true);
  for (let pause = FIRST_PAUSE_MS; performance.now() < end; pause *= 2) {
    const isReceived = key !== undefined && (await sendCancelRequest({ target, key, timeoutMs }));
    if (!isReceived) return session.destroy('the request to cancel its statement was not answered');
    if (await Promise.race([over, sleep(Math.min(pause, timeoutMs), false, { ref: false })])) return;
  }
  session.destroy('its statement did not end when it was cancelled');
}
