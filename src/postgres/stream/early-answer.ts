// Starts a response before its transaction ends: the body then consists of the rows that the database still sends.
// Decides whether this is allowed. Belongs to one run of a script, which ends it.
import { ok } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { Session } from '../session/session.ts';
import type { StreamPermit } from './stream-permits.ts';
import { type StreamStart, StreamedBody, type StreamSource } from './streamed-body.ts';

export interface EarlyAnswerOptions {
  readonly session: Session;
  /** Taken when the response starts. */
  readonly permit: StreamPermit;
  /** Whether the body may be sent while it arrives. */
  readonly mayStream: boolean;
  /** Stops the script because nobody reads the rest. */
  readonly stop: () => void;
  readonly onAnswer: (reply: ScriptReply) => void;
}

export class EarlyAnswer {
  readonly mayStream: boolean;
  readonly #options: EarlyAnswerOptions;
  #body: StreamedBody | undefined;
  #result: ScriptResult | undefined;
  #isOver = false;

  constructor(options: EarlyAnswerOptions) {
    this.#options = options;
    this.mayStream = options.mayStream;
  }

  /** The result already delivered, which cannot be taken back. */
  get delivered(): ScriptResult | undefined {
    return this.#result;
  }

  /**
   * Whether read buffers may be reused immediately: other scripts of the same write keep references to received data.
   */
  get ownsSession(): boolean {
    return this.mayStream && !this.#options.session.isShared;
  }

  /** @returns whether the response may start early and a connection can be spared for it */
  tryAcquirePermit(): boolean {
    return !this.#isOver && this.ownsSession && this.#options.permit.tryAcquire();
  }

  /** @returns undefined if the response must be buffered */
  open(outcome: DbOutcome, start: StreamStart): StreamedBody | undefined {
    const { permit, onAnswer } = this.#options;
    if (!this.tryAcquirePermit()) return undefined;
    const body = new StreamedBody(this.#source, start, permit.memory.reserve());
    this.#body = body;
    this.#result = { kind: 'outcome', outcome: { ...outcome, body } };
    onAnswer(ok([this.#result]));
    return body;
  }

  /** Call when the transaction is over: the session no longer belongs to this response. */
  end(failure: ApiError | undefined): void {
    this.#body?.finish(failure);
    this.#isOver = true;
  }

  get #source(): StreamSource {
    const { session, stop } = this.#options;
    const whileOpen = (act: () => void) => (): void => {
      if (!this.#isOver) act();
    };
    return {
      pause: whileOpen(() => session.pause()),
      resume: whileOpen(() => session.resume()),
      cancel: whileOpen(stop),
    };
  }
}
