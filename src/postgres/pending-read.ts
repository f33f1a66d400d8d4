// One read that may share a write, from its arrival to its one answer, however many sessions are asked for it.
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { CancelSignal } from './cancel.ts';
import type { ScriptReply } from './run-script.ts';

export interface ReadRequest {
  readonly script: TransactionScript;
  readonly signal: CancelSignal | undefined;
  readonly settle: (reply: ScriptReply) => void;
}

export class PendingRead {
  readonly script: TransactionScript;
  /** `performance.now()`. */
  readonly arrivedAt: number;
  /** Batches that owe an answer. */
  askedCount = 0;
  /** It has been asked for on a second session as well. */
  isRepeated = false;
  readonly #signal: CancelSignal | undefined;
  readonly #settle: (reply: ScriptReply) => void;
  #isSettled = false;

  constructor({ script, signal, settle }: ReadRequest, arrivedAt: number) {
    this.script = script;
    this.arrivedAt = arrivedAt;
    this.#signal = signal;
    this.#settle = settle;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  get hasLeft(): boolean {
    return this.#signal?.aborted === true;
  }

  /** Its client still waits for the answer. */
  get isWanted(): boolean {
    return !this.#isSettled && !this.hasLeft;
  }

  /** The first answer counts. */
  settle(reply: ScriptReply): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(reply);
  }
}
