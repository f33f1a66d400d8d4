// Keyset pages: a page begins behind the last row of the one before, which a token in its URL names (`beyond.md` §1.6).
import type { Extension } from '../../serve/extension.ts';
import { linkHeader } from './page-links.ts';
import { planPages } from './plan-pages.ts';
import { readPageRequest } from './read-pages.ts';
import { renderPageEnds, renderPageRows } from './render-page.ts';

export const PAGES: Extension = {
  name: 'pages',
  compile: ({ config }) =>
    config.extensions.cursor
      ? {
          readPages: readPageRequest,
          planPages,
          pages: { renderRows: renderPageRows, renderEnds: renderPageEnds },
          linkPages: linkHeader,
        }
      : undefined,
};
