// Reads the files of `migrations/`: plain SQL, in the order in which they apply (`project.md` §3 item 6).
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok } from '../../src/contract/result.ts';
import { comparePaths } from '../project/folder/compare-paths.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
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
export async function readMigrations(root: string): Promise<Outcome<readonly Migration[]>> {
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

/** Says of each number that several migrations have, as happens if two branches add some each, what to do. */
export function describeSameNumbers(migrations: readonly Migration[]): readonly string[] {
  const names = migrations.map(({ name }) => name).filter((name) => numberOf(name) > 0);
  const told = new Set<string>();
  return [...new Set(names.map(numberOf))].flatMap((number) => {
    const group = names.filter((name) => numberOf(name) === number);
    const last = group.at(-1);
    if (group.length === 1 || last === undefined || told.has(last)) return [];
    const moved = listChange(last, names);
    const commands = renderMoves(moved, names, told.size);
    for (const name of moved) told.add(name);
    const them = moved.length > 1 ? 'them' : 'it';
    return `${group.join(' and ')} have the same number, and apply in this order. To apply ${moved.join(' and ')} after all others, rename ${them} before a database that matters has ${them}: ${commands}`;
  });
}

/** Returns the files of a change that takes several: they have one name and successive numbers. */
function listChange(last: string, names: readonly string[]): readonly string[] {
  const end = bareName(last);
  const change = [last];
  for (const name of names)
    if (bareName(name) === end && numberOf(name) === numberOf(change.at(-1) ?? '') + 1) change.push(name);
  return change;
}

/**
 * Renders commands that give files the next numbers. The last one is moved first, so that no name is in use.
 *
 * @param reserved how many of the next numbers other commands give
 */
export function renderMoves(moved: readonly string[], names: readonly string[], reserved = 0): string {
  const next = Math.max(...names.map(numberOf)) + 1 + reserved;
  const commands = moved.flatMap((name, index) => {
    const renamed = `${formatNumber(next + index)}_${bareName(name)}`;
    const files = [name, renamed].map((each) => `${MIGRATIONS_FOLDER}/${each}.sql`);
    return name === renamed ? [] : `git mv ${files.join(' ')}`;
  });
  return commands.toReversed().join(' && ');
}

function bareName(name: string): string {
  return name.replace(/^\d+_?/u, '');
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
