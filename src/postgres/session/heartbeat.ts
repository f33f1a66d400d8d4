// Runs a cheap statement at intervals on a connection that only listens. Without traffic, the loss of the server would
// go unnoticed.
import type { QueryReply } from './query.ts';
import type { Session } from './session.ts';

export class Heartbeat {
  readonly #session: Session;
  readonly #statement: () => Promise<QueryReply>;
  /** Timer until the next heartbeat, or timeout of the current one. */
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
      () => session.destroy('the database server no longer responds'),
      session.liveness.timeoutMs,
    );
    const reply = await this.#statement();
    this.stop();
    if (session.loss !== undefined) return;
    if (reply.ok) this.#schedule();
    else session.destroy('the database server no longer listens');
  }
}
