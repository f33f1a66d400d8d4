// Answers requests in the transaction of a test: they take the way of any request, from the same snapshot, and only what
// runs their scripts is another.
import { VisibleNamesFinder } from '../../../src/service/schema-cache/visible-names-finder.ts';
import { VersionedReads } from '../../../src/service/database/versioned-reads.ts';
import { handleRequest } from '../../../src/serve/handle-request.ts';
import type { RequestContext } from '../../../src/serve/request-context.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { OWN_TRANSACTION } from '../../../src/postgres/execute/transaction-bounds.ts';
import type { ScriptRunner } from '../../../src/postgres/pool/pool.ts';
import type { HeldTransaction } from '../session/held-transaction.ts';
import { SessionRunner } from '../session/session-runner.ts';
import type { ClientApi } from './test-client.ts';

interface HeldRuns {
  readonly transaction: HeldTransaction;
  /** Runs scripts in the transaction. */
  readonly runner: Pick<ScriptRunner, 'runScript'>;
}

/**
 * @param base of the database that the transaction belongs to
 * @param names finds the names that errors may reveal, outside the transaction
 */
export function createHeldApi(
  base: RequestContext,
  { transaction, runner }: HeldRuns,
  names: VisibleNamesFinder,
): ClientApi {
  const reads = new VersionedReads(runner);
  const context: RequestContext = {
    ...base,
    findVisibleNames: names.find,
    runScript: (script) => reads.runScript(script, undefined),
  };
  return {
    send: async (request) => (await handleRequest(request, context)).response,
    explain: async (answered) => {
      const { explainRequest } = await import('../../access/why/explain-request.ts');
      return transaction.probe((runs) => explainRequest(answered, context, runs));
    },
  };
}

/** @param open opens another session than that of the transaction, which is busy while an error is explained */
export function createNamesFinder(
  { config, clock, pause }: RequestContext,
  open: () => Promise<Session>,
): VisibleNamesFinder {
  let runner: Promise<SessionRunner> | undefined;
  return new VisibleNamesFinder({
    pool: {
      runScript: async (script, signal) => {
        runner ??= open().then((session) => new SessionRunner(session, OWN_TRANSACTION));
        return (await runner).runScript(script, signal);
      },
    },
    schemas: config.dbSchemas,
    timeoutMs: config.dbPoolAcquisitionTimeout * 1000,
    clock,
    pause,
  });
}
