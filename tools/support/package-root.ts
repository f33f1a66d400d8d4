// Locates the package root, and distinguishes a clone of the repository from an installed package.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE_ROOT: string = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

export const IS_CLONE: boolean = !PACKAGE_ROOT.split(path.sep).includes('node_modules');
