// Runs the scripts of requests. A read that also returns the version of its row is repeated without it for a role that
// may select some columns only, since PostgreSQL grants system columns with the whole table (`beyond.md` §1.7).
import type { Result } from '../../contract/result.ts';
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { ScriptRunner } from '../../postgres/pool/pool.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { RecentMap } from '../../util/recent-map.ts';

type Reply = Result<ScriptResults, ApiError>;

const PERMISSION_DENIED = '42501';
/** Of Citus, where the conditions on the distribution column exclude each other, so that no shard is asked. */
const NO_SHARD = /^invalid attnum -/u;

export class VersionedReads {
  readonly #runner: Pick<ScriptRunner, 'runScript'>;
  /** Roles and statements for which PostgreSQL has denied the version. */
  readonly #denied = new RecentMap<string, true>({ entries: 256, size: 256, sizeOf: () => 1 });

  constructor(runner: Pick<ScriptRunner, 'runScript'>) {
    this.#runner = runner;
  }

  runScript(script: TransactionScript, signal: CancelSignal | undefined): Promise<Reply> {
    const { unversionedText } = script.segments[0].main;
    return unversionedText === undefined
      ? this.#runner.runScript(script, signal)
      : this.#runVersioned(script, unversionedText, signal);
  }

  async #runVersioned(script: TransactionScript, text: string, signal: CancelSignal | undefined): Promise<Reply> {
    const key = JSON.stringify([script.role, text]);
    let isDenied = true;
    if (this.#denied.get(key) === undefined) {
      const reply = await this.#runner.runScript(script, signal);
      if (reply.ok || !lacksVersion(reply.error)) return reply;
      isDenied = reply.error.report.sqlstate === PERMISSION_DENIED;
    }
    const [{ main, budget, ...rest }] = script.segments;
    const { unversionedText: _, ...other } = main;
    const reply = await this.#runner.runScript(
      { ...script, segments: [{ ...rest, main: { ...other, text }, budget: budget && { ...budget, text } }] },
      signal,
    );
    if (reply.ok && isDenied) this.#denied.set(key, true);
    return reply;
  }
}

function lacksVersion(error: ApiError): error is Extract<ApiError, { kind: 'database' }> {
  if (error.kind !== 'database') return false;
  const { sqlstate, message } = error.report;
  return sqlstate === PERMISSION_DENIED || (sqlstate === 'XX000' && NO_SHARD.test(message));
}
