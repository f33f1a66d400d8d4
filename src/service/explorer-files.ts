// Loads the built explorer into memory on first use.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EncodedFile, ExplorerFile, ExplorerFiles } from '../contract/explorer-file.ts';

/** Correct both for built code and when run from source. */
const FOLDER = fileURLToPath(new URL('../../dist/explorer/', import.meta.url));

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Suffixes that the build writes, in order of preference. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
  { name: 'identity', suffix: '' },
] as const;

let read: ExplorerFiles | undefined;

/** @returns undefined if the explorer has not been built */
export function readExplorerFiles(): ExplorerFiles | undefined {
  if (read === undefined && existsSync(FOLDER)) read = new Map(listFiles());
  return read;
}

function* listFiles(): Generator<readonly [name: string, file: ExplorerFile]> {
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    const contentType = CONTENT_TYPES[path.extname(file)];
    if (contentType === undefined) continue;
    const encodings = ENCODINGS.flatMap(({ name, suffix }): readonly EncodedFile[] => {
      const place = path.join(FOLDER, file + suffix);
      return existsSync(place) ? [{ name, bytes: readFileSync(place) }] : [];
    });
    const hash = createHash('sha256').update(readFileSync(path.join(FOLDER, file)));
    yield [file.split(path.sep).join('/'), { contentType, etag: `W/"${hash.digest('base64url')}"`, encodings }];
  }
}
