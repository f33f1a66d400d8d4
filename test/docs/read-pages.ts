// The pages for readers: README.md and docs/*.md, by their path in the sources.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

export function readMarkdown(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}
