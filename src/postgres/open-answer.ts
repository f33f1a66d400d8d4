// An answer that is given before its transaction is over: its body is what the database still sends. Until the end the
// session belongs to it.
import type { ApiError } from '../errors/api-error.ts';
import type { Session } from './session.ts';
import { stopRun } from './stop-run.ts';
import { type StreamBegin, StreamedBody } from './streamed-body.ts';

export class OpenAnswer {
  readonly body: StreamedBody;
  #onOver: () => void = () => undefined;
  #cancelling: Promise<void> | undefined;

  constructor(session: Session, begin: StreamBegin) {
    const over = new Promise<void>((resolve) => (this.#onOver = resolve));
    const source = {
      pause: () => session.pause(),
      resume: () => session.resume(),
      cancel: () => void (this.#cancelling = stopRun(session, over)),
    };
    // A cancel request still in progress could hit the next script on this connection.
    session.held = over
      .then(() => this.#cancelling)
      .then(() => {
        session.held = undefined;
      });
    this.body = new StreamedBody(source, begin, session.streamSlots?.readAhead);
  }

  end(failure: ApiError | undefined): void {
    this.body.finish(failure);
    this.#onOver();
  }
}
