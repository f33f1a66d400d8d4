// Where this program was installed from, so that a new project installs the same.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../src/contract/product.ts';
import { isJsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { IS_CLONE, PACKAGE_ROOT } from '../support/own-command.ts';

/** @returns a version, or the path of the folder or tarball as a dependency: `file:../rowhouse-0.1.0.tgz` */
export function findOwnSource(folder: string): string {
  if (IS_CLONE) return fileDependency(folder, PACKAGE_ROOT);
  const installation = path.dirname(path.dirname(PACKAGE_ROOT));
  const resolved = readResolved(path.join(installation, 'node_modules', '.package-lock.json'));
  if (resolved === undefined || !resolved.startsWith('file:')) return PRODUCT.version;
  return fileDependency(folder, path.resolve(installation, resolved.slice('file:'.length)));
}

function fileDependency(folder: string, target: string): string {
  return `file:${path.relative(folder, target).split(path.sep).join('/')}`;
}

/** npm records where it got each package from. */
function readResolved(file: string): string | undefined {
  try {
    const packages = parseJsonObject(readFileSync(file, 'utf8'))?.['packages'];
    const own = isJsonObject(packages) ? packages[`node_modules/${PRODUCT.token}`] : undefined;
    const resolved = isJsonObject(own) ? own['resolved'] : undefined;
    return typeof resolved === 'string' ? resolved : undefined;
  } catch {
    return undefined;
  }
}
