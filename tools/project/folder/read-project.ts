// Reads the folder of a project (`project.md` §1). The files of `schema/` are read whole; those of `seed/` only when they
// run, because they may hold much data.
import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { isFolder } from '../../command-line/operands.ts';
import { messageOf } from '../../support/thrown.ts';
import { comparePaths } from './compare-paths.ts';
import { type Outcome, type Problem, problemOf } from './problem.ts';

export interface SourceFile {
  /** Relative to the project, with slashes: `schema/orders.sql`. */
  readonly path: string;
  readonly text: string;
}

export interface Project {
  /** Absolute path of the folder. */
  readonly root: string;
  /** The files of `schema/`, in the order in which they run. */
  readonly schema: readonly SourceFile[];
  readonly roles: SourceFile | undefined;
  /** Paths of the files `seed/*.sql`, relative to the project. */
  readonly seeds: readonly string[];
  /** Path of `rowhouse.conf`. */
  readonly configFile: string | undefined;
}

const SCHEMA_FOLDER = 'schema';
const SEED_FOLDER = 'seed';
export const ROLES_FILE = 'roles.sql';
export const CONFIG_FILE = 'rowhouse.conf';
const AS_UTF8 = 'Save it as UTF-8.';
const MAX_SCHEMA_FILE_BYTES = 8 * 1024 * 1024;

/** @returns every file that cannot be read, if there is one */
export async function readProject(folder: string): Promise<Outcome<Project>> {
  const root = path.resolve(folder);
  if (!isFolder(path.join(root, SCHEMA_FOLDER))) return fail([problemOf(undefined, `${root} has no folder schema/`)]);
  const [schema, seed] = await Promise.all([listSqlFiles(root, SCHEMA_FOLDER), listSqlFiles(root, SEED_FOLDER)]);
  const paths = schema.files.toSorted(comparePaths);
  const read = await Promise.all(paths.map((file) => readListed(root, file, MAX_SCHEMA_FILE_BYTES)));
  const roles = existsSync(path.join(root, ROLES_FILE)) ? await readListed(root, ROLES_FILE) : ok(undefined);
  const problems = [...read, roles].filter((file) => !file.ok).map(({ error }) => error);
  if (problems.length > 0 || !roles.ok) return fail(problems);
  const configFile = path.join(root, CONFIG_FILE);
  return ok({
    root,
    schema: read.flatMap((file) => (file.ok && file.value !== undefined ? [file.value] : [])),
    roles: roles.value,
    // Those in folders run only where another one includes them.
    seeds: seed.files.filter((file) => file.split('/').length === 2).toSorted(comparePaths),
    configFile: existsSync(configFile) ? configFile : undefined,
  });
}

/** @returns undefined if the file has vanished since it was listed, as happens while an editor or git replaces it */
async function readListed(
  root: string,
  file: string,
  maxBytes?: number,
): Promise<Result<SourceFile | undefined, Problem>> {
  const source = await readSource(root, file, maxBytes);
  // Node replaces bytes of the name that are not UTF-8, so that no file has the result.
  if (file.includes('\uFFFD') && !source.ok)
    return fail(problemOf(file, 'the name of the file is not encoded as UTF-8'));
  return source.ok || existsSync(path.join(root, file)) ? source : ok(undefined);
}

/** Reads a file as UTF-8, without its byte order mark. @param file relative to the project */
export async function readSource(root: string, file: string, maxBytes?: number): Promise<Result<SourceFile, Problem>> {
  try {
    const { size } = await stat(path.join(root, file));
    if (maxBytes !== undefined && size > maxBytes) {
      return fail(problemOf(file, `the file is larger than ${maxBytes / 1024 / 1024} MB`, 'Put data into seed/.'));
    }
    const bytes = await readFile(path.join(root, file));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0')
      ? fail(problemOf(file, 'the file contains a NUL character', AS_UTF8))
      : ok({ path: file, text });
  } catch (error) {
    if (error instanceof TypeError) return fail(problemOf(file, 'the file is not encoded as UTF-8', AS_UTF8));
    return fail(problemOf(file, describeSystemError(error)));
  }
}

/** Without the path, which precedes the message. */
function describeSystemError(error: unknown): string {
  const number: unknown = error instanceof Error ? Reflect.get(error, 'errno') : undefined;
  const known = typeof number === 'number' ? getSystemErrorMap().get(number)?.[1] : undefined;
  return known ?? messageOf(error);
}

/** What a folder contains, with all folders below it. */
interface Listing {
  /** Paths of files, relative to the project. */
  readonly files: readonly string[];
  /** Where the folders are. */
  readonly places: readonly string[];
}

/** Follows symbolic links, but enters no folder twice. Omits hidden files, which editors use for their own purposes. */
async function listSqlFiles(root: string, folder: string, entered: ReadonlySet<string> = new Set()): Promise<Listing> {
  const place = await realpath(path.join(root, folder)).catch(() => undefined);
  if (place === undefined || entered.has(place)) return { files: [], places: [] };
  // It may have vanished meanwhile.
  const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const within = new Set([...entered, place]);
  const found = await Promise.all(
    visible.map(async (entry): Promise<Listing> => {
      const file = `${folder}/${entry.name}`;
      const kind = await kindOf(path.join(place, entry.name), entry);
      if (kind === 'folder') return listSqlFiles(root, file, within);
      return { files: kind === 'file' && /\.sql$/iu.test(entry.name) ? [file] : [], places: [] };
    }),
  );
  return {
    files: found.flatMap(({ files }) => files),
    places: [place, ...found.flatMap(({ places }) => places)],
  };
}

/** Returns the absolute paths of everything that a change of the project concerns. */
export async function listProjectFiles(
  root: string,
): Promise<{ readonly folders: readonly string[]; readonly files: readonly string[] }> {
  const [schema, seed] = await Promise.all([listSqlFiles(root, SCHEMA_FOLDER), listSqlFiles(root, SEED_FOLDER)]);
  const files = [...schema.files, ...seed.files, ROLES_FILE, CONFIG_FILE];
  return {
    folders: [...new Set([root, ...schema.places, ...seed.places])],
    files: files.map((file) => path.join(root, file)),
  };
}

async function kindOf(file: string, entry: Dirent): Promise<'file' | 'folder' | 'other'> {
  const target = entry.isSymbolicLink() ? await stat(file).catch(() => undefined) : entry;
  if (target?.isDirectory()) return 'folder';
  return target?.isFile() ? 'file' : 'other';
}
