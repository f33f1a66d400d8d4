// One read that may share a write, from its arrival to its one answer, however many sessions are asked for it.
import { isStream } from '../../contract/body-stream.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { CancelSignal } from '../connect/cancel.ts';
import type { ScriptReply } from '../session/script-reply.ts';

export interface ReadRequest {
  readonly script: TransactionScript;
  readonly signal: CancelSignal | undefined;
  readonly settle: (reply: ScriptReply | Promise<ScriptReply>) => void;
  /** Its client has left. */
  readonly onLeave: (read: PendingRead) => void;
}

export class PendingRead {
  readonly script: TransactionScript;
  readonly signal: CancelSignal | undefined;
  readonly arrivedAt: number = performance.now();
  /** Batches that owe an answer. */
  sentCount = 0;
  /** Another session has been asked as well. */
  isRepeated = false;
  readonly #settle: ReadRequest['settle'];
  readonly #leave: () => void;
  #isSettled = false;

  constructor({ script, signal, settle, onLeave }: ReadRequest) {
    this.script = script;
    this.signal = signal;
    this.#settle = settle;
    this.#leave = () => onLeave(this);
    signal?.addEventListener('abort', this.#leave);
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  get hasLeft(): boolean {
    return this.signal?.aborted === true;
  }

  /** Its client still waits for the answer. */
  get isWanted(): boolean {
    return !this.#isSettled && !this.hasLeft;
  }

  /** Another session may be asked as well. */
  get mayRepeat(): boolean {
    return this.isWanted && !this.isRepeated && this.script.isRepeatable;
  }

  /** The first answer counts. Another one that is still coming would keep its connection, which nobody reads from. */
  settle(reply: ScriptReply): void {
    if (this.#isSettled) cancelBody(reply);
    else this.#end(() => this.#settle(reply));
  }

  /** Leaves the read, and the signal, to others. */
  settleBy(run: () => Promise<ScriptReply>): void {
    this.#end(() => this.#settle(run()));
  }

  #end(settle: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.signal?.removeEventListener('abort', this.#leave);
    settle();
  }
}

function cancelBody(reply: ScriptReply): void {
  if (!reply.ok) return;
  for (const result of reply.value) {
    if (result.kind === 'outcome' && isStream(result.outcome.body)) result.outcome.body.cancel();
  }
}
