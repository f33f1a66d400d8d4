// Sends a cheap statement at intervals on a connection that only listens: without traffic, the loss of the other end would
// never be noticed.
import type { QueryReply } from './query.ts';
import type { Session } from './session.ts';

export class Heartbeat {
  readonly #session: Session;
  readonly #statement: () => Promise<QueryReply>;
  /** For the next heartbeat, or for the timeout of this one. */
  #timer: NodeJS.Timeout | undefined;

  /** @param statement runs an idempotent statement */
  constructor(session: Session, statement: () => Promise<QueryReply>) {
    this.#session = session;
    this.#statement = statement;
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#send(), this.#session.liveness.intervalMs);
  }

  async #send(): Promise<void> {
    const session = this.#session;
    this.#timer = setTimeout(
      () => session.destroy('the database server does not answer any more'),
      session.liveness.timeoutMs,
    );
    const reply = await this.#statement();
    this.stop();
    if (session.loss !== undefined) return;
    if (reply.ok) this.#schedule();
    else session.destroy('the database server does not listen any more');
  }
}
