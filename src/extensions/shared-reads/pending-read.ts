// A read that may share a send, from its arrival to its reply. It may be sent on several sessions; the first reply
// counts.
import { isStream } from '../../contract/body-stream.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { ScriptReply } from '../../postgres/session/script-reply.ts';

export interface ReadRequest {
  readonly script: TransactionScript;
  readonly signal: CancelSignal | undefined;
  readonly settle: (reply: ScriptReply | Promise<ScriptReply>) => void;
  /** Called when the client disconnects. */
  readonly onLeave: (read: PendingRead) => void;
}

export class PendingRead {
  readonly script: TransactionScript;
  readonly signal: CancelSignal | undefined;
  readonly arrivedAt: number = performance.now();
  /** Number of batches that still have to reply. */
  sentCount = 0;
  /** Whether the read was also sent on another session. */
  isHedged = false;
  /** Whether the read has its reply. */
  isSettled = false;
  readonly #settle: ReadRequest['settle'];
  readonly #leave: () => void;

  constructor({ script, signal, settle, onLeave }: ReadRequest) {
    this.script = script;
    this.signal = signal;
    this.#settle = settle;
    this.#leave = () => onLeave(this);
    signal?.addEventListener('abort', this.#leave);
  }

  get hasLeft(): boolean {
    return this.signal?.aborted === true;
  }

  /** Whether the client still waits for the reply. */
  get isAwaited(): boolean {
    return !this.isSettled && !this.hasLeft;
  }

  /** Whether the read may be sent on another session as well. */
  get mayHedge(): boolean {
    return this.isAwaited && !this.isHedged && this.script.mayRunConcurrently;
  }

  /**
   * Settles with the first reply. A later reply is cancelled: nobody reads its body, so it would hold its connection.
   */
  settle(reply: ScriptReply): void {
    if (this.#end()) this.#settle(reply);
    else cancelBody(reply);
  }

  /** Hands the read, including its signal, over to `run`. */
  settleBy(run: () => Promise<ScriptReply>): void {
    if (this.#end()) this.#settle(run());
  }

  /** @returns whether the read had no reply before */
  #end(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.signal?.removeEventListener('abort', this.#leave);
    return true;
  }
}

function cancelBody(reply: ScriptReply): void {
  if (!reply.ok) return;
  for (const result of reply.value) {
    if (result.kind === 'outcome' && isStream(result.outcome.body)) result.outcome.body.cancel();
  }
}
