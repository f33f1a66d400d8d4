// Compares the tables that readers look things up in with the sources: reserved parameter names, content types, and the
// setup of TypeScript.
import { expect, test } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { EXTENSION_NAMES, enableExtensions } from '../../src/contract/extensions.ts';
import { PART_HEADERS } from '../../src/contract/part-headers.ts';
import { FORMAT_LIST } from '../../src/media/formats.ts';
import { listPatchTypes } from '../../src/media/media-type.ts';
import { parseQueryParams } from '../../src/request/query/parse-query-params.ts';
import { readPage } from './read-page.ts';
import { readMarkdown } from './read-pages.ts';

/** Returns the code in the given column of the first table of a section. */
function codeInTable(page: string, heading: string, column: number): readonly string[] {
  const [, section = ''] = readMarkdown(page).split(`\n${heading}\n`);
  const [table = ''] = /(?:^\|.*\n)+/mu.exec(section) ?? [];
  const cells = table.split('\n').slice(2);
  return cells.flatMap((row) =>
    [...(row.split(' | ')[column] ?? '').matchAll(/`([^`]+)`/gu)].map(([, code]) => code ?? ''),
  );
}

/** Values with which the names are not filters. */
const VALUES: Readonly<Record<string, string>> = {
  select: 'id',
  order: 'id',
  distinct: 'id',
  limit: '1',
  offset: '1',
  after: 'TOKEN',
  before: 'TOKEN',
  score: 'body.wfts.ladder',
  and: '(id.eq.1)',
  or: '(id.eq.1)',
  'not.and': '(id.eq.1)',
  'not.or': '(id.eq.1)',
  columns: 'id',
  on_conflict: 'id',
  match: 'id',
  merge: 'id',
};

function parse(query: string): ReturnType<typeof parseQueryParams> {
  return parseQueryParams(query, {
    arguments: 'none',
    limits: {
      brackets: 10,
      embedDepth: 2,
      embeds: 2,
      logicDepth: 2,
      pathSteps: 2,
      selectItems: 9,
      terms: 99,
      extensions: enableExtensions(EXTENSION_NAMES),
    },
    hasPages: true,
    hasScores: true,
    hasUpserts: true,
    hasMatch: true,
    isTrailingTextIgnored: false,
    areBoundsLenient: false,
  });
}

test('the page about queries lists the reserved parameter names, and none of them is a filter', () => {
  const names = codeInTable('docs/query-language.md', '## Reserved parameter names', 0).map((name) =>
    name.replace('|', ''),
  );
  expect(names.toSorted()).toEqual(Object.keys(VALUES).toSorted());
  for (const [name, value] of Object.entries(VALUES))
    expect([name, parse(`${name}=${encodeURIComponent(value)}`)]).toMatchObject([
      name,
      { ok: true, value: { filters: [] } },
    ]);
  expect(parse('other=eq.1')).toMatchObject({ ok: true, value: { filters: [{}] } });
});

test('the page about formats lists the content type of every kind of body', () => {
  const { merge, operations } = listPatchTypes(SVC_DIALECT);
  const bodies = FORMAT_LIST.filter(({ body }) => body !== undefined).map(({ mediaType }) => mediaType);
  const own = ['batch+json', 'query'].map((name) => `application/vnd.svc.${name}`);
  expect(
    codeInTable('docs/formats.md', '## Request body formats', 1)
      .filter((code) => code.includes('/'))
      .toSorted(),
  ).toEqual([...bodies, merge, ...operations.filter((type) => type.includes('.svc.')), ...own].toSorted());
});

test('the library page installs the types of Node and names them in tsconfig.json', () => {
  const markdown = readMarkdown('docs/library.md');
  const config = readPage(markdown).find(({ note }) => note?.text === 'tsconfig.json');
  expect(markdown).toContain('npm install --save-dev @types/node');
  expect(JSON.parse(config?.text ?? '')).toMatchObject({ compilerOptions: { types: ['node'] } });
});

test('the pages and the specification of batches list the headers that a request may have', () => {
  for (const page of ['docs/batches.md', 'docs/specification/beyond.md']) {
    const [, list = ''] =
      /request in a batch may have (?:only the|these) headers:? (.*?)[.,;]? (?:and those|Any)/iu.exec(
        readMarkdown(page),
      ) ?? [];
    expect([...list.matchAll(/`([^`]+)`/gu)].map(([, name]) => name)).toEqual(PART_HEADERS);
  }
});
