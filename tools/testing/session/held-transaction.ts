// The transaction of a test. Everything runs in it, each request and each call of `as.owner` as a savepoint, and nothing
// stays (`project.md` §5 item 2).
import type { CancelSignal } from '../../../src/contract/cancel-signal.ts';
import { readIsolationLevel, type Statement } from '../../../src/contract/transaction.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { query } from '../../../src/postgres/session/query.ts';
import { RESET_SETTINGS } from '../../../src/postgres/execute/transaction-bounds.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import type { PowerfulRuns } from '../../access/why/probe.ts';
import { runSql, SqlError } from '../sql/run-sql.ts';
import { type DescribedRows, queryDescribed } from './described-query.ts';
import { type Row, toJsonRows } from './json-rows.ts';
import { checkHeldStatement, type OwnerStatement } from './owner-statements.ts';
import { BEGIN_PART, CHECK_CONSTRAINTS, createBounds, KEEP_PART, readModes, UNDO_PART } from './savepoint-bounds.ts';
import { SessionRunner } from './session-runner.ts';

const BEGIN_ATTEMPT = 'SAVEPOINT rowhouse_attempt';
const UNDO_ATTEMPT = ['ROLLBACK TO SAVEPOINT rowhouse_attempt', 'RELEASE SAVEPOINT rowhouse_attempt'];
const RESETS = RESET_SETTINGS.map(({ text }) => text);
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

export class HeldTransaction {
  readonly #runner: SessionRunner;

  private constructor(runner: SessionRunner) {
    this.#runner = runner;
  }

  /** @param modes of the constraints, from `readModes` */
  static async begin(session: Session, modes: readonly Statement[]): Promise<HeldTransaction> {
    await runSql(session, BEGIN);
    return new HeldTransaction(new SessionRunner(session, createBounds(modes)));
  }

  /** Rejects for a script that needs a transaction of its own. */
  async runScript(script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    const { isolation = 'read committed' } = script;
    if (readIsolationLevel(isolation) !== 'read committed')
      throw new Error(
        `The request asks for the isolation level ${isolation}, but the transaction of the test is read committed. Use project.commit(), whose requests have transactions of their own.`,
      );
    return this.#runner.runScript(script, signal);
  }

  /** @returns the rows of the last statement. Throws a `SqlError`, and nothing has happened then. */
  runAsOwner(statements: readonly OwnerStatement[]): Promise<readonly Row[]> {
    for (const statement of statements) checkHeldStatement(statement);
    const { session } = this.#runner;
    return this.#runner.use(async () => {
      await runSql(session, BEGIN_PART);
      try {
        const rows = await runAll(session, statements);
        for (const text of [CHECK_CONSTRAINTS, ...RESETS]) await runSql(session, text);
        // The statement may have made constraints.
        const modes = await readModes(session);
        for (const text of [KEEP_PART, ...modes.map((mode) => mode.text)]) await runSql(session, text);
        this.#runner.bounds = createBounds(modes);
        return rows;
      } catch (error) {
        for (const text of UNDO_PART) await query(session, text);
        throw error;
      }
    });
  }

  /** Runs work and undoes what it has done. Nothing else may use the transaction meanwhile. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const { session } = this.#runner;
    await this.#runner.use(() => runSql(session, BEGIN_ATTEMPT));
    try {
      return await work();
    } finally {
      await this.#runner.use(async () => {
        for (const text of UNDO_ATTEMPT) await runSql(session, text);
      });
    }
  }

  /** Runs statements as the owner, and undoes what they have done. */
  probe<T>(work: (runs: PowerfulRuns) => Promise<T>): Promise<T> {
    const { session } = this.#runner;
    return this.#runner.use(() => undone(session, { begin: BEGIN_ATTEMPT, undo: UNDO_ATTEMPT }, work));
  }

  /** @returns whether the session can be used again */
  end(): Promise<boolean> {
    const { session } = this.#runner;
    return this.#runner.use(async () => (await query(session, 'ROLLBACK')).ok && session.isUsable);
  }
}

/** Runs statements in a transaction of their own, and undoes what they have done. */
export function probeOnce<T>(session: Session, work: (runs: PowerfulRuns) => Promise<T>): Promise<T> {
  return undone(session, { begin: BEGIN, undo: ['ROLLBACK'] }, work);
}

async function undone<T>(
  session: Session,
  { begin, undo }: { readonly begin: string; readonly undo: readonly string[] },
  work: (runs: PowerfulRuns) => Promise<T>,
): Promise<T> {
  await runSql(session, begin);
  try {
    const scripts = new SessionRunner(session, createBounds([]));
    return await work({
      run: (text, parameters) => query(session, text, parameters),
      runScript: (script) => scripts.runScript(script),
    });
  } finally {
    for (const text of undo) await runSql(session, text);
  }
}

/** @returns the rows of the last statement. Throws a `SqlError`. */
export async function runAll(session: Session, statements: readonly OwnerStatement[]): Promise<readonly Row[]> {
  let last: DescribedRows | undefined;
  for (const { text, parameters } of statements) {
    const reply = await queryDescribed(session, text, parameters);
    if (!reply.ok) throw new SqlError(reply.error);
    last = reply.value;
  }
  return last === undefined ? [] : toJsonRows(session, last);
}
