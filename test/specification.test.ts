// Citations of the specification in code, tests and documents: each leads to a file, a section and an item that exist.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SPECIFICATION = 'docs/specification';
const DOCUMENTS = ['reading', 'writing', 'operating', 'beyond', 'project'];
const CITING = /\.(?:ts|js|json|http|md)$/u;

/** A document's name, somebody else's document, or a section with what is cited of it. */
const TOKEN =
  /`(?<name>\w+)\.md`|(?<foreign>RFC \d+)|§(?<section>\d+(?:\.\d+)*)(?:[\s/*]+(?:(?<part>item|step)s? (?<from>\d+)(?: to (?<to>\d+))?|(?<decision>D\d+)))?/gu;
/** What may stand between a document's name and its sections. */
const BETWEEN = /^[\s,/*]*$/u;
/** So far from its name, a section alone no longer says which document is meant. */
const LONGEST_DISTANCE = 200;

const documents = new Map(DOCUMENTS.map((name) => [name, readSections(read(`${SPECIFICATION}/${name}.md`))]));
const checklists = new Set(DOCUMENTS.flatMap((name) => readIds(read(`${SPECIFICATION}/${name}.md`))));
const files = ['src', 'tools', 'test', 'scripts', 'docs'].flatMap(listFiles).concat('README.md', 'CONTRIBUTING.md');
const texts = new Map(files.filter((file) => CITING.test(file)).map((file) => [file, read(file)]));

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

function findAll(text: string, pattern: RegExp): RegExpExecArray[] {
  return [...text.matchAll(pattern)];
}

function listFiles(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.posix.join(folder, file.split(path.sep).join('/')),
  );
}

/** Number of each section → its own text, without that of its subsections. */
function readSections(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^#{2,3} (?=\d)/mu).slice(1);
  return new Map(parts.map((part) => [/^\d+(?:\.\d+)*/u.exec(part)?.[0] ?? '', part]));
}

function readIds(text: string): string[] {
  return findAll(text, /^\| ([A-Z]\d+) \| .* \| §?[^|]*\d[^|]* \|$/gmu).map((match) => match[1] ?? '');
}

interface Citation {
  readonly place: string;
  /** Undefined where nothing says which document is meant. */
  readonly name: string | undefined;
  readonly section: string;
  /** The beginnings of the lines that must be in the section. */
  readonly lines: readonly RegExp[];
}

function findCitations(file: string, text: string): Citation[] {
  const own = file.startsWith(SPECIFICATION) ? path.basename(file, '.md') : undefined;
  const found: Citation[] = [];
  let name: string | undefined;
  let end = 0;
  for (const { index, 0: token, groups = {} } of text.matchAll(TOKEN)) {
    const isNext = BETWEEN.test(text.slice(end, index));
    const isNear = own === undefined && index - end < LONGEST_DISTANCE;
    if (groups['section'] === undefined) name = groups['name'] ?? groups['foreign'];
    else if (!isNext && !isNear) name = own;
    end = index + token.length;
    if (groups['section'] === undefined || name?.startsWith('RFC')) continue;
    const place = `${file}:${text.slice(0, index).split('\n').length} ${token}`;
    found.push({ place, name, section: groups['section'], lines: linesOf(groups) });
  }
  return found;
}

function linesOf({ part, from, to, decision }: Readonly<Record<string, string | undefined>>): RegExp[] {
  if (decision !== undefined) return [new RegExp(`^\\| ${decision} \\|`, 'mu')];
  const numbers = [from, to].filter((number) => number !== undefined);
  return numbers.map((number) => new RegExp(part === 'item' ? `^\\s*${number}\\. ` : `^\\| ${number} \\|`, 'mu'));
}

test('each citation leads to a section of a document, and to what it names of it', () => {
  const citations = [...texts].flatMap(([file, text]) => findCitations(file, text));
  const dead = citations.filter(({ name, section, lines }) => {
    const text = documents.get(name ?? '')?.get(section);
    return text === undefined || lines.some((line) => !line.test(text));
  });
  expect(dead.map(({ place, name }) => `${place} of ${name ?? 'no document'}`)).toEqual([]);
  expect(citations.length).toBeGreaterThan(300);
});

test('citations have one form: the name of the document stands in backticks', () => {
  const bare = new RegExp(`(?<![\`/[(-])\\b(?:${DOCUMENTS.join('|')})\\.md\\b`, 'gu');
  const wrong = [...texts].flatMap(([file, text]) => findAll(text, bare).map((match) => `${file}: ${match[0]}`));
  expect(wrong).toEqual([]);
});

test('a document is named for which there is exactly one file', () => {
  const names = files.filter((file) => file.endsWith('.md')).map((file) => path.basename(file));
  const twice = DOCUMENTS.filter((name) => names.filter((other) => other === `${name}.md`).length !== 1);
  expect(twice).toEqual([]);
  const named = [...texts].flatMap(([file, text]) =>
    findAll(text, /`([\w-]+\.md)`/gu).map((match) => [file, match[1] ?? ''] as const),
  );
  expect(named.filter(([, name]) => !names.includes(name))).toEqual([]);
});

test('the checklists are numbered without a gap, and name sections that exist', () => {
  const lengths = { R: 240, W: 290, O: 245, B: 101, P: 51 };
  const ids = Object.entries(lengths).flatMap(([letter, length]) =>
    Array.from({ length }, (_, index) => `${letter}${index + 1}`),
  );
  expect([...checklists].filter((id) => /^[RWOBP]/u.test(id))).toEqual(ids);
  const dead = DOCUMENTS.flatMap((name) =>
    findAll(read(`${SPECIFICATION}/${name}.md`), /^\| ([RWOB]\d+) \| .* \| ([^|]+) \|$/gmu).flatMap((row) =>
      findAll(row[2] ?? '', /\d+(?:\.\d+)?/gu)
        .filter(([section]) => !documents.get(name)?.has(section))
        .map(([section]) => `${row[1]} ${section}`),
    ),
  );
  expect(dead).toEqual([]);
});

test('each id at the head of a test is in a checklist', () => {
  const heads = [...texts].flatMap(([file, text]) => {
    if (file.startsWith('test/conformance/cases/')) return findAll(text, /^\s*\{"id": "([^"]+)"/gmu);
    return file.endsWith('.test.ts') ? findAll(text, /\btest\(\s*['"`]((?:[RWOBP]\d+[a-z]? )+)/gu) : [];
  });
  const ids = heads.flatMap((match) => (match[1] ?? '').trim().split(' '));
  const unknown = ids.filter((id) => /^[RWOBP]\d/u.test(id) && !checklists.has(id.replace(/[a-z]$/u, '')));
  expect(unknown).toEqual([]);
  expect(ids.length).toBeGreaterThan(900);
});
