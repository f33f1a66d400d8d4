// Where this program is, and how the user can invoke it, for messages that say what to type next.
import { realpathSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRODUCT } from '../../src/contract/product.ts';

export const PACKAGE_ROOT: string = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

/** Whether this is a clone of the repository, not an installed package. */
export const IS_CLONE: boolean = !PACKAGE_ROOT.split(path.sep).includes('node_modules');

/**
 * @param file of the package, relative to it
 * @returns its path for people in this working directory: `node_modules/rowhouse/docs/check.md`
 */
export function locateOwnFile(file: string, folder: string = process.cwd()): string {
  const target = path.join(PACKAGE_ROOT, file);
  const relative = path.relative(folder, target);
  return relative.startsWith('..') ? target : relative;
}

const { token } = PRODUCT;

interface CommandLocation {
  /** The working directory. */
  readonly folder: string;
  /** The path of the program, as invoked. */
  readonly program: string;
  /** The variable `PATH`. */
  readonly path: string;
}

/** Returns `npx rowhouse` in or below an installation, `rowhouse` if it is on the path, else `node` with its file. */
export function findOwnCommand(location: CommandLocation = readCommandLocation()): string {
  const { folder, program } = location;
  if (isInstalledAbove(folder)) return `npx ${token}`;
  if (isOnPath(location)) return token;
  return `node ${/^[\w./@+-]+$/u.test(program) ? program : JSON.stringify(program)}`;
}

function readCommandLocation(): CommandLocation {
  return { folder: process.cwd(), program: process.argv[1] ?? '', path: process.env['PATH'] ?? '' };
}

function isInstalledAbove(folder: string): boolean {
  if (folder === PACKAGE_ROOT || existsSync(path.join(folder, 'node_modules', '.bin', token))) return true;
  const parent = path.dirname(folder);
  return parent !== folder && isInstalledAbove(parent);
}

/** Ignores folders that npm adds to the path only while it runs a script. */
function isOnPath({ program, path: variable }: CommandLocation): boolean {
  const places = variable
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !folder.split(path.sep).includes('node_modules'))
    .map((folder) => path.join(folder, token));
  return places.some((place) => existsSync(place) && realpathSync(place) === realpathSync(program));
}
