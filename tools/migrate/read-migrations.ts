// Reads the files of `migrations/`: plain SQL, in the order in which they apply (`project.md` §3 item 6).
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { comparePaths } from '../project/folder/compare-paths.ts';
import { type Problem, problemOf } from '../project/folder/problem.ts';
import { readSource, type SourceFile } from '../project/folder/read-project.ts';

export interface Migration {
  /** The name of its file without `.sql`: `0002_add_total`. */
  readonly name: string;
  readonly file: SourceFile;
  /** SHA-256 of the text, with line feeds only. */
  readonly hash: string;
  /** Whether it runs outside of a transaction, because its first line says so. */
  readonly isBare: boolean;
}

export const MIGRATIONS_FOLDER = 'migrations';

/** The first line of a file that does not run in a transaction. */
export const NO_TRANSACTION = '-- rowhouse: no transaction';

/** @returns none if there is no folder `migrations/`; or the files that cannot be read */
export async function readMigrations(root: string): Promise<Result<readonly Migration[], readonly Problem[]>> {
  const names = await readdir(path.join(root, MIGRATIONS_FOLDER)).catch(() => []);
  const files = names.filter((name) => /\.sql$/iu.test(name) && !name.startsWith('.')).toSorted(comparePaths);
  const read = await Promise.all(files.map((name) => readSource(root, `${MIGRATIONS_FOLDER}/${name}`)));
  const problems = read.filter((file) => !file.ok).map(({ error }) => error);
  if (problems.length > 0) return fail(problems);
  const migrations = read.filter((file) => file.ok).map(({ value }) => describeMigration(value));
  const repeated = migrations.find(({ name }, index) => migrations.findIndex((other) => other.name === name) < index);
  return repeated === undefined
    ? ok(migrations)
    : fail([problemOf(repeated.file.path, 'another file has the same name')]);
}

/**
 * Says what to do if other migrations have the same number, as happens if two branches add one each.
 *
 * @returns undefined if none has
 */
export function describeSameNumber({ name }: Migration, migrations: readonly Migration[]): string | undefined {
  const number = numberOf(name);
  const same = migrations.map((other) => other.name).filter((other) => numberOf(other) === number);
  const last = same.at(-1);
  if (number === 0 || last === undefined || same.length < 2) return undefined;
  const next = formatNumber(Math.max(...migrations.map((other) => numberOf(other.name))) + 1);
  const [from, to] = [last, last.replace(/^\d+/u, next)].map((each) => `${MIGRATIONS_FOLDER}/${each}.sql`);
  return `${same.join(' and ')} have the same number, and apply in this order. To apply ${last} after all others, rename it before a database that matters has it: git mv ${from} ${to}`;
}

/** Says the same of each of these, once for each number. */
export function describeSameNumbers(some: readonly Migration[], migrations: readonly Migration[]): readonly string[] {
  return [...new Set(some.flatMap((migration) => describeSameNumber(migration, migrations) ?? []))];
}

/** Returns 0 for a name without a number. */
function numberOf(name: string): number {
  return Number(/^\d+/u.exec(name)?.[0] ?? 0);
}

/** Returns the number of the next migration, in four digits or more. */
export async function findNextNumber(root: string): Promise<string> {
  const names = await readdir(path.join(root, MIGRATIONS_FOLDER)).catch(() => []);
  return formatNumber(Math.max(0, ...names.map(numberOf)) + 1);
}

export function formatNumber(number: number): string {
  return String(number).padStart(4, '0');
}

export function describeMigration(file: SourceFile): Migration {
  const text = file.text.replaceAll('\r\n', '\n');
  return {
    name: path.posix.basename(file.path).replace(/\.sql$/iu, ''),
    file,
    hash: createHash('sha256').update(text).digest('hex'),
    isBare: text.split('\n', 1)[0]?.trimEnd() === NO_TRANSACTION,
  };
}
