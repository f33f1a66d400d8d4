// Finds the files of the built explorer and its documentation, and reads each into memory on first use.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { EncodedFile, ExplorerFile, ExplorerFiles } from '../contract/explorer-file.ts';

/** Correct both for built code and when run from source. */
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const DOCS_PREFIX = 'explorer/docs/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Suffixes that the build writes, in order of preference. */
const COMPRESSIONS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

class BuiltFolder implements ExplorerFiles {
  readonly #folder: string;
  readonly #read = new Map<string, ExplorerFile>();
  #names: ReadonlySet<string> = new Set();

  constructor(name: string) {
    this.#folder = path.join(DIST, name);
  }

  get isBuilt(): boolean {
    return existsSync(this.#folder);
  }

  get(name: string): ExplorerFile | undefined {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    // The documentation may be built while the server runs.
    if (this.#names.size === 0 && this.isBuilt) {
      const names = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' });
      this.#names = new Set(
        names.map((name) =>
          name
            .split(path.sep)
            .join('/')
            .replace(/\.(?:br|gz)$/u, ''),
        ),
      );
    }
    const file = this.#names.has(name) ? readBuiltFile(path.join(this.#folder, name)) : undefined;
    if (file !== undefined) this.#read.set(name, file);
    return file;
  }
}

const EXPLORER = new BuiltFolder('explorer');
const DOCS = new BuiltFolder('docs');
const FILES: ExplorerFiles = {
  get: (name) => (name.startsWith(DOCS_PREFIX) ? DOCS.get(name.slice(DOCS_PREFIX.length)) : EXPLORER.get(name)),
};

/** @returns undefined if the explorer has not been built */
export function findExplorerFiles(): ExplorerFiles | undefined {
  return EXPLORER.isBuilt ? FILES : undefined;
}

/** Returns undefined for a folder, or a file of an unknown type. */
function readBuiltFile(place: string): ExplorerFile | undefined {
  const contentType = CONTENT_TYPES[path.extname(place)];
  if (contentType === undefined) return undefined;
  const compressed = COMPRESSIONS.flatMap(({ name, suffix }): readonly EncodedFile[] =>
    existsSync(place + suffix) ? [{ name, bytes: readFileSync(place + suffix) }] : [],
  );
  const bytes = readIdentity(place, compressed);
  const hash = createHash('sha256').update(bytes);
  return {
    contentType,
    etag: `W/"${hash.digest('base64url')}"`,
    encodings: [...compressed, { name: 'identity', bytes }],
  };
}

/** The files of the documentation exist only with Brotli. */
function readIdentity(place: string, compressed: readonly EncodedFile[]): Uint8Array {
  const brotli = existsSync(place) ? undefined : compressed.find(({ name }) => name === 'br');
  return brotli === undefined ? readFileSync(place) : brotliDecompressSync(brotli.bytes);
}
