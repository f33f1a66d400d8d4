// Paths in backticks, in documents and in comments: each leads to a file or folder of the repository. A path may be short, as
// long as it ends like one: `levels/read.ts`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = ['.github', 'cspell', 'deploy', 'docs', 'examples', 'explorer', 'scripts', 'src', 'test', 'tools'];

/** What programs make. */
const MADE = /^(?:dist|node_modules|assets|\.rowhouse)\//u;
/** What a user's project contains (`project.md` §1). */
const OF_PROJECT = /^(?:schema|seed|migrations)\/|^roles\.sql$/u;
/** `a/b.ts` and `FILE.sql` stand for any file. */
const EXAMPLE = /^(?:src\/)?[a-z]\/|^(?:src\/)?[a-z]\.|^[A-Z]+\.sql$/u;

const top = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
const files = [...top.map(({ name }) => name), ...FOLDERS.flatMap(listFiles)];
const known = new Set([...files, ...FOLDERS].flatMap(listEndings));

function listFiles(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.posix.join(folder, file.split(path.sep).join('/')),
  );
}

/** `a/b/c.ts` → `a/b/c.ts`, `b/c.ts`, `c.ts` */
function listEndings(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Only the lines of comments: elsewhere, backticks are texts of the program. */
function readComments(file: string): string {
  return read(file)
    .split('\n')
    .map((line) => /(?:^|\s)(?:\/\/|\/\*\*|\*)(?= )(.*)$/u.exec(line)?.[1] ?? '')
    .join('\n');
}

function findInlineCode(text: string): readonly string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '');
  return [...prose.matchAll(/(?<!`)`([^`\n]+)`(?!`)/gu)].map(([, code = '']) => code);
}

function findDead(texts: readonly (readonly [file: string, text: string])[], candidate: RegExp): readonly string[] {
  return texts.flatMap(([file, text]) =>
    findInlineCode(text)
      .filter(
        (code) =>
          candidate.test(code) &&
          ![MADE, OF_PROJECT, EXAMPLE].some((pattern) => pattern.test(code)) &&
          !known.has(code.replace(/\/$/u, '')),
      )
      .map((code) => `${file}: ${code}`),
  );
}

/** Pages about the sources. In the others, the name of a file may be that of a reader's own file. */
const ABOUT_SOURCES = /^(?:CONTRIBUTING\.md|test\/README\.md|docs\/(?:architecture\.md|contributing\/|decisions\/))/u;
const ANY_PATH = /^(?:[\w.-]+\/)*(?:[\w.-]+\/|[\w.-]+\.(?:tsx?|js|sql|md|json|http|html|css))$/u;
const WHOLE_PATH = /^(?:docs|explorer|scripts|src|test|tools)(?:\/[\w.-]+)*\/?$/u;

const documents = files
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/specification/') && file !== 'CHANGELOG.md')
  .map((file) => [file, read(file)] as const);

test('every path in a page about the sources exists', () => {
  const pages = documents.filter(([file]) => ABOUT_SOURCES.test(file));
  expect(pages.length).toBeGreaterThan(20);
  expect(findDead(pages, ANY_PATH)).toEqual([]);
});

test('every path from the root of the repository in any other page exists', () => {
  expect(findDead(documents, WHOLE_PATH)).toEqual([]);
});

test('every path in a comment exists', () => {
  const sources = files.filter((file) => /^(?:explorer|scripts|src|test|tools)\/.*\.(?:tsx?|js)$/u.test(file));
  const comments = sources.map((file) => [file, readComments(file)] as const);
  expect(comments.filter(([, text]) => text.includes('`')).length).toBeGreaterThan(200);
  expect(findDead(comments, ANY_PATH)).toEqual([]);
});
