// How pages become the documentation site.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Group {
  readonly text: string;
  readonly pages: readonly { readonly name: string; readonly title: string }[];
}

const SCRIPTS = new URL('../../scripts/docs/', import.meta.url).href;
const { readGroups, stagePage } = (await import(`${SCRIPTS}stage-pages.js`)) as {
  readonly readGroups: (readme: string) => readonly Group[];
  readonly stagePage: (markdown: string, titles: ReadonlyMap<string, string>) => string;
};
const { relocatePage, relocateScript } = (await import(`${SCRIPTS}relocate.js`)) as {
  readonly relocatePage: (html: string) => { page: string; early: { name: string; script: string } };
  readonly relocateScript: (script: string, name: string) => string;
};

const README = `# Product

## Documentation

The server shows these pages.

| Learn | |
|---|---|
| [Getting started](docs/start.md) | First [steps](docs/start.md#steps) |

| Look up | |
|---|---|
| [Errors](docs/errors.md) | Codes; [retries](docs/decisions/retries.md) |
| [Changelog](CHANGELOG.md) | What changed |

## License
`;
const TITLES = new Map([
  ['start', 'Getting started'],
  ['errors', 'Errors'],
]);

test('the tables of the README are the groups of the sidebar', () => {
  expect(readGroups(README)).toEqual([
    { text: 'Learn', pages: [{ name: 'start', title: 'Getting started' }] },
    { text: 'Look up', pages: [{ name: 'errors', title: 'Errors' }] },
  ]);
});

test('every page of docs is on the site', () => {
  const pages = readGroups(readFileSync('README.md', 'utf8')).flatMap((group) => group.pages.map(({ name }) => name));
  const files = readdirSync('docs').filter((name) => name.endsWith('.md'));
  expect(['index', ...pages].map((name) => `${name}.md`).toSorted()).toEqual(files.toSorted());
});

test('the site has the fonts of the explorer', () => {
  const read = (file: string, name: string): string | undefined =>
    new RegExp(`--${name}:([^;]*);`, 'u').exec(readFileSync(file, 'utf8'))?.[1]?.replaceAll(/\s+/gu, ' ');
  for (const [theirs, own] of [
    ['font-sans', 'vp-font-family-base'],
    ['font-mono', 'vp-font-family-mono'],
  ] as const)
    expect(read('scripts/docs/site/.vitepress/theme/site.css', own)).toBe(read('explorer/src/ui/tokens.css', theirs));
});

test('links name pages by their titles; those to files that are not on the site become text', () => {
  const page = `<!-- not run: why -->
\`\`\`sh
# [errors.md](errors.md) <!-- kept -->
<!-- kept -->
\`\`\`
See [errors.md](errors.md#hints), [hints](errors.md#hints), [the site](https://example.com), [above](#above),
[decisions/retries.md](decisions/retries.md) and [SECURITY.md](../SECURITY.md). ![A map](images/map.webp)
`;
  expect(stagePage(page, TITLES)).toBe(`\`\`\`sh
# [errors.md](errors.md) <!-- kept -->
<!-- kept -->
\`\`\`
See [Errors](errors.md#hints), [hints](errors.md#hints), [the site](https://example.com), [above](#above),
decisions/retries.md and SECURITY.md. ![A map](images/map.webp)
`);
});

test('pages have relative addresses, and neither inline scripts nor inline styles', () => {
  const html = `<head>
    <link rel="preload stylesheet" href="/__BASE__/assets/style.a.css" as="style">
    <script id="check-dark-mode">let a = 1;</script>
    <script id="check-mac-os">let b = 2;</script>
  </head><p style="position:relative;"><a href="/__BASE__/start.html">`;
  const { page, early } = relocatePage(html);
  expect(early).toEqual({
    name: expect.stringMatching(/^assets\/early\.[\w-]{8}\.js$/u) as string,
    script: 'let a = 1;\nlet b = 2;\n',
  });
  expect(page).toBe(`<head>
    <script src="./${early.name}"></script>
    <link rel="preload stylesheet" href="./assets/style.a.css" as="style">
    </head><p><a href="./start.html">`);
});

test('scripts find the base path from their own address', () => {
  const base = '(new URL("../../",import.meta.url).pathname)';
  const name = 'assets/chunks/a.js';
  expect(relocateScript('return"/__BASE__/"+a', name)).toBe(`return${base}+a`);
  expect(relocateScript('a="/__BASE__/assets/map.webp"', 'assets/a.js')).toBe(
    'a=(new URL("../assets/map.webp",import.meta.url).pathname)',
  );
  expect(relocateScript(String.raw`JSON.parse("{\"base\":\"/__BASE__/\"}")`, name)).toBe(
    String.raw`JSON.parse("{\"base\":\""+${base}+"\"}")`,
  );
  expect(relocateScript(`const e='{"documentCount":1,"a":"/__BASE__/b.html","c":"it\\'s"}';export{e}`, name)).toBe(
    `const e='{"documentCount":1,"a":"/__BASE__/b.html","c":"it\\'s"}'.replaceAll("/__BASE__/",${base});export{e}`,
  );
  expect(() => relocateScript('`/__BASE__/${a}`', name)).toThrow('contains the base path in an unknown form');
});
