// Scripts whose rows are sent on while they come. A slow client keeps a connection of the pool for as long as it reads, so
// that only a part of the connections serves streams: further ones wait, and all other requests have the rest.
import { ok, type Result } from '../contract/result.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { CancelSignal } from './cancel.ts';
import type { Pool } from './pool.ts';
import { type ScriptReply, runStream } from './run-script.ts';
import { WaitQueue } from './wait-queue.ts';

export interface StreamLaneOptions {
  readonly pool: Pool;
  /** Of the pool. */
  readonly maxConnections: number;
  readonly acquisitionTimeoutMs: number;
}

export interface StreamRequest {
  /** Aborts when the client has disconnected. */
  readonly signal: CancelSignal | undefined;
  /** The rest of a body that has been given out does not come. */
  readonly onBroken: (error: ApiError) => void;
}

/** Of the connections of the pool. */
const SHARE = 3 / 4;

export class StreamLane {
  readonly #pool: Pool;
  readonly #waiters: WaitQueue<void>;
  #free: number;
  #timeoutCount = 0;

  constructor({ pool, maxConnections, acquisitionTimeoutMs }: StreamLaneOptions) {
    this.#pool = pool;
    this.#free = Math.max(1, Math.floor(maxConnections * SHARE));
    this.#waiters = new WaitQueue({
      acquisitionTimeoutMs,
      onTimeout: () => (this.#timeoutCount += 1),
      onLeave: () => undefined,
    });
  }

  /** Those that wait here have not come to the pool. */
  get statistics(): { readonly waiting: number; readonly timeouts: number } {
    return { waiting: this.#waiters.length, timeouts: this.#timeoutCount };
  }

  /** Resolves when the answer can begin. Errors: as those of the pool. */
  async runScript(script: TransactionScript, { signal, onBroken }: StreamRequest): Promise<ScriptReply> {
    const turn = await this.#enter(signal);
    if (!turn.ok) return turn;
    return new Promise((resolve, reject) => {
      const observer = { signal, onBroken, onOpen: (result: ScriptResult) => resolve(ok(result)) };
      const running = this.#pool.use((session) => runStream(session, script, observer), signal);
      running.then(resolve, reject).finally(() => this.#leave());
    });
  }

  #enter(signal: CancelSignal | undefined): Promise<Result<void, ApiError>> {
    if (this.#free === 0) return this.#waiters.join(signal);
    this.#free -= 1;
    return Promise.resolve(ok(undefined));
  }

  #leave(): void {
    if (!this.#waiters.settleNext(ok(undefined))) this.#free += 1;
  }
}
