// The site in VitePress. It is built from a folder in which `scripts/docs/build-docs.js` puts the pages.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { namesOfColors, palette } from './palette.js';
import { addKeywords, hideKeywords, SEARCH_OPTIONS, UNSEARCHED } from './search.js';

const { groups, base } = JSON.parse(readFileSync(new URL('site.json', import.meta.url), 'utf8'));

export default defineConfig({
  lang: 'en',
  title: 'Rowhouse',
  description: 'Documentation of Rowhouse, which turns a PostgreSQL schema into a REST API',
  base,
  cacheDir: './.vitepress/cache',
  metaChunk: true,
  // Otherwise a style element, which the server forbids, would suppress transitions.
  appearance: { disableTransition: false },
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}brand.svg` }]],
  markdown: {
    theme: palette,
    languageAlias: { conf: 'ini', haproxy: 'nginx' },
    codeTransformers: [{ name: 'classes', span: replaceStyle }],
  },
  vite: { plugins: [{ name: 'hide-keywords', transform: hideIndexed }] },
  themeConfig: {
    logo: '/brand.svg',
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: SEARCH_OPTIONS },
        _render: (source, page, markdown) => {
          const name = page.relativePath.replace(/\.md$/u, '');
          return UNSEARCHED.has(name) ? '' : addKeywords(markdown.render(source, page), name);
        },
      },
    },
    // Not a page of the site, so that the browser has to load it.
    nav: [{ text: 'Explorer', link: '../../', target: '_self' }],
    sidebar: groups.map(({ text, pages }) => ({
      text,
      items: pages.map(({ name, title }) => ({ text: title, link: `/${name}` })),
    })),
    outline: [2, 3],
    externalLinkIcon: true,
  },
});

function hideIndexed(code, id) {
  return id.includes('@localSearchIndex') ? hideKeywords(code) : undefined;
}

/** The server forbids inline styles, so colors of code become classes. */
function replaceStyle(node) {
  const [, color] = /color:(#[\da-f]{6})/iu.exec(String(node.properties.style ?? '')) ?? [];
  delete node.properties.style;
  const name = namesOfColors.get(color?.toLowerCase());
  if (name !== undefined) node.properties.class = `code-${name}`;
}
