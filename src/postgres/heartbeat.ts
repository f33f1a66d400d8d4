// Asks on a connection that only listens, again and again, for an answer that takes no time: without it the loss of the
// other end would never be noticed.
import type { QueryReply } from './query.ts';
import type { Session } from './session.ts';

export class Heartbeat {
  readonly #session: Session;
  readonly #beat: () => Promise<QueryReply>;
  /** For the next beat, or for the end of the timeoutMs with this one. */
  #timer: NodeJS.Timeout | undefined;

  /** @param beat an idempotent statement */
  constructor(session: Session, beat: () => Promise<QueryReply>) {
    this.#session = session;
    this.#beat = beat;
    this.#rest();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #rest(): void {
    this.#timer = setTimeout(() => void this.#ask(), this.#session.liveness.intervalMs);
  }

  async #ask(): Promise<void> {
    const session = this.#session;
    this.#timer = setTimeout(
      () => session.destroy('the database server does not answer any more'),
      session.liveness.timeoutMs,
    );
    const reply = await this.#beat();
    this.stop();
    if (session.loss !== undefined) return;
    if (reply.ok) this.#rest();
    else session.destroy('the database server does not listen any more');
  }
}
