// Runs the scripts of requests on one session, one after another.
import type { CancelSignal } from '../../../src/contract/cancel-signal.ts';
import { EstimatingGuard } from '../../../src/extensions/cost/estimate-first.ts';
import { FallbackStatements } from '../../../src/postgres/execute/fallback-statements.ts';
import { Lease, type PoolState } from '../../../src/postgres/execute/lease.ts';
import { ScriptRequest } from '../../../src/postgres/execute/script-request.ts';
import type { TransactionBounds } from '../../../src/postgres/execute/transaction-bounds.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { StreamPermits } from '../../../src/postgres/stream/stream-permits.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';

/** Half of the connections may stream, so this is a permit for the session. */
const PERMITS = { maxConnections: 2, acquisitionTimeoutMs: 0 };

export class SessionRunner {
  readonly session: Session;
  #state: PoolState;
  /** Settles when the session is free. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(session: Session, bounds: TransactionBounds) {
    this.session = session;
    this.#state = {
      permits: new StreamPermits(PERMITS),
      fallbacks: new FallbackStatements(),
      guard: new EstimatingGuard(),
      bounds,
    };
  }

  /** Replaces the bounds of the scripts that follow. */
  set bounds(bounds: TransactionBounds) {
    this.#state = { ...this.#state, bounds };
  }

  /** See `Pool.runScript`. */
  runScript(script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    return new Promise((resolve, reject) => {
      const request = new ScriptRequest({ script, signal, observer: undefined, resolve, reject });
      void this.use(() => this.#provide(request)).catch(reject);
    });
  }

  /** Runs work of another kind when the session is free, and keeps it for that time. */
  use<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** A reply may come before its body, which still needs the session. */
  #provide(request: ScriptRequest): Promise<void> {
    const hasPermit = request.needsPermit && this.#state.permits.tryAcquire();
    return new Promise((resolve, reject) => {
      try {
        request.take(new SessionLease(this.session, this.#state, { hasPermit, onEnd: resolve }));
      } catch (error) {
        reject(error);
      }
    });
  }
}

class SessionLease extends Lease {
  readonly #onEnd: () => void;

  constructor(session: Session, state: PoolState, parts: { readonly hasPermit: boolean; readonly onEnd: () => void }) {
    super(session, state, parts.hasPermit);
    this.#onEnd = parts.onEnd;
  }

  flushPool(): void {
    // There are no other sessions.
  }

  protected giveBack(): void {
    this.#onEnd();
  }
}
