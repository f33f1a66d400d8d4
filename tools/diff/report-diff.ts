// Prints a migration, or writes its files and keeps the new snapshot (`project.md` §3 items 1 and 4).
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  describeSameNumbers,
  findNextNumber,
  formatNumber,
  type Migration,
  MIGRATIONS_FOLDER,
  readMigrations,
} from '../migrate/read-migrations.ts';
import type { SchemaDiff } from './diff-schemas.ts';
import type { Target } from './operands.ts';
import { renderComment, renderFile } from './render-migration.ts';
import { keepSnapshot, SNAPSHOT_FILE } from './snapshot.ts';

/** Compares the schemas. */
export interface SchemaAction {
  readonly kind: 'schema';
  /** Name of the migration to write; undefined: it is printed. */
  readonly name: string | undefined;
  /** Whether only the exit code tells of a difference. */
  readonly isCheck: boolean;
  /** Whether a migration is written that loses data. */
  readonly isLossAllowed: boolean;
  /** Whether a migration is written without values that may be secret. */
  readonly areSecretsOmitted: boolean;
}

/**
 * @param root the folder of the project
 * @returns 1 if `--check` finds a difference, or a loss is not allowed
 */
export async function reportDiff(
  diff: SchemaDiff,
  root: string,
  target: Target,
  { isCheck, isLossAllowed, areSecretsOmitted, name }: SchemaAction,
): Promise<0 | 1> {
  const { files, notProved, isKept } = diff;
  if (isCheck) return files.length === 0 ? 0 : 1;
  const listNotes = async (): Promise<readonly string[]> => [
    ...(notProved === undefined ? [] : [`not proved: ${notProved}`]),
    // Which of them a database has, `rowhouse migrate` knows. The one who wrote the snapshot has read it.
    ...(target.kind === 'migrations' && !isKept ? describeSameNumbers(await listMigrations(root)) : []),
  ];
  if (files.length === 0) return print(['No difference.', ...(await listNotes())]);
  if (name === undefined) return print([...(await listNotes()).map(renderComment), ...renderAll(diff)]);
  const losses = files.flatMap(({ statements }) => statements.flatMap((statement) => statement.losses));
  if (losses.length > 0 && !isLossAllowed) {
    const lines = losses.map((loss) => `  ${loss}\n`).join('');
    process.stderr.write(`Nothing was written, because the migration loses data:\n${lines}Add --allow-loss.\n`);
    return 1;
  }
  const omitted = files.flatMap(({ statements }) => statements.flatMap((statement) => statement.omitted));
  if (omitted.length > 0 && !areSecretsOmitted) {
    const lines = omitted.map((option) => `  ${option}\n`).join('');
    process.stderr.write(
      `Nothing was written, because values that may be secret do not belong in a migration:\n${lines}Add --omit-secrets, and set them by hand after the migration.\n`,
    );
    return 1;
  }
  const tasks = files.flatMap(({ statements }) => statements.flatMap((statement) => statement.tasks));
  return print([
    ...(await writeFiles(diff, root, name)),
    ...(await writeSnapshot(diff, root)),
    ...tasks,
    ...(await listNotes()),
  ]);
}

/** @returns none if they cannot be read, which other steps report */
async function listMigrations(root: string): Promise<readonly Migration[]> {
  const migrations = await readMigrations(root);
  return migrations.ok ? migrations.value : [];
}

/** @returns the name of the file, or what to tell about it */
async function writeSnapshot({ renderSnapshot }: SchemaDiff, root: string): Promise<readonly string[]> {
  if (renderSnapshot === undefined) return [];
  return [(await keepSnapshot(root, renderSnapshot(await listMigrations(root)))) ?? SNAPSHOT_FILE];
}

function print(lines: readonly string[]): 0 {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

function renderAll({ files }: SchemaDiff): readonly string[] {
  return files.flatMap((file, index) => [
    ...(files.length > 1 ? [`-- File ${index + 1} of ${files.length}`] : []),
    renderFile(file),
  ]);
}

/** @returns the names of the files */
async function writeFiles({ files }: SchemaDiff, root: string, name: string): Promise<readonly string[]> {
  const folder = path.join(root, MIGRATIONS_FOLDER);
  await mkdir(folder, { recursive: true });
  const first = Number(await findNextNumber(root));
  const written: string[] = [];
  for (const [index, file] of files.entries()) {
    const relative = `${MIGRATIONS_FOLDER}/${formatNumber(first + index)}_${name}.sql`;
    // An existing file is never replaced: it may have been applied.
    await writeFile(path.join(root, relative), renderFile(file), { flag: 'wx' });
    written.push(relative);
  }
  return written;
}
