// The search of the built documentation site: finds what readers of other products look for, best section first.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './read-pages.ts';

const SITE = new URL('../../scripts/docs/site/.vitepress/search.js', import.meta.url);
const { KEYWORDS, SEARCH_OPTIONS } = (await import(SITE.href)) as {
  readonly KEYWORDS: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly SEARCH_OPTIONS: object;
};

/** What to enter, and the section that is found first. */
const SEARCHES: readonly (readonly [words: string, section: string])[] = [
  ['realtime', 'live#live-rows'],
  ['websocket', 'live#live-rows'],
  ['subscribe', 'live#live-rows'],
  ['subscriptions', 'live#live-rows'],
  ['broadcast', 'live#channels'],
  ['webhook', 'live#channels'],
  ['pagination', 'query-language#pages-and-counts'],
  ['offset', 'query-language#pages-and-counts'],
  ['count', 'query-language#pages-and-counts'],
  ['infinite scroll', 'query-language#keyset-pages'],
  ['cursor', 'query-language#keyset-pages'],
  ['join', 'query-language#embedding'],
  ['populate', 'query-language#embedding'],
  ['graphql', 'query-language#embedding'],
  ['sort', 'query-language#order'],
  ['group by', 'query-language#aggregates'],
  ['distinct', 'query-language#different-rows'],
  ['vector', 'query-language#scores'],
  ['jsonb', 'query-language#json-and-arrays'],
  ['versioning', 'schemas#versions'],
  ['hosting', 'deployment#deployment'],
  ['docker', 'operations#containers'],
  ['kubernetes', 'operations#containers'],
  ['https', 'operations#behind-nginx'],
  ['monitoring', 'deployment#_5-set-up-monitoring'],
  ['opentelemetry', 'operations#traces'],
  ['throttling', 'operations#rate-limits'],
  ['migrations', 'projects#migrations'],
  ['psql', 'projects#psql-sql-files-and-tokens'],
  ['connection pooling', 'operations#pgbouncer'],
  ['timeout', 'operations#limits'],
  ['sign up', 'login#login'],
  ['signup', 'login#login'],
  ['login', 'login#login'],
  ['password', 'login#login'],
  ['logout', 'login#login'],
  ['oauth', 'tokens#tokens-from-an-identity-provider'],
  ['sso', 'tokens#tokens-from-an-identity-provider'],
  ['authentication', 'tokens#tokens-roles-and-row-level-security'],
  ['rls', 'tokens#which-rows-a-role-can-access'],
  ['row level security', 'tokens#tokens-roles-and-row-level-security'],
  ['edge function', 'functions#functions'],
  ['pricing', 'index#rowhouse'],
  ['seed', 'projects#the-folder'],
  ['map', 'explorer#the-explorer'],
  ['not null', 'query-language#null-and-booleans'],
  ['CORS', 'security#network'],
  ['transaction', 'batches#batches'],
  ['rollback', 'batches#batches'],
  ['upload', 'recipes#files'],
  ['storage', 'recipes#files'],
  ['cron', 'recipes#scheduled-jobs'],
  ['tenant', 'recipes#multi-tenancy'],
  ['saas', 'recipes#multi-tenancy'],
  ['audit', 'recipes#audit-log'],
  ['fulltext', 'recipes#full-text-search'],
  ['trash', 'recipes#soft-delete'],
  ['stored procedure', 'functions#functions'],
  ['rpc', 'functions#functions'],
  ['import csv', 'writes#streaming-inserts'],
  ['increment', 'writes#changing-values-in-place'],
  ['optimistic locking', 'writes#conditional-writes'],
  ['validation', 'writes#errors-from-the-database'],
  ['idempotency', 'writes#safe-retries'],
  ['cache', 'formats#conditional-reads'],
  ['export', 'formats#response-formats'],
  ['sdk', 'clients#clients-and-types'],
  ['swagger', 'clients#generated-clients'],
  ['dashboard', 'explorer#the-explorer'],
  ['chatbot', 'agents#agents'],
  ['middleware', 'library#the-library'],
  ['sharding', 'scale#sharding'],
  ['standby', 'replicas#replicas-and-failover'],
  ['environment variables', 'configuration#configuration'],
  ['quickstart', 'start#getting-started'],
  ['benchmark', 'performance#benchmark-method'],
];

interface Found {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  /** By the words of the section that were found. */
  readonly match: Readonly<Record<string, readonly string[]>>;
}

interface Index {
  search(words: string): readonly Found[];
}

interface MiniSearch {
  loadJSON(json: string, options: object): Index;
}

/** As in the component of the site. */
const OPTIONS = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, ...SEARCH_OPTIONS },
};

/** The index is a script that exports one string. */
async function loadIndex(): Promise<Index> {
  const chunks = path.join(ROOT, 'dist/docs/assets/chunks');
  const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndex'));
  if (name === undefined) throw new Error('no search index in dist/docs');
  const script = brotliDecompressSync(readFileSync(path.join(chunks, name))).toString();
  const [, literal = ''] = /=('\{"documentCount"(?:[^'\\]|\\.)*')/u.exec(script) ?? [];
  const { default: json } = (await import(`data:text/javascript,export default ${encodeURIComponent(literal)}`)) as {
    readonly default: string;
  };
  // Only VitePress depends on it.
  const requireOfSite = createRequire(createRequire(import.meta.url).resolve('vitepress'));
  return (requireOfSite('minisearch') as MiniSearch).loadJSON(json, OPTIONS);
}

describe('the search of the documentation', () => {
  let index: Index;

  beforeAll(async () => {
    index = await loadIndex();
  });

  /** The first page has the address of the folder. */
  const nameOf = ({ id }: Found): string =>
    id.replace(/^.*\/(?:([\w-]+)\.html)?/u, (_, page = 'index') => String(page));
  const find = (words: string): string => index.search(words).map(nameOf)[0] ?? 'nothing';

  test('words of other products find the section that describes the same', () => {
    expect(SEARCHES.map(([words]) => `${words}: ${find(words)}`)).toStrictEqual(
      SEARCHES.map(([words, section]) => `${words}: ${section}`),
    );
  });

  test('a section that contains a word comes before one with a similar word', () => {
    for (const word of ['seed', 'map', 'cors', 'psql', 'curl']) {
      const found = index.search(word);
      const exact = found.map(({ match }) => word in match);
      expect([word, exact.lastIndexOf(true) < (exact.includes(false) ? exact.indexOf(false) : Infinity)]).toEqual([
        word,
        true,
      ]);
    }
  });

  test('every section with keywords exists and is found by each of them', () => {
    const missing = Object.entries(KEYWORDS).flatMap(([page, sections]) =>
      Object.entries(sections).flatMap(([anchor, words]) =>
        words
          .split(' ')
          .filter((word) => !index.search(word).some((found) => nameOf(found) === `${page}#${anchor}`))
          .map((word) => `${page}#${anchor}: ${word}`),
      ),
    );
    expect(missing).toStrictEqual([]);
  });

  test('pages for contributors are not found', () => {
    const found = ['architecture', 'rooms', 'trunk', 'newcomer'].flatMap((word) => index.search(word));
    expect(found.filter(({ id }) => id.includes('/architecture.html'))).toStrictEqual([]);
  });

  test('the results show no keywords', () => {
    const shown = ['websocket', 'login', 'cron'].map((word) => index.search(word)[0]?.title.trim());
    expect(shown).toStrictEqual(['Live rows', 'Login', 'Scheduled jobs']);
    const titles = index.search('websocket login cron').map((found) => [found.title, found.titles].join(' '));
    expect(titles.filter((title) => /[⟨⟩]/u.test(title))).toStrictEqual([]);
  });
});
