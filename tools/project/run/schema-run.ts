// Runs the files of `schema/` in one open transaction, with a savepoint before each file (`project.md` §1 item 2, §2
// item 2). When files have changed, it returns to the savepoint of the first of them and continues from there.
import { DatabaseError } from 'pg';
import type { SqlClient } from '../../embedded/script/sql-session.ts';
import type { Problem } from '../folder/problem.ts';
import type { SourceFile } from '../folder/read-project.ts';
import { refuseStatement } from './refuse-statement.ts';
import { locateError, refuse, splitFile, type Statement } from './statement.ts';

/** SQLSTATEs that mean that something does not exist yet: another file may create it. */
export const MISSING: ReadonlySet<string | undefined> = new Set(['42P01', '42703', '42704', '42883', '42830', '3F000']);

/** What to write instead of a statement that PostgreSQL does not run in a transaction. */
const TRANSACTION_HINTS: ReadonlyMap<string | undefined, string> = new Map([
  ['2D000', 'All files run in one transaction already: omit COMMIT and ROLLBACK.'],
  [
    '25001',
    'All files run in one transaction and describe the schema as it should be: omit CONCURRENTLY, and create a subscription with (connect = false, create_slot = false).',
  ],
]);

/** Runs the files in a transaction of their own. @returns what is wrong with them, and nothing has changed */
export async function runSchema(client: SqlClient, files: readonly SourceFile[]): Promise<readonly Problem[]> {
  await client.query('begin');
  const problems = await new SchemaRun(client).run(files);
  await client.query(problems.length === 0 ? 'commit' : 'rollback');
  return problems;
}

/** A file as it ran, or failed to run. */
interface Attempt {
  readonly file: SourceFile;
  /** The savepoint before it. */
  readonly savepoint: string;
  /** Why nothing of it remains; undefined if it has run. */
  readonly problem: Problem | undefined;
}

export class SchemaRun {
  readonly #client: SqlClient;
  /** In the order in which they happened. */
  #attempts: Attempt[] = [];
  #savepoints = 0;

  /** The number of times that a file has run. */
  get filesRun(): number {
    return this.#savepoints;
  }

  /** @param client in a transaction that stays open while this is used */
  constructor(client: SqlClient) {
    this.#client = client;
  }

  /**
   * Makes the transaction contain what the files describe, exactly as if they ran in an empty database: attempts are reused
   * only up to the first that would differ.
   *
   * @param files in the order in which they run
   * @returns what is wrong with the files, causes first; they have run as far as possible then
   */
  async run(files: readonly SourceFile[]): Promise<readonly Problem[]> {
    const { problems, attempts } = await this.#runRounds(files);
    await this.#returnTo(attempts);
    return problems;
  }

  async #runRounds(files: readonly SourceFile[]): Promise<{ problems: readonly Problem[]; attempts: number }> {
    let waiting = files;
    let attempts = 0;
    while (waiting.length > 0) {
      const failures: Failure[] = [];
      for (const file of waiting) {
        const problem = await this.#attempt(file, attempts);
        attempts += 1;
        if (problem === undefined) continue;
        if (!MISSING.has(problem.sqlstate)) return { problems: [problem], attempts };
        failures.push({ file, problem });
      }
      if (failures.length === waiting.length) return { problems: sortByCause(failures), attempts };
      waiting = failures.map(({ file }) => file);
    }
    return { problems: [], attempts };
  }

  /** @param index how many attempts precede this one */
  async #attempt(file: SourceFile, index: number): Promise<Problem | undefined> {
    const known = this.#attempts[index];
    if (known !== undefined && isSame(known.file, file)) return known.problem;
    await this.#returnTo(index);
    this.#savepoints += 1;
    const savepoint = `file_${this.#savepoints}`;
    const problem = await this.#runFile(file, savepoint);
    this.#attempts.push({ file, savepoint, problem });
    return problem;
  }

  /** Undoes the attempts from this one on. */
  async #returnTo(index: number): Promise<void> {
    const first = this.#attempts.slice(index).find(({ problem }) => problem === undefined);
    this.#attempts = this.#attempts.slice(0, index);
    if (first !== undefined) await this.#undo(first.savepoint);
  }

  async #undo(savepoint: string): Promise<void> {
    await this.#client.query(`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`);
  }

  async #runFile(file: SourceFile, savepoint: string): Promise<Problem | undefined> {
    // What an earlier file has set must not reach this one, whose place may change.
    await this.#client.query(`savepoint ${savepoint}; reset session authorization; reset role; reset all`);
    for (const statement of splitFile(file)) {
      const problem = await this.#runStatement(statement);
      if (problem === undefined) continue;
      await this.#undo(savepoint);
      return problem;
    }
    return undefined;
  }

  async #runStatement(statement: Statement): Promise<Problem | undefined> {
    const { part } = statement;
    if (part.kind === 'unsupported' || part.kind === 'connect')
      return refuse(statement, 'commands of psql do not run in schema/', hintFor(part));
    const refusal = refuseStatement(part.text);
    if (refusal !== undefined) return refuse(statement, refusal.message, refusal.hint);
    try {
      await this.#client.query(part.text);
      return undefined;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const problem = locateError(statement, error);
      return { ...problem, hint: problem.hint ?? TRANSACTION_HINTS.get(error.code) };
    }
  }
}

/** Rows belong elsewhere. */
function hintFor(part: Statement['part']): string | undefined {
  const isCopy = part.kind === 'unsupported' && part.command.toLowerCase() === '\\copy';
  return isCopy ? 'Move rows to a file in seed/.' : undefined;
}

function isSame(a: SourceFile, b: SourceFile): boolean {
  return a.path === b.path && a.text === b.text;
}

interface Failure {
  readonly file: SourceFile;
  readonly problem: Problem;
}

/** A file that lacks what another failed file would create comes after that one. */
function sortByCause(failures: readonly Failure[]): readonly Problem[] {
  const isConsequence = ({ file, problem }: Failure): boolean => {
    const name = findMissingName(problem.message);
    return name !== undefined && failures.some((other) => other.file !== file && creates(other.file.text, name));
  };
  const consequences = failures.filter(isConsequence);
  const causes = failures.filter((failure) => !consequences.includes(failure));
  return [...causes.map(({ problem }) => problem), ...consequences.map(({ problem }) => markConsequence(problem))];
}

function markConsequence(problem: Problem): Problem {
  return { ...problem, message: `${problem.message} (follows from the error above)` };
}

/** `relation "api.orders" does not exist` → `orders` */
function findMissingName(message: string): string | undefined {
  return /(?:"(?:[^"]*\.)?([^".]+)"|function (?:\w+\.)?(\w+)\()/u.exec(message)?.slice(1).find(Boolean);
}

function creates(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
  return new RegExp(String.raw`\bcreate\b[^;(]*?(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`, 'iu').test(text);
}
