// Properties of the parser on random queries and random text.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseWhole, type Parser } from '../../../src/request/query/combinators.ts';
import { parseGroupMembers } from '../../../src/request/query/logic.ts';
import { parseOrderList } from '../../../src/request/query/order.ts';
import { parseQueryParams } from '../../../src/request/query/parse-query-params.ts';
import { parseFilterPath, parseTreePath } from '../../../src/request/query/paths.ts';
import { Scanner } from '../../../src/request/query/scanner.ts';
import { parseSelectList } from '../../../src/request/query/select.ts';
import { arbitraryExtendedQuery, arbitraryUpsert } from './arbitrary-query.ts';
import { EXTENDED, LIMITS, parse, parseUpsert, printQuery } from './support.ts';

const PIECES = String.raw`
  select= order= or= not.and= columns= a= b.c= limit= & = . , ( ) " \ -> ->> - :: : ! inner ... * count() .sum()
  %20 %09 + % %41 %ff %00 eq. in.( is. not. fts( any null { } (column). starts. (distinct) .and( .or( distinct= and( or( asc nullsfirst 1 -1 é 𝒳 name x`
  .trim()
  .split(/\s+/)
  .concat(' ', '\n', '\uD800', '\uDC00');
const grammarLike = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''));
const limits = fc.constantFrom(LIMITS, EXTENDED);
const anyText = fc.oneof(grammarLike, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

test('printed queries parse back', () => {
  fc.assert(
    fc.property(arbitraryExtendedQuery, (query) => {
      const {
        canonical: _canonical,
        ignoredText: _ignoredText,
        ...parsed
      } = parse(printQuery(query), 'none', EXTENDED);
      expect(parsed).toEqual({ ...query, args: [], pages: [], scores: [] });
    }),
    { numRuns: 500 },
  );
});

const pageToken = fc.record({
  direction: fc.constantFrom('after' as const, 'before' as const),
  text: fc.stringMatching(/^[\w-]*$/u),
});
const pages = fc.array(fc.record({ path: fc.constantFrom([], ['boats'], ['a', 'b']), value: pageToken }));

test('B17 printed page tokens parse back beside filters', () => {
  fc.assert(
    fc.property(arbitraryExtendedQuery, pages, (query, tokens) => {
      const parsed = parse(printQuery({ ...query, pages: tokens }), 'none', EXTENDED, true);
      expect([parsed.filters, parsed.pages]).toEqual([query.filters, tokens]);
    }),
  );
});

test('B40 B41 printed upserts parse back', () => {
  fc.assert(
    fc.property(arbitraryUpsert, (query) => {
      const { canonical: _canonical, ignoredText: _ignoredText, ...parsed } = parseUpsert(printQuery(query));
      expect(parsed).toEqual({ ...query, args: [], pages: [], scores: [] });
    }),
    { numRuns: 300 },
  );
});

test('any text parses or fails with a reason', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom('none' as const, 'whereNotOperator' as const),
      limits,
      (rawQuery, mode, chosen) => {
        const result = parseQueryParams(rawQuery, {
          arguments: mode,
          limits: chosen,
          isTrailingTextIgnored: false,
          areBoundsLenient: false,
        });
        const reason = !result.ok && result.error.kind === 'queryParse' ? result.error.details : 'unexpected';
        expect(reason).toMatch(/^(?:unexpected|expecting a whole number$)/u);
        expect(reason).not.toContain('\n');
      },
    ),
    { numRuns: 2000 },
  );
});

test('the canonical text of distinct names is canonical', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), fc.string(), (names, value) => {
      const rawQuery = names.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
      const first = parseQueryParams(rawQuery, {
        arguments: 'whereNotOperator',
        limits: LIMITS,
        isTrailingTextIgnored: false,
        areBoundsLenient: false,
      });
      const canonical = first.ok ? first.value.canonical : '';
      fc.pre(first.ok);
      expect(parse(canonical, 'whereNotOperator').canonical).toBe(canonical);
    }),
  );
});

describe('records kept from the last consumed text equal those kept from the start', () => {
  const parsers: readonly (readonly [name: string, parser: Parser<unknown>])[] = [
    ['select', parseSelectList],
    ['logic', parseGroupMembers],
    ['order', parseOrderList],
    ['path', parseTreePath],
    ['filter path', parseFilterPath],
  ];
  test.each(parsers)('%s', (_name, parser) => {
    fc.assert(
      fc.property(grammarLike, limits, (text, chosen) => {
        const silent = new Scanner(text, chosen);
        const value = parseWhole(silent, parser);
        const short = new Scanner(text, chosen, silent.at);
        const whole = new Scanner(text, chosen, 0);
        expect(parseWhole(short, parser)).toEqual(value);
        expect(parseWhole(whole, parser)).toEqual(value);
        expect(short.record).toEqual(whole.record);
      }),
      { numRuns: 1000 },
    );
  });
});
