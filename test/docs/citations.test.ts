// Checks that everything the pages name exists: options, variables, flags, headers, preferences, codes, metrics and
// links.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listKnownFlags } from '../../tools/command-line/command.ts';
import { PROGRAM } from '../../tools/commands/index.ts';
import { environmentName } from '../../src/config/table/option.ts';
import { OPTION_KEYS, OPTIONS } from '../../src/config/table/options.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { EXTENSION_NAMES, enableExtensions } from '../../src/contract/extensions.ts';
import { headerNameOf, parsePreferences, PREFERENCES } from '../../src/request/preferences.ts';
import { PAGES, readMarkdown, ROOT } from './read-pages.ts';

/** Names of other programs, and of older versions if the page says so. */
const FOREIGN = {
  options: new Set(['db-use-legacy-gucs', 'openapi-typescript', 'server-proxy-uri']),
  flags: new Set(
    '--omit --max-old-space-size --suite --stop-timeout --memory --base --against --beside --write --connections --socket --own-load --of --set --profile --stages --open --large --database --import'.split(
      ' ',
    ),
  ),
  headers: new Set(['X-Request-Id', 'Mcp-Method', 'Mcp-Name']),
  /** The example of a rejected preference. */
  preferences: new Set(['handling=strict, return=everything']),
};

const OPTION_NAMES = new Set(OPTION_KEYS.flatMap((key) => [OPTIONS[key].name, OPTIONS[key].aliases ?? []].flat()));
const VARIABLES = new Set([...OPTION_NAMES].map((name) => environmentName(name, SVC_DIALECT.environmentPrefix)));
const FLAGS = new Set(
  [PROGRAM.main, ...PROGRAM.commands].flatMap((command) => {
    const { flags, options } = listKnownFlags(command);
    return [...flags, ...options].map(({ name }) => `--${name}`);
  }),
);
const SOURCES = readSources();

/** Returns inline code and whole code blocks. */
function codeOf(page: string): readonly string[] {
  return [...readMarkdown(page).matchAll(/^ *```[\s\S]*?^ *```$|(?<!`)`[^`\n]+`(?!`)/gmu)].map(([code]) => code);
}

function readSources(): string {
  const folder = path.join(ROOT, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8').toLowerCase())
    .join('\n');
}

/** Returns the matches of a pattern in the code of a page; the first group if there is one. */
function namesIn(page: string, pattern: RegExp): readonly string[] {
  return codeOf(page).flatMap((code) => [...code.matchAll(pattern)].map(([whole, group]) => group ?? whole));
}

function unknownIn(page: string, pattern: RegExp, isKnown: (name: string) => boolean): readonly string[] {
  return [...new Set(namesIn(page, pattern))].filter((name) => !isKnown(name));
}

test.each(PAGES)('%s: options and their variables exist', (page) => {
  const options =
    /(?<![\w./:-])(?:db|jwt|server|url|log|openapi|admin-server|client-error)-[a-z][a-z0-9-]*(?![\w…./-])/gu;
  expect(unknownIn(page, options, (name) => OPTION_NAMES.has(name) || FOREIGN.options.has(name))).toEqual([]);
  expect(
    unknownIn(page, /\bSVC_(?!APP_SETTINGS)[A-Z_]+\b/gu, (name) => VARIABLES.has(name) || name === 'SVC_'),
  ).toEqual([]);
});

test.each(PAGES)('%s: flags of the command line exist', (page) => {
  const ours = /(?<=rowhouse\b[^\n]*|npm start -- [^\n]*|^`)(--[a-z][a-z0-9-]*)/gu;
  expect(unknownIn(page, ours, (name) => FLAGS.has(name) || FOREIGN.flags.has(name))).toEqual([]);
});

test.each(PAGES)('%s: headers and preferences exist', (page) => {
  const headers = /(?<![\w./-])[A-Z][a-z]+(?:-[A-Z][a-z]+)+(?![\w-])/gu;
  const isKnown = (name: string): boolean => SOURCES.includes(name.toLowerCase()) || FOREIGN.headers.has(name);
  expect(unknownIn(page, headers, isKnown)).toEqual([]);
  const isUnderstood = (text: string): boolean => {
    const { invalid } = parsePreferences([['prefer', text]], {
      dialect: SVC_DIALECT,
      extensions: enableExtensions(EXTENSION_NAMES),
    });
    return invalid.length === 0 || FOREIGN.preferences.has(text);
  };
  expect(unknownIn(page, /\bPrefer: ([a-z][\w-]*=[^'"`\n…]*)/gu, isUnderstood)).toEqual([]);
});

test('docs/formats.md lists every value of every preference', () => {
  const rows = [...readMarkdown('docs/formats.md').matchAll(/^\| `([a-z-]+)=([^|]*)\|/gmu)];
  const listed = new Map(
    rows.map(([, name = '', values = '']) => [name, values.match(/"[^"]+"|[\w-]+/gu)?.toSorted()]),
  );
  for (const [key, { values, ...others }] of Object.entries(PREFERENCES)) {
    const name = headerNameOf(key);
    if (typeof values === 'string') continue;
    const further = 'further' in others ? others.further.values : [];
    expect([name, listed.get(name)]).toEqual([name, [...values, ...further].toSorted()]);
  }
});

test.each(PAGES)('%s: error codes and metrics exist', (page) => {
  const listed = readMarkdown('docs/errors.md');
  expect(unknownIn(page, /\bSVC[0-9X]\d\d\b/gu, (code) => listed.includes(`| \`${code}\` |`))).toEqual([]);
  const metrics = /\bsvc_((?:[a-z]+_)+(?:total|seconds|available|waiting|max))\b/gu;
  expect(unknownIn(page, metrics, (name) => SOURCES.includes(name))).toEqual([]);
});

test.each(PAGES)('%s: links lead to existing pages and headings', (page) => {
  const links = [...readMarkdown(page).matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target = '']) => target);
  const broken = links.filter((target) => !/^https?:/u.test(target) && !resolves(page, target));
  expect(broken).toEqual([]);
});

function resolves(page: string, link: string): boolean {
  const [target = '', heading] = link.split('#');
  const file = target === '' ? page : path.posix.join(path.posix.dirname(page), target);
  if (!existsSync(path.join(ROOT, file))) return false;
  return heading === undefined || headingsOf(file).includes(heading);
}

/** Returns the anchors that GitHub generates for headings. */
function headingsOf(page: string): readonly string[] {
  const prose = readMarkdown(page).replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '');
  return [...prose.matchAll(/^#+ (.+)$/gmu)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
