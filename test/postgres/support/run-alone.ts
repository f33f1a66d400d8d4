// Runs a script on a session outside any pool.
import { runScript } from '../../../src/postgres/execute/run-script.ts';
import { FallbackStatements } from '../../../src/postgres/execute/fallback-statements.ts';
import { KeptEstimates } from '../../../src/postgres/execute/kept-estimates.ts';
import type { CancelSignal } from '../../../src/contract/cancel-signal.ts';
import type { Lease } from '../../../src/postgres/execute/lease.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { StreamPermit, StreamPermits } from '../../../src/postgres/stream/stream-permits.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';

function leaseOf(session: Session, maxConnections = 2): Lease {
  const permits = new StreamPermits({ maxConnections, acquisitionTimeoutMs: 1000 });
  return {
    session,
    permit: new StreamPermit(permits),
    fallbacks: new FallbackStatements(),
    estimates: new KeptEstimates(),
  };
}

/** Resolves with the reply, whose body may still be arriving. */
export function runAlone(session: Session, script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
  return new Promise((resolve, reject) => {
    runScript(leaseOf(session), script, { signal, onAnswer: resolve }).then(resolve, reject);
  });
}
