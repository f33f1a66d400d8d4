// Runs the statements of a migration, with a bounded wait for locks.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { SqlClient } from '../embedded/script/sql-session.ts';
import { type Problem, problemOf } from '../project/folder/problem.ts';
import { locateError, refuse, splitFile, type Statement } from '../project/run/statement.ts';
import type { Migration } from './read-migrations.ts';

/** Commands that would end the transaction of the file. `begin` and `end` of a function body are inside of a string. */
const TRANSACTION = /^(?:begin|start\s+transaction|commit|end|rollback(?!\s+to\b)|abort|prepare\s+transaction)\b/iu;

/** @returns the statements of a migration; or why one of them cannot run */
export function listStatements({ file, isBare }: Migration): Result<readonly Statement[], Problem> {
  const statements = splitFile(file);
  for (const statement of statements) {
    const { part } = statement;
    if (part.kind !== 'statement') return fail(refuse(statement, 'only SQL statements run in a migration'));
    if (TRANSACTION.test(part.text))
      return fail(
        refuse(
          statement,
          'a migration must not begin or end a transaction',
          'Each file is one already: omit this statement.',
        ),
      );
  }
  if (isBare && statements.length !== 1)
    return fail(
      problemOf(file.path, `a file without a transaction holds one statement, not ${statements.length}`, 'Split it.'),
    );
  return ok(statements);
}

export async function runStatements(client: SqlClient, statements: readonly Statement[]): Promise<Problem | undefined> {
  for (const statement of statements) {
    const problem = await runStatement(client, statement);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** @throws if the connection is lost */
export async function runStatement(client: SqlClient, statement: Statement): Promise<Problem | undefined> {
  const { part } = statement;
  try {
    if (part.kind === 'statement') await client.query(part.text);
    return undefined;
  } catch (error) {
    const problem = locateError(statement, error);
    if (problem.sqlstate === undefined) throw error;
    const isEmpty =
      problem.sqlstate === NULL_VALUE && /^alter\s+table\b/iu.test(part.kind === 'statement' ? part.text : '');
    return isEmpty ? { ...problem, hint: problem.hint ?? FILL } : problem;
  }
}

/** not_null_violation */
const NULL_VALUE = '23502';
const FILL =
  'Rows that exist have no value for the column. Nothing of this file is applied: fill the column in it, before this statement.';

const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;
/** lock_not_available, deadlock_detected */
const LOCK_FAILURES: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

export interface RetryOptions {
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly report: (text: string) => void;
}

/** Repeats work that failed because a lock was not available, and waits longer each time. */
export async function retryLocked(
  work: () => Promise<Problem | undefined>,
  { pause, report }: RetryOptions,
): Promise<Problem | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const problem = await work();
    if (problem === undefined || !LOCK_FAILURES.has(problem.sqlstate)) return problem;
    if (attempt === MAX_ATTEMPTS)
      return {
        ...problem,
        hint: `Gave up after ${MAX_ATTEMPTS} attempts. Try again when fewer transactions hold locks, or with a longer --lock-timeout.`,
      };
    const wait = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
    report(`  a lock is held by another transaction, attempt ${attempt + 1} of ${MAX_ATTEMPTS} in ${wait / 1000} s\n`);
    await pause(wait);
  }
}
