// Runs a script on a session outside any pool.
import { OWN_TRANSACTION } from '../../../src/postgres/execute/transaction-bounds.ts';
import { EstimatingGuard } from '../../../src/extensions/cost/estimate-first.ts';
import { FallbackStatements } from '../../../src/postgres/execute/fallback-statements.ts';
import { Lease } from '../../../src/postgres/execute/lease.ts';
import { ScriptRequest } from '../../../src/postgres/execute/script-request.ts';
import type { CancelSignal } from '../../../src/contract/cancel-signal.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { StreamPermits } from '../../../src/postgres/stream/stream-permits.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';

class LoneLease extends Lease {
  constructor(session: Session, maxConnections = 2) {
    const permits = new StreamPermits({ maxConnections, acquisitionTimeoutMs: 1000 });
    const kept = { fallbacks: new FallbackStatements(), guard: new EstimatingGuard() };
    super(session, { permits, ...kept, bounds: OWN_TRANSACTION }, false);
  }

  flushPool(): void {}

  protected giveBack(): void {}
}

/** Resolves with the reply, whose body may still be arriving. */
export function runAlone(session: Session, script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
  return new Promise((resolve, reject) => {
    const request = new ScriptRequest({ script, signal, observer: undefined, resolve, reject });
    request.take(new LoneLease(session));
  });
}
