// An answer that is given before its transaction is over: its body is what the database still sends. Decides whether one may
// be, and belongs to one run of a script, which ends it.
import { ok } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { Session } from '../session/session.ts';
import type { StreamTurn } from './stream-turns.ts';
import { type StreamBegin, StreamedBody, type StreamSource } from './streamed-body.ts';

export interface EarlyAnswerOptions {
  readonly session: Session;
  /** Taken with the first byte that leaves. */
  readonly turn: StreamTurn;
  /** A body that is sent while it comes is as good as a whole one. */
  readonly mayStream: boolean;
  /** Stops the script: nobody takes the rest. */
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

  /** What has been given: nothing of it can be taken back. */
  get given(): ScriptResult | undefined {
    return this.#result;
  }

  /** Whether memory that is read into may be used again at once: other scripts of the same write keep what was read. */
  get ownsSession(): boolean {
    return this.mayStream && !this.#options.session.isShared;
  }

  /** @returns whether the answer may leave early, and a connection can be spared for it */
  tryTakeTurn(): boolean {
    return !this.#isOver && this.ownsSession && this.#options.turn.tryEnter();
  }

  /** @returns undefined where the answer is to be given whole */
  open(outcome: DbOutcome, begin: StreamBegin): StreamedBody | undefined {
    const { turn, onAnswer } = this.#options;
    if (!this.tryTakeTurn()) return undefined;
    const body = new StreamedBody(this.#source, begin, turn.memory.reserve());
    this.#body = body;
    this.#result = { kind: 'outcome', outcome: { ...outcome, body } };
    onAnswer(ok([this.#result]));
    return body;
  }

  /** The transaction is over: the session no longer belongs to this answer. */
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
