// Rendered URLs are readable and parse back to the same model.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUrl } from '../../../explorer/src/url-state/parse-url.ts';
import type { QueryModel } from '../../../explorer/src/url-state/query-model.ts';
import { renderUrl } from '../../../explorer/src/url-state/render-url.ts';
import { arbitraryQuery } from '../../request/query/arbitrary-query.ts';
import { printQuery } from '../../request/query/support.ts';

function parse(url: string): QueryModel {
  const parsed = parseUrl(url);
  if (!parsed.ok) throw new Error(`${url}: ${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

test('a rendered model parses back to itself, also after escaping by fetch', () => {
  fc.assert(
    fc.property(arbitraryQuery, fc.constantFrom('/t', '/rpc/f', '/a%20b%2Fc%25'), (query, path) => {
      const model = parse(`${path}?${printQuery(query)}`);
      const url = renderUrl(model);
      expect(parse(url)).toEqual(model);
      expect(url).toMatch(/^[^\s#]*$/u);
      const sent = new URL(`http://host${url}`);
      expect(parse(sent.pathname + sent.search)).toEqual(model);
      expect(renderUrl(parse(url))).toBe(url);
    }),
    { numRuns: 500 },
  );
});

test('function arguments keep their text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 8 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 4 }), (args) => {
      const query = args.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&');
      const parsed = parseUrl(`/rpc/f?${query}`);
      fc.pre(parsed.ok);
      expect(parsed.ok && parse(renderUrl(parsed.value))).toEqual(parsed.ok && parsed.value);
    }),
  );
});

test.each([
  ['/houses', '/houses'],
  ['/houses?select=*', '/houses'],
  ['/houses?limit=3&select=*,streets(name)&built=lt.1900', '/houses?select=*,streets(name)&built=lt.1900&limit=3'],
  ['/t?a=eq.Lantern+Row', '/t?a=eq.Lantern%20Row'],
  ['/t?a=in.("x","y z","a,b")', '/t?a=in.(x,y%20z,"a,b")'],
  ['/t?or=(a.eq."1",b.cs.{1,2},c.eq."a)b")', '/t?or=(a.eq.1,b.cs.{1,2},c.eq."a)b")'],
  ['/t?select=%22a.b%22,meta-%3E%3E%22x y%22', '/t?select="a.b",meta->>x%20y'],
  ['/t?select=id::text,n:price.sum()::int,...s!inner(x)', '/t?select=id::text,n:price.sum()::int,...s!inner(x)'],
  ['/t?"order"=eq.1&s.not.or=(a.is.null)', '/t?"order"=eq.1&s.not.or=(a.is.null)'],
  ['/t?a=eq.50%25%26%23%2B', '/t?a=eq.50%25%26%23%2B'],
  ['/stra%C3%9Fen?name=eq.%F0%9F%8F%A0', '/straßen?name=eq.🏠'],
  [
    '/t?order=s(name).desc.nullslast,a&s.order=b.asc&s.limit=2',
    '/t?order=s(name).desc.nullslast,a&s.order=b.asc&s.limit=2',
  ],
  ['/rpc/f?b=2&a=1&a=3&select=x', '/rpc/f?b=2&a=1&a=3&select=x'],
  ['/t?select=s()', '/t?select=s()'],
  ['/t?a=lt(column).b&s.a=eq(parent).c', '/t?a=lt(column).b&s.a=eq(parent).c'],
  ['/t?select=a,count(),b.count(distinct)&count()=gt.3', '/t?select=a,count(),b.count(distinct)&count()=gt.3'],
  ['/t?order=b.sum().desc&b::int.sum()=not.gt.3', '/t?b::int.sum()=not.gt.3&order=b.sum().desc'],
  ['/t?distinct=*&s.distinct=a,b->c', '/t?distinct=*&s.distinct=a,b->c'],
  ['/t?order=score.desc&score=body.wfts(english).a b', '/t?score=body.wfts(english).a%20b&order=score.desc'],
  ['/t?limit=2&after=YzZi', '/t?limit=2&after=YzZi'],
  ['/t?select=children:t!parent{4}(name)', '/t?select=children:t!parent{4}(name)'],
  ['/t?or=(a.eq.1,s.b.eq.2)', '/t?or=(a.eq.1,s.b.eq.2)'],
  ['/rpc/f?distinct=a&select=x', '/rpc/f?distinct=a&select=x'],
])('%s is rendered as %s', (url, expected) => {
  expect(renderUrl(parse(url))).toBe(expected);
});
