// Compares the files of `migrations/` with the ledger of a database.
import { escapeLiteral } from 'pg';
import { fail, ok } from '../../src/contract/result.ts';
import { comparePaths } from '../project/folder/compare-paths.ts';
import { type Outcome, type Problem, problemOf } from '../project/folder/problem.ts';
import type { LedgerEntry } from './ledger.ts';
import { type Migration, renderMoves } from './read-migrations.ts';

export interface PlannedMigration {
  readonly migration: Migration;
  /** Whether an earlier run began it outside of a transaction and was interrupted. */
  readonly isResumed: boolean;
  /** Whether a migration that comes later has been applied already. */
  readonly isLate: boolean;
}

export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** @returns what is to be applied, in order; or every file that was changed or removed after it was applied */
export function planMigration(migrations: readonly Migration[], ledger: Ledger): Outcome<readonly PlannedMigration[]> {
  const problems = [...listChanged(migrations, ledger), ...listMissing(migrations, ledger)];
  if (problems.length > 0) return fail(problems);
  const applied = [...ledger.values()].filter(({ appliedAt }) => appliedAt !== undefined).map(({ name }) => name);
  const last = applied.toSorted(comparePaths).at(-1);
  return ok(
    migrations
      .filter(({ name }) => ledger.get(name)?.appliedAt === undefined)
      .map((migration) => ({
        migration,
        isResumed: ledger.has(migration.name),
        isLate: last !== undefined && comparePaths(migration.name, last) < 0,
      })),
  );
}

/**
 * Says which migrations a new database applies before others that this one has: those of a branch that was merged later.
 *
 * @returns undefined if there are none
 */
export function describeLate(planned: readonly PlannedMigration[], migrations: readonly Migration[]): Late | undefined {
  const late = planned.filter(({ isLate }) => isLate).map(({ migration }) => migration.name);
  const [first] = late;
  if (first === undefined) return undefined;
  const pending = planned.map(({ migration }) => migration.name);
  const applied = migrations.map(({ name }) => name).filter((name) => !pending.includes(name));
  const after = applied.filter((name) => comparePaths(first, name) < 0);
  const [verb, them] = [late.length > 1 ? 'apply' : 'applies', after.length > 1 ? 'them' : 'it'];
  return {
    order: `${late.join(' and ')} ${verb} after ${after.join(' and ')} here, but before ${them} in a new database`,
    moves: renderMoves(pending.slice(pending.indexOf(first)), applied),
  };
}

export interface Late {
  readonly order: string;
  /** Commands that rename them and what follows, so that every database applies them in the same order. */
  readonly moves: string;
}

function listChanged(migrations: readonly Migration[], ledger: Ledger): readonly Problem[] {
  return migrations
    .filter(({ name, hash }) => isApplied(ledger.get(name)) && ledger.get(name)?.hash !== hash)
    .map(({ file }) =>
      problemOf(
        file.path,
        'this file was changed after it was applied',
        'Restore it, and write the change as another migration.',
      ),
    );
}

function listMissing(migrations: readonly Migration[], ledger: Ledger): readonly Problem[] {
  const names = new Set(migrations.map(({ name }) => name));
  return [...ledger.values()]
    .filter((entry) => isApplied(entry) && !names.has(entry.name))
    .map((entry) => problemOf(`migrations/${entry.name}.sql`, MISSING_FILE, findRestoring(entry, migrations, ledger)));
}

const MISSING_FILE = 'the database has this migration, but there is no such file';

/** A file is renamed after a merge, if another branch has used its number too. */
function findRestoring({ name, hash }: LedgerEntry, migrations: readonly Migration[], ledger: Ledger): string {
  const renamed = migrations.find((migration) => migration.hash === hash && !ledger.has(migration.name));
  if (renamed === undefined) return 'Restore it.';
  const [from, to] = [name, renamed.name].map((each) => escapeLiteral(each));
  return `${renamed.file.path} has the same text. Rename it back, or record its new name: update rowhouse.migrations set name = ${to} where name = ${from};`;
}

function isApplied(entry: LedgerEntry | undefined): boolean {
  return entry?.appliedAt !== undefined;
}

/** Renders a line for each file, and for each entry of the ledger without one. */
export function renderStatus(migrations: readonly Migration[], ledger: Ledger): string {
  const names = new Set([...ledger.keys(), ...migrations.map(({ name }) => name)]);
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const lines = [...names]
    .toSorted(comparePaths)
    .map((name) => `${name}  ${describe(byName.get(name), ledger.get(name))}\n`);
  return lines.length === 0 ? 'No migrations.\n' : lines.join('');
}

function describe(migration: Migration | undefined, entry: LedgerEntry | undefined): string {
  if (entry?.appliedAt === undefined) return entry === undefined ? 'pending' : 'pending, was interrupted';
  const when = `applied ${entry.appliedAt.toISOString()} in ${entry.duration} ms`;
  if (migration === undefined) return `${when}, but its file is missing`;
  return migration.hash === entry.hash ? when : `${when}, but its file was changed since`;
}
