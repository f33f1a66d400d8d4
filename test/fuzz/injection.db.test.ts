// SQL injection: values become parameters, names are quoted, and all other text of a statement is fixed.
import { findForeignWords, stripQuoted } from '../hostile/statement-words.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { resolved } from '../support/resolve-text.ts';
import { renderRequest } from '../support/request-stages.ts';
import { Random } from '../support/generate/random.ts';
import { randomRequest } from '../support/generate/random-request.ts';
import { quote } from '../support/generate/random-values.ts';
import { loadReadingCache } from '../support/reading-server.ts';
import { modelSchema } from '../support/generate/schema-model.ts';

const config = resolved({ environment: { SVC_DB_SCHEMAS: 'api', SVC_DB_AGGREGATES_ENABLED: 'true' } });
const cache = await loadReadingCache();

function render(line: string, headers: Readonly<Record<string, string>> = {}): TransactionScript | undefined {
  const script = renderRequest(line, headers, { cache, config });
  return script.ok ? script.value : undefined;
}

const encode = encodeURIComponent;
const inList = (value: string): string => encode(`(${quote(value)})`);

/** Every place of the grammar that takes a value. The value must become a parameter, unchanged or in the given form. */
const PLACES: readonly (readonly [
  place: string,
  url: (value: string) => string,
  parameter: (value: string) => string,
])[] = [
  ['a filter', (v) => `/boats?label=eq.${encode(v)}`, (v) => v],
  ['a negated filter', (v) => `/boats?label=not.neq.${encode(v)}`, (v) => v],
  ['a pattern', (v) => `/boats?label=like.${encode(v)}`, (v) => v.replaceAll('*', '%')],
  ['a quantified filter', (v) => `/boats?label=eq(any).${encode(v)}`, (v) => v],
  ['isdistinct', (v) => `/boats?label=isdistinct.${encode(v)}`, (v) => v],
  ['a list', (v) => `/boats?label=in.${inList(v)}`, (v) => (v === '' ? '{}' : `{${quote(v)}}`)],
  ['a search', (v) => `/notes?body=fts.${encode(v)}`, (v) => v],
  ['a tree', (v) => `/boats?or=${encode(`(label.eq.${quote(v)})`)}`, (v) => v],
  [
    'a list in a tree',
    (v) => `/boats?or=${encode(`(id.eq.1,label.in.(${quote(v)}))`)}`,
    (v) => (v === '' ? '{}' : `{${quote(v)}}`),
  ],
  ['a key of a filter', (v) => `/boats?${encode(`meta->>${quote(v)}`)}=eq.x`, (v) => v],
  ['a key of a column', (v) => `/boats?select=${encode(`x:meta->>${quote(v)}`)}`, (v) => v],
  ['a key of an order', (v) => `/boats?order=${encode(`meta->${quote(v)}`)}`, (v) => v],
  ['an embed', (v) => `/harbours?select=boats(id)&boats.label=eq.${encode(v)}`, (v) => v],
  ['a converted domain', (v) => `/paints?hue=eq.${encode(v)}`, (v) => v],
  ['an argument', (v) => `/rpc/boats_since?y=${encode(v)}`, (v) => v],
];

/**
 * Excludes NUL, which PostgreSQL rejects in names, and in logic trees blanks and `not`, which would be parsed
 * differently.
 */
const value = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom("'; drop table x --", '$1', '$$', "\\'", '")', '/*', '__proto__'),
  )
  .map((text) => text.replaceAll(/[\0\p{Surrogate}]/gu, ''));

describe('values', () => {
  test.each(PLACES)(
    'R235 a value in %s is a parameter, and the statement text does not depend on it',
    (_, url, parameter) => {
      const usual = render(`GET ${url('1')}`);
      expect(usual).toBeDefined();
      fc.assert(
        fc.property(value, (text) => {
          const script = render(`GET ${url(text)}`);
          expect(script?.segments[0].main.text).toBe(usual?.segments[0].main.text);
          expect(script?.segments[0].main.parameters).toContain(parameter(text));
          expect(script?.segments[0].main.parameters.length).toBe(usual?.segments[0].main.parameters.length);
        }),
        { numRuns: 100 },
      );
    },
  );

  test('R235 limits and offsets are parameters', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1 }), (limit, offset) => {
        const script = render(`GET /harbours?select=boats(id)&limit=${limit}&offset=${offset}&boats.limit=${limit}`);
        expect(script?.segments[0].main.text).toMatch(/LIMIT \$1\) .* LIMIT \$2 OFFSET \$3\)/u);
        expect(script?.segments[0].main.parameters).toEqual([String(limit), String(limit), String(offset)]);
      }),
    );
  });
});

test('R235 outside quotes, a statement contains only known words and signs', () => {
  const schema = modelSchema(cache, 'api');
  let rendered = 0;
  for (let seed = 1; seed <= 2000; seed += 1) {
    const { method, url, headers } = randomRequest(new Random(seed), schema);
    const script = render(`${method} ${url}`, headers);
    if (script === undefined) continue;
    rendered += 1;
    const bare = stripQuoted(script.segments[0].main.text);
    expect(findForeignWords(bare), url).toEqual([]);
    expect(bare.replaceAll(/[\w\s$(),.*'=<>~@&|:[\]-]/gu, ''), url).toBe('');
  }
  expect(rendered).toBeGreaterThan(1000);
});
