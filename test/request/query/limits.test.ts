// Limits of one query: exceeding them is an error, and no text exhausts the stack.
import { enableExtensions } from '../../../src/contract/extensions.ts';
import { describe, expect, test } from 'vitest';
import { parseQueryParams } from '../../../src/request/query/parse-query-params.ts';
import type { QueryLimits } from '../../../src/request/query/query-limits.ts';
import { LIMITS } from './support.ts';

function parseWithin(rawQuery: string, limits: Partial<QueryLimits>): unknown {
  const result = parseQueryParams(rawQuery, {
    arguments: 'none',
    isTrailingTextIgnored: false,
    areBoundsLenient: false,
    limits: {
      brackets: 6,
      embedDepth: 3,
      embeds: 4,
      logicDepth: 3,
      pathSteps: 3,
      selectItems: 5,
      terms: 1e9,
      ...limits,
    },
  });
  return result.ok ? 'ok' : result.error;
}

function exceeded(limit: string, option: string): object {
  return { kind: 'limitExceeded', limit, option, status: 400 };
}

const DEPTH = 'url-max-embed-depth';
const LOGIC = 'url-max-logic-depth';
const ITEMS = 'url-max-select-items';

function nest(open: string, inner: string, depth: number): string {
  return `${open.repeat(depth)}${inner}${')'.repeat(depth)}`;
}

describe('embeds', () => {
  test('may nest up to the limit', () => {
    expect(parseWithin(`select=${nest('a(', '', 3)}`, {})).toBe('ok');
    expect(parseWithin(`select=${nest('a(', '', 4)}`, {})).toEqual(
      exceeded('embedded resources nest up to 3 levels deep', DEPTH),
    );
    expect(parseWithin(`select=${nest('...a(', 'b', 4)}`, {})).toEqual(
      exceeded('embedded resources nest up to 3 levels deep', DEPTH),
    );
    expect(parseWithin('select=a(b),c(d(e)),f()', { embedDepth: 2, selectItems: 10 })).toBe('ok');
  });

  test('are counted across all levels', () => {
    expect(parseWithin('select=a(b(),...c()),d()', {})).toBe('ok');
    expect(parseWithin('select=a(b(),...c()),d(),e()', {})).toEqual(
      exceeded('select has up to 4 embedded resources', 'url-max-embeds'),
    );
  });

  test('count all of their items', () => {
    expect(parseWithin('select=a,b(c,d),e', {})).toBe('ok');
    expect(parseWithin('select=a,b(c,d),e,*', {})).toEqual(exceeded('select has up to 5 items', ITEMS));
    expect(parseWithin('select=a', { selectItems: 0 })).toEqual(exceeded('select has up to 0 items', ITEMS));
  });
});

test('orders may have as many terms as select may have items', () => {
  expect(parseWithin('order=a,b,c,d,e&x.order=a,b,c,d,e', {})).toBe('ok');
  expect(parseWithin('order=a,b,c,d,e,f', {})).toEqual(exceeded('order has up to 5 terms', ITEMS));
});

describe('logic trees', () => {
  test('may nest up to the limit', () => {
    expect(parseWithin(`or=${nest('(and', '(a.eq.1)', 2)}`, {})).toBe('ok');
    expect(parseWithin(`or=${nest('(and', '(a.eq.1)', 3)}`, {})).toEqual(
      exceeded('and/or groups nest up to 3 levels deep', LOGIC),
    );
    expect(parseWithin('or=(and(a.eq.1),and(b.eq.1))&and=(or(c.eq.1))', { logicDepth: 2 })).toBe('ok');
    expect(parseWithin('or=(a.eq.1)', { logicDepth: 0 })).toEqual(
      exceeded('and/or groups nest up to 0 levels deep', LOGIC),
    );
  });
});

test.each(['select=%', 'order=%', '%=eq.1', 'or=(%.eq.1)', 'select=a(%)', 'select=%::text', 'order=a(%)'])(
  'a path into a JSON value may have steps up to the limit: %s',
  (query) => {
    const at = (steps: number): string => query.replace('%', `j${'->a'.repeat(steps - 1)}->>b`);
    expect(parseWithin(at(3), {})).toBe('ok');
    expect(parseWithin(at(4), {})).toEqual(
      exceeded('a path into a JSON value has up to 3 steps', 'url-max-path-steps'),
    );
  },
);

test.each(['a=cs.%', 'a=not.eq(any).%', 'a=fts.%', 'or=(a.eq."%")', 'a=in.(1,"%")', 'a=isdistinct.%'])(
  'a value may have opening brackets of any kind up to the limit: %s',
  (query) => {
    expect(parseWithin(query.replace('%', '[{([{(x'), {})).toBe('ok');
    expect(parseWithin(query.replace('%', '[{)]([{(x)('), {})).toEqual(
      exceeded('a value has up to 6 opening brackets', 'url-max-brackets'),
    );
  },
);

test('an argument may have opening brackets up to the limit', () => {
  const parse = (rawQuery: string): unknown =>
    parseQueryParams(rawQuery, {
      arguments: 'whereNotOperator',
      isTrailingTextIgnored: false,
      areBoundsLenient: false,
      limits: { ...LIMITS, brackets: 3 },
    });
  expect(parse('a=[[[')).toMatchObject({ ok: true, value: { args: [['a', '[[[']] } });
  expect(parse('a=[[[[')).toEqual({
    ok: false,
    error: exceeded('a value has up to 3 opening brackets', 'url-max-brackets'),
  });
});

test.each([
  ['select=', 'a(', exceeded('embedded resources nest up to 500 levels deep', DEPTH)],
  ['select=', '...a(', exceeded('embedded resources nest up to 500 levels deep', DEPTH)],
  ['or=(', 'and(', exceeded('and/or groups nest up to 500 levels deep', LOGIC)],
  ['or=(', 'not.or(', exceeded('and/or groups nest up to 500 levels deep', LOGIC)],
])('%s%s… fails even without a sensible limit', (start, open, error) => {
  const huge = {
    brackets: 1e9,
    embedDepth: 1e9,
    embeds: 1e9,
    logicDepth: 1e9,
    pathSteps: 1e9,
    selectItems: 1e9,
    terms: 1e9,
  };
  expect(parseWithin(`${start}${open.repeat(100_000)}`, huge)).toEqual(error);
});

function parseLimited(rawQuery: string, limits: Partial<QueryLimits>): ReturnType<typeof parseQueryParams> {
  return parseQueryParams(rawQuery, {
    arguments: 'none',
    isTrailingTextIgnored: false,
    areBoundsLenient: false,
    limits: { ...LIMITS, extensions: enableExtensions(['trees']), ...limits },
  });
}

describe('limits of the whole query string', () => {
  const beyond = { limit: 'a query has up to 4 parameters, conditions and other terms', option: 'url-max-terms' };

  test.each([
    ['parameters', 'a=eq.1&a=eq.1&a=eq.1&a=eq.1', '&a=eq.1'],
    ['empty parameters', 'a=eq.1&&&', '&'],
    ['members of trees', 'or=(a.eq.1,b.eq.1)&c=eq.1', '&or=(a.eq.1)'],
    ['members of groups', 'or=(a.eq.1,or(b.eq.1))', '&c=eq.1'],
    ['terms of orders', 'order=a,b,c', ',d'],
    ['names in lists', 'columns=a,b,c', ',d'],
    ['words of searches', 'a=fts.x%26y&a=wfts.x', '&b=plfts.x y'],
    ['negations of searches', 'a=fts.!!!x', '!'],
    ['words of searches in trees', 'or=(a.fts.x|y)', '&or=(a.wfts.x-y)'],
    ['names of a path', 'a.b.order=c', '&e=eq.1'],
  ])('B22q %s are terms', (_, within, further) => {
    const limitsOf = { terms: 4, embedDepth: 9 };
    expect(parseLimited(within, limitsOf)).not.toMatchObject({ error: { kind: 'limitExceeded' } });
    expect(parseLimited(within + further, limitsOf)).toEqual({
      ok: false,
      error: { kind: 'limitExceeded', ...beyond, status: 400 },
    });
  });

  test('B22r related rows nest no deeper than embeds, whatever the length of the text', () => {
    for (const text of ['a.'.repeat(500_000), 'not.'.repeat(250_000)])
      expect(parseLimited(`or=(${text}eq.1)`, { terms: 1e9 })).toMatchObject({
        error: { kind: 'limitExceeded', option: 'url-max-embed-depth' },
      });
  });

  test('B22s subscripts may be as many as fit', () => {
    const text = '[]'.repeat(4_000_000);
    expect(parseLimited(`a${text}=eq.1`, {})).toMatchObject({ ok: true });
    expect(parseLimited(`a${text}x=eq.1`, {})).toMatchObject({ ok: false, error: { kind: 'queryParse' } });
  });

  test('B22t lists have up to 250,000 elements together, and names 1,048,576 characters', () => {
    const list = (count: number): string => `in.(${'1,'.repeat(count - 1)}1)`;
    expect(parseLimited(`a=${list(125_000)}&b=${list(125_000)}`, {})).toMatchObject({ ok: true });
    expect(parseLimited(`a=${list(125_000)}&b=${list(125_001)}`, {})).toEqual({
      ok: false,
      error: { kind: 'limitExceeded', limit: 'lists have up to 250000 elements together', status: 400 },
    });
    const array = (count: number): string => `like(any).{${'1,'.repeat(count - 1)}1}`;
    expect(parseLimited(`a=${array(125_000)}&b=${list(125_000)}`, {})).toMatchObject({ ok: true });
    for (const parameters of [`a=${array(125_000)}&b=${list(125_001)}`, `or=(a.not.${array(250_001)},b.eq.1)`])
      expect(parseLimited(parameters, {})).toEqual({
        ok: false,
        error: { kind: 'limitExceeded', limit: 'lists have up to 250000 elements together', status: 400 },
      });
    const name = 'a'.repeat(524_288);
    expect(parseLimited(`${name}=eq.1&order=${'b'.repeat(524_283)}`, {})).toMatchObject({ ok: true });
    for (const long of [
      `${name}=eq.1&${name}b=eq.1`,
      `select=${'a-'.repeat(4_000_000)}a`,
      `order=a->${'k'.repeat(2_000_000)}`,
    ])
      expect(parseLimited(long, {})).toEqual({
        ok: false,
        error: {
          kind: 'limitExceeded',
          limit: 'the names in a query have up to 1048576 characters together',
          status: 400,
        },
      });
  });

  const LISTS = 'lists have up to 250000 elements together';
  const PATTERNS = 'a query has up to 32 regular expressions; combine alternatives in one, as in a|b';
  const SEARCHES = 'a query has up to 100 full-text filters and uses of a score';
  const WORDS = 'the search of a score has up to 32 words and punctuation marks';
  const USED = 'uses of scores times the words of their longest search are up to 256';
  const FAR = 'uses of scores times the characters of the longest text of a trgm score are up to 40000';
  const ranked = 'x '.repeat(32);
  const trigrams = `score=a.trgm.${'x'.repeat(10_000)}`;

  test.each([
    ['regular expressions', 'a=match.x&'.repeat(31) + 'or=(b.imatch.y)', '&b=not.match.z', PATTERNS],
    ['patterns in lists', `a=match(any).{${'x,'.repeat(29)}"y{1,2}","\\\\",z\\,}`, '&a=imatch.x', PATTERNS],
    ['patterns of one list', `a=match(all).{${'x,'.repeat(31)}y`, ',z}', PATTERNS],
    ['full-text filters', 'a=fts.x&'.repeat(98) + 'or=(b.wfts.y,c.phfts.z)', '&d=plfts.x', SEARCHES],
    ['selected scores', `score=a.wfts.x&select=${'score,'.repeat(99)}b(score)`, '&score=gt.1', SEARCHES],
    ['filters by a score', `score=a.l2.x&score=gt.1&or=(${'score.lt.1,'.repeat(99)}id.eq.1)`, '&a=fts.x', SEARCHES],
    [
      'related scores',
      `score=a.l2.x&or=(${'b.score.lt.1,'.repeat(4)}id.eq.1)${'&a=fts.x'.repeat(96)}`,
      '&a=fts.x',
      SEARCHES,
    ],
    ['ranked words', `score=a.wfts.${'x '.repeat(31)}x`, ' x', WORDS],
    ['ranked words between operators', `score=a.fts.${'x | '.repeat(15)}y:`, 'A', WORDS],
    ['ranked words of an embed', `b.score=a.fts(english).${'!'.repeat(31)}x`, '!', WORDS],
    ['texts compared by trigrams', trigrams, 'x', 'the text of a trgm score has up to 10000 characters'],
    ['selected ranks of 32 words', `score=a.wfts.${ranked}&select=${'score,'.repeat(7)}score`, ',b(score)', USED],
    ['filters by ranks', `score=a.fts.x&b.score=a.wfts.${ranked}${'&score=gt.1'.repeat(8)}`, '&b.score=lt.1', USED],
    ['selected distances of long texts', `${trigrams}&select=score,score,b(score)&score=gt.1`, '&score=lt.1', FAR],
    ['contained elements', `a=cs.{${'1,'.repeat(249_998)}1}`, '&or=(b.ov.{1,2})', LISTS],
    ['containing elements', `a=cd.[${'1,'.repeat(249_999)}1`, ',1]', LISTS],
  ])('B22 B56 %s are bounded, because each row is compared with them', (_, within, further, limit) => {
    const limits = { extensions: enableExtensions(['trees', 'score']), terms: 10_000, selectItems: 1000 } as const;
    const query = (text: string) =>
      parseQueryParams(text, {
        arguments: 'none',
        isTrailingTextIgnored: false,
        areBoundsLenient: false,
        hasScores: true,
        limits: { ...LIMITS, ...limits },
      });
    expect(query(within)).not.toMatchObject({ error: { kind: 'limitExceeded' } });
    expect(query(within + further)).toEqual({ ok: false, error: { kind: 'limitExceeded', limit, status: 400 } });
  });

  test('B54 a column called score may be compared often where no score is computed', () => {
    expect(parseLimited(`or=(${'score.lt.1,'.repeat(200)}id.eq.1)&select=score`, {})).toMatchObject({ ok: true });
  });

  test('B22u an error quotes at most 100,000 characters', () => {
    const parsed = parseLimited(`a=in.("${'😀'.repeat(60_000)}`, {});
    expect(parsed).toMatchObject({ error: { kind: 'queryParse', column: 60_006 } });
    expect(parsed.ok || !('text' in parsed.error) ? '' : parsed.error.text).toHaveLength(100_001);
  });
});
