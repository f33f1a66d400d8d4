// The time for parsing, planning and rendering grows linearly with the length of URL and headers, not quadratically.
// `npm run test:fuzz -- --suite linear` prints the ratios for doubled lengths.
import { expect, test } from 'vitest';
import { resolved } from '../support/resolve-text.ts';
import { renderRequest } from '../support/request-stages.ts';
import { loadReadingCache } from '../support/reading-server.ts';

const isMeasuring = process.env['ROWHOUSE_FUZZ_LINEAR'] !== undefined;
const NO_LIMITS = {
  SVC_URL_MAX_BRACKETS: '1000000',
  SVC_URL_MAX_PATH_STEPS: '1000000',
  SVC_URL_MAX_LENGTH: '100000000',
  SVC_URL_MAX_EMBEDS: '1000000',
  SVC_URL_MAX_SELECT_ITEMS: '1000000',
};
const config = resolved({ environment: { SVC_DB_SCHEMAS: 'api', ...NO_LIMITS } });

const cache = await loadReadingCache();

function repeat(times: number, separator: string, make: (index: number) => string): string {
  return Array.from({ length: times }, (_, index) => make(index)).join(separator);
}

function nest(times: number, start: string, end: string): string {
  return start.repeat(times) + end + ')'.repeat(times);
}

interface Shape {
  readonly name: string;
  /** Smallest size; the largest is 16 times this. */
  readonly size: number;
  readonly url: (size: number) => string;
  readonly headers?: (size: number) => Readonly<Record<string, string>>;
}

const SHAPES: readonly Shape[] = [
  { name: 'columns', size: 500, url: (n) => `/boats?select=${repeat(n, ',', () => 'id')}` },
  {
    name: 'aliases, casts and paths',
    size: 300,
    url: (n) => `/boats?select=${repeat(n, ',', (i) => `a${i}:meta->>k${i}::text`)}`,
  },
  { name: 'one long path', size: 1000, url: (n) => `/boats?select=meta${'->n'.repeat(n)}` },
  { name: 'one long quoted name', size: 10_000, url: (n) => `/boats?select="${'a\\"'.repeat(n)}"` },
  { name: 'filters', size: 500, url: (n) => `/boats?${repeat(n, '&', (i) => `id=eq.${i}`)}` },
  { name: 'a wide tree', size: 500, url: (n) => `/boats?or=(${repeat(n, ',', (i) => `id.eq.${i}`)})` },
  {
    name: 'a deep tree, to the limit',
    size: 4,
    url: (n) => `/boats?or=(${nest(n - 1, 'id.eq.1,not.and(', 'id.eq.1')})`,
  },
  { name: 'a list', size: 2000, url: (n) => `/boats?id=in.(${repeat(n, ',', String)})` },
  {
    name: 'a list of quoted elements',
    size: 2000,
    url: (n) => `/boats?label=in.(${repeat(n, ',', () => '"a,\\"b"')})`,
  },
  { name: 'an unclosed list', size: 2000, url: (n) => `/boats?id=in.(${repeat(n, ',', String)}` },
  { name: 'unclosed quotes', size: 2000, url: (n) => `/boats?label=in.(${repeat(n, ',', () => '"a')})` },
  { name: 'order terms', size: 500, url: (n) => `/boats?order=${repeat(n, ',', (i) => `meta->k${i}.desc.nullslast`)}` },
  {
    name: 'embeds side by side',
    size: 100,
    url: (n) => `/boats?select=${repeat(n, ',', (i) => `a${i}:harbours(id)`)}`,
  },
  {
    name: 'hidden inner embeds',
    size: 100,
    url: (n) => `/harbours?select=${repeat(n, ',', (i) => `a${i}:boats!inner()`)}`,
  },
  { name: 'deep embeds, to the limit', size: 2, url: (n) => `/crates?select=${nest(n, 'parent_id(id,', 'id')}` },
  { name: 'deep to-many embeds, to the limit', size: 2, url: (n) => `/crates?select=${nest(n, 'crates(id,', 'id')}` },
  {
    name: 'deep to-one spreads, to the limit',
    size: 2,
    url: (n) => `/crates?select=${nest(n, '...parent_id(', 'id')}`,
  },
  { name: 'deep to-many spreads, to the limit', size: 2, url: (n) => `/crates?select=${nest(n, '...crates(', 'id')}` },
  { name: 'filters on many embeds', size: 60, url: (n) => filteredEmbeds(n) },
  {
    name: 'orders by many embeds',
    size: 60,
    url: (n) => `/boats?select=${embeds(n)}&order=${repeat(n, ',', (i) => `a${i}(id)`)}`,
  },
  {
    name: 'null filters on many embeds',
    size: 60,
    url: (n) => `/boats?select=${embeds(n)}&or=(${repeat(n, ',', (i) => `a${i}.is.null`)})`,
  },
  {
    name: 'null filters on one embed',
    size: 100,
    url: (n) =>
      `/boats?select=x:harbours()&${repeat(n, '&', () => 'x.id=gt.1')}&or=(${repeat(n, ',', () => 'x.is.null')})`,
  },
  { name: 'filters by paths', size: 300, url: (n) => `/boats?${repeat(n, '&', (i) => `meta->k${i}=eq.1`)}` },
  { name: 'groups with one condition', size: 300, url: (n) => `/boats?${repeat(n, '&', () => 'or=(id.eq.1)')}` },
  { name: 'empty elements', size: 3000, url: (n) => `/boats?id=in.(${','.repeat(n)})` },
  { name: 'one long value', size: 5000, url: (n) => `/boats?label=eq."${'\\"'.repeat(n)}"` },
  { name: 'one name of many parts', size: 3000, url: (n) => `/boats?select=${'a-'.repeat(n)}b` },
  { name: 'a name with many dots', size: 3000, url: (n) => `/boats?${'a.'.repeat(n)}id=eq.1` },
  { name: 'orders', size: 300, url: (n) => `/boats?${repeat(n, '&', (i) => `a${i}.order=id`)}` },
  { name: 'limits', size: 300, url: (n) => `/boats?${repeat(n, '&', (i) => `a${i}.limit=1`)}` },
  { name: 'arguments', size: 500, url: (n) => `/rpc/nothing?${repeat(n, '&', (i) => `a${i}=1`)}` },
  { name: 'opening brackets', size: 3000, url: (n) => `/boats?select=${'('.repeat(n)}` },
  { name: 'a search text', size: 1000, url: (n) => `/boats?label=fts.${'a%26'.repeat(n)}a` },
  { name: 'preferences', size: 3000, url: () => '/boats', headers: (n) => ({ Prefer: 'a=b,'.repeat(n) }) },
  { name: 'accepted types', size: 1000, url: () => '/boats', headers: (n) => ({ Accept: `${'a/b,'.repeat(n)}*/*` }) },
  { name: 'cookies', size: 1000, url: () => '/boats', headers: (n) => ({ Cookie: repeat(n, '; ', (i) => `a${i}=b`) }) },
  { name: 'bytes that are not UTF-8', size: 2000, url: (n) => `/boats?label=eq.${'%ffa'.repeat(n)}` },
  { name: 'escapes', size: 5000, url: (n) => `/boats?label=eq.${'%C3%A9%FF'.repeat(n)}` },
  { name: 'meaningless parameters', size: 2000, url: (n) => `/boats?${'&;&a&'.repeat(n)}` },
  { name: 'columns of an unknown relation', size: 500, url: (n) => `/${'boats'.repeat(n)}` },
];

function embeds(count: number): string {
  return repeat(count, ',', (i) => `a${i}:harbours()`);
}

function filteredEmbeds(count: number): string {
  return `/boats?select=${embeds(count)}&${repeat(count, '&', (i) => `a${i}.id=eq.1`)}`;
}

/** Returns the CPU milliseconds of the fastest of several rounds, so the load of other processes does not count. */
function measure(url: string, headers: Readonly<Record<string, string>> = { Prefer: 'count=exact' }): number {
  const run = (): unknown => renderRequest(`GET ${url}`, headers, { cache, config });
  const start = performance.now();
  run();
  // Enough runs that a round is long compared with the resolution of the clock.
  const times = Math.ceil(4 / Math.max(performance.now() - start, 0.01));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (isMeasuring ? 25 : 3); round += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000 / times);
  }
  return best;
}

// Quadratic growth would make 16 times the length take 256 times as long: noise does not look like that.
const SQUARE_LAW = 100;

test.each(SHAPES)('$name', { timeout: 120_000 }, ({ name, size, url, headers }) => {
  const steps = isMeasuring ? [1, 2, 4, 8, 16] : [1, 16];
  const sizes = steps.map((step) => size * step);
  const run = (each: number): number => measure(url(each), headers?.(each));
  if (isMeasuring) for (const each of sizes) run(each);
  const times = sizes.map(run);
  if (isMeasuring) console.log(describeTimes(name, sizes, times));
  expect((times.at(-1) ?? 0) / (times[0] ?? 1)).toBeLessThan(SQUARE_LAW);
});

// Malformed input must not cost a multiple of well-formed input of the same length.
const EXPENSIVE = 8;

test.each<[string, string, string]>([
  ['escapes that are not UTF-8', `/boats?label=eq.${'%ffa'.repeat(8000)}`, `/boats?label=eq.${'%41a'.repeat(8000)}`],
  ['values that are not UTF-8', `/boats?${'&a%ff'.repeat(6000)}`, `/boats?${'&a%41'.repeat(6000)}`],
])('%s cost about as much as well-formed ones', { timeout: 120_000 }, (_name, hostile, usual) => {
  expect(measure(hostile) / measure(usual)).toBeLessThan(EXPENSIVE);
});

function describeTimes(name: string, sizes: readonly number[], times: readonly number[]): string {
  const ratios = times.slice(1).map((time, index) => {
    const growth = (sizes[index + 1] ?? 0) / (sizes[index] ?? 1);
    return ((time / (times[index] ?? 1)) * (2 / growth)).toFixed(2);
  });
  const last = `size ${sizes.at(-1) ?? 0} in ${(times.at(-1) ?? 0).toFixed(2)} ms`;
  return `${name.padEnd(34)} ${ratios.map((ratio) => ratio.padStart(5)).join(' ')}   ${last}`;
}
