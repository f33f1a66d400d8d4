// Which package of this program a new project installs, so that it can be installed on every machine: a version of the
// registry, or the package file, which is copied into the project.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT } from '../../src/contract/product.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../src/util/json-object.ts';
import { IS_CLONE, PACKAGE_ROOT } from '../support/own-command.ts';
import { tryOr } from '../support/thrown.ts';

/** `folder`: the file from which the program was installed is not known, or is gone; its folder can be packed. */
export type OwnPackage =
  | { readonly kind: 'registry'; readonly version: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'folder' };

/** The folder of a project that holds the package file. */
const VENDOR_FOLDER = 'vendor';

export function findOwnPackage(): OwnPackage {
  if (IS_CLONE) return { kind: 'folder' };
  const installation = path.dirname(path.dirname(PACKAGE_ROOT));
  const resolved = readResolved(path.join(installation, 'node_modules', '.package-lock.json')) ?? '';
  if (/^https?:/u.test(resolved)) return { kind: 'registry', version: readVersion() };
  const file = path.resolve(installation, resolved.slice('file:'.length));
  const isFile = resolved.startsWith('file:') && file.endsWith('.tgz') && existsSync(file);
  return isFile ? { kind: 'file', file } : { kind: 'folder' };
}

/**
 * Copies an unpublished package into a project. Throws if it cannot be copied.
 *
 * @returns the version or address for `dependencies`
 */
export function addOwnPackage(folder: string, own: OwnPackage): string {
  if (own.kind === 'registry') return own.version;
  const vendor = makeVendorFolder(folder);
  const name = own.kind === 'file' ? path.basename(own.file) : `${PRODUCT.token}-${readVersion()}.tgz`;
  if (own.kind === 'file') copyFileSync(own.file, path.join(vendor, name));
  else packInto(vendor);
  return `file:${VENDOR_FOLDER}/${name}`;
}

/** The same for a package of browsers, such as `@rowhouse/live`, which has the version of this one and is part of it. */
export function addBrowserPackage(folder: string, name: string, own: OwnPackage): string {
  if (own.kind === 'registry') return own.version;
  const file = `${name.slice(1).replace('/', '-')}-${readVersion()}.tgz`;
  copyFileSync(path.join(PACKAGE_ROOT, 'dist/packages', file), path.join(makeVendorFolder(folder), file));
  return `file:${VENDOR_FOLDER}/${file}`;
}

function makeVendorFolder(folder: string): string {
  const vendor = path.join(folder, VENDOR_FOLDER);
  mkdirSync(vendor, { recursive: true });
  return vendor;
}

/** npm warns about scripts that it has not run. No package needs its own: this program links the libraries of PostgreSQL. */
export function renderAllowedScripts(): JsonObject {
  const { optionalDependencies } = readManifest();
  const names = isJsonObject(optionalDependencies) ? Object.keys(optionalDependencies) : [];
  return Object.fromEntries(names.map((name) => [name, false]));
}

function readVersion(): string {
  return String(readManifest()['version']);
}

function readManifest(): JsonObject {
  return parseJsonObject(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) ?? {};
}

/** Scripts would build again what is running. npm names the file after the package and its version. */
function packInto(vendor: string): void {
  const isWindows = process.platform === 'win32';
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', isWindows ? `"${vendor}"` : vendor];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: PACKAGE_ROOT, encoding: 'utf8', shell: isWindows });
  if (status !== 0) throw new Error(`npm pack failed: ${error?.message ?? stderr.trim()}`);
}

/** npm records where it got each package from. */
function readResolved(file: string): string | undefined {
  const packages = parseJsonObject(tryOr(() => readFileSync(file, 'utf8'), ''))?.['packages'];
  const own = isJsonObject(packages) ? packages[`node_modules/${PRODUCT.token}`] : undefined;
  const resolved = isJsonObject(own) ? own['resolved'] : undefined;
  return typeof resolved === 'string' ? resolved : undefined;
}
