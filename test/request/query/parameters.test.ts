// Parameters as a whole: decoding, classes, repetition, ranges, arguments and the canonical text (`reading.md` §2).
import { describe, expect, test } from 'vitest';
import { parseQueryParams } from '../../../src/request/query/parse-query-params.ts';
import { LIMITS, parse, parseError, parseFilter, parseOperation } from './support.ts';

function valueOf(rawQuery: string): string {
  const { operation } = parseFilter(rawQuery);
  if (operation.kind !== 'compare') throw new Error(rawQuery);
  return operation.value;
}

describe('decoding', () => {
  test.each([
    ['R7 + is a space', 'c=eq.a+b', 'a b'],
    ['R7 %2B is a plus', 'c=eq.a%2Bb', 'a+b'],
    ['R7 %26, %25 and %3D are literal', 'c=eq.%26%25%3d', '&%='],
    ['only the first = separates', 'c=eq.a=b=', 'a=b='],
    ['bytes are UTF-8', 'c=eq.%E2%82%AC%F0%9F%9A%A2', '€🚢'],
    ['a byte order mark is kept', 'c=eq.%EF%BB%BFx%FF', '\uFEFFx\uFFFD'],
    ['invalid UTF-8 becomes U+FFFD', 'c=eq.%C3%28%FF', '\uFFFD(\uFFFD'],
    ['encoded surrogates become U+FFFD', 'c=eq.%ED%A0%80', '\uFFFD\uFFFD\uFFFD'],
    ['lone surrogates become U+FFFD', 'c=eq.\uD800x\uDC00', '\uFFFDx\uFFFD'],
    ['a percent sign without two digits is literal', 'c=eq.%a%zz%', '%a%zz%'],
    ['a percent sign before a valid escape is literal', 'c=eq.%%41', '%A'],
    ['; is an ordinary character', 'c=eq.a;b=c', 'a;b=c'],
  ])('%s', (_name, query, value) => {
    expect(valueOf(query)).toBe(value);
  });

  test('names are decoded before anything else', () => {
    expect(parse('%73elect=id&a%2Eorder=id')).toMatchObject({
      select: [{ field: { column: 'id' } }],
      orders: [{ path: ['a'] }],
    });
  });
});

describe('classes', () => {
  test('R8 a parameter without = is ignored', () => {
    const query = parse('label&select&order&a.limit&or&columns&&');
    expect(query).toMatchObject({ select: [{ kind: 'all' }], filters: [], logic: [], orders: [], ranges: [] });
    expect(query.columns).toBeUndefined();
  });

  test.each(['order', 'limit', 'offset', 'and', 'or', 'select', 'columns', 'on_conflict'])(
    'R9 %s in quotes is a column',
    (name) => {
      expect(parseFilter(`%22${name}%22=eq.3`).field.column).toBe(name);
    },
  );

  test('select, columns and on_conflict below a path are columns', () => {
    expect(parse('a.select=eq.1&a.columns=eq.1&a.on_conflict=eq.1').filters).toMatchObject([
      { path: ['a'], value: { field: { column: 'select' } } },
      { path: ['a'], value: { field: { column: 'columns' } } },
      { path: ['a'], value: { field: { column: 'on_conflict' } } },
    ]);
  });
});

describe('repetition', () => {
  test('R11 the first select wins; the others are not even parsed', () => {
    expect(parse('select=id&select=(').select).toMatchObject([{ field: { column: 'id' } }]);
  });

  test('the first columns and on_conflict win', () => {
    expect(parse('columns=a&columns=b&on_conflict=c&on_conflict=d')).toMatchObject({
      columns: ['a'],
      onConflict: ['c'],
    });
  });

  test('R12 the last limit and offset win, per path', () => {
    expect(parse('limit=1&a.limit=5&limit=2&offset=1&offset=3').ranges).toEqual([
      { path: [], value: { limit: 2, offset: 3 } },
      { path: ['a'], value: { limit: 5, offset: undefined } },
    ]);
  });

  test('R13 filters are kept in order', () => {
    expect(parse('a=gte.1&a=lt.5').filters).toMatchObject([
      { value: { operation: { operator: 'gte', value: '1' } } },
      { value: { operation: { operator: 'lt', value: '5' } } },
    ]);
  });

  test('R14 trees are kept in order', () => {
    expect(parse('or=(a.eq.1)&and=(a.eq.2)&or=(a.eq.3)').logic).toMatchObject([
      { value: { operator: 'or' } },
      { value: { operator: 'and' } },
      { value: { operator: 'or' } },
    ]);
  });

  test('R15 the first order wins, per path', () => {
    expect(parse('order=a&b.order=c&order=d&"b".order=e').orders).toMatchObject([
      { path: [], value: [{ field: { column: 'a' } }] },
      { path: ['b'], value: [{ field: { column: 'c' } }] },
    ]);
    expect(parseError('order=a&order=')).toMatchObject({ context: 'order' });
  });

  test('paths are compared name by name', () => {
    expect(parse('a.b.limit=1&"a.b".limit=2').ranges.map(({ path }) => path)).toEqual([['a', 'b'], ['a.b']]);
  });
});

describe('limit and offset', () => {
  test.each([
    ['5', 5],
    ['0', 0],
    ['-1', -1],
    ['-0', 0],
    ['%2B5', 5],
    ['007', 7],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
    ['-99999999999999999999', -Number.MAX_SAFE_INTEGER],
  ])('%s is an integer', (written, limit) => {
    expect(parse(`limit=${written}`).ranges).toStrictEqual([{ path: [], value: { limit, offset: undefined } }]);
  });

  test('an empty one is ignored, and still replaces an earlier one', () => {
    expect(parse('limit=&nope.offset=').ranges).toEqual([]);
    expect(parse('limit=1&offset=2&limit=').ranges).toEqual([{ path: [], value: { limit: undefined, offset: 2 } }]);
  });

  const NOT_INTEGERS = ['x', '1.5', '1e3', '%201', '+1', '0x10', '-', '١'];

  test.each(NOT_INTEGERS)('R116d "%s" is not an integer and is rejected', (written) => {
    const text = decodeURIComponent(written.replace('+', ' '));
    const details = 'expecting a whole number';
    for (const query of [`limit=${written}`, `limit=${written}&limit=1`, `a.limit=${written}`])
      expect(parseError(query)).toEqual({ kind: 'queryParse', context: 'limit', text, column: 1, details });
    expect(parseError(`offset=${written}`)).toMatchObject({ context: 'offset', text });
  });

  test.each(NOT_INTEGERS)('R116e "%s" is ignored where bounds are lenient', (written) => {
    const options = { arguments: 'none', limits: LIMITS, isTrailingTextIgnored: true, areBoundsLenient: true } as const;
    const parsed = parseQueryParams(`limit=1&limit=${written}&nope.offset=${written}`, options);
    expect(parsed).toMatchObject({ ok: true, value: { ranges: [] } });
  });
});

describe('function arguments', () => {
  test('W202 W199 W200 a value other than an operator expression is an argument', () => {
    const query = parse('id=5&id=gt.2&a.b=x&v=1&v=2&n=&limit=1&%22q=%2B1', 'whereNotOperator');
    expect(query.args).toEqual([
      ['id', '5'],
      ['a.b', 'x'],
      ['v', '1'],
      ['v', '2'],
      ['n', ''],
      ['"q', '+1'],
    ]);
    expect(query.filters).toMatchObject([{ path: [], value: { field: { column: 'id' } } }]);
  });

  test.each([
    'eq',
    'equal',
    'island',
    'is',
    'in',
    'inx',
    'ftsx',
    'not',
    'nothing',
    'fts(en-us).x',
    'eq(some).1',
    'neq(any).{1}',
  ])('W202 %s is an argument', (value) => {
    expect(parse(`c=${value}`, 'whereNotOperator')).toMatchObject({ args: [['c', value]], filters: [] });
  });

  test.each([
    ['not.x', 5],
    ['in.x', 4],
    ['in.(1', 6],
    ['is.x', 4],
    ['is.', 4],
    ['not.eq', 7],
  ])('W203 %s is an error', (text, column) => {
    expect(parseError(`c=${text}`, 'whereNotOperator')).toMatchObject({
      kind: 'queryParse',
      context: 'filter',
      text,
      column,
    });
  });

  test('W204 without arguments, every parameter is a filter', () => {
    expect(parseError('name=Ada')).toMatchObject({ context: 'filter', text: 'Ada' });
    expect(parse('c=eq.1').args).toEqual([]);
    expect(parseOperation('isdistinct.')).toEqual({ kind: 'isDistinct', value: '' });
  });
});

describe('the canonical text', () => {
  test.each([
    ['R17 is empty without parameters', '', ''],
    ['is empty for empty pieces', '&&', ''],
    ['R16 is sorted by name', 'select=id&order=id&b.limit=1&id=eq.1', 'b.limit=1&id=eq.1&order=id&select=id'],
    ['R16 joins the values of one name in order', 'b=eq.2&a=is.null&b=gt.1', 'a=is.null&b=eq.2,gt.1'],
    [
      'R16 encodes reserved characters',
      "select=a,b(*)&label=eq.!'x+~-_.é%00",
      'label=eq.%21%27x%20~-_.%C3%A9%00&select=a%2Cb%28%2A%29',
    ],
    ['R8 R16 adds = to a parameter without it', 'x&a', 'a=&x='],
    ['contains ignored repetitions', 'select=id&select=label', 'select=id,label'],
  ])('%s', (_name, query, canonical) => {
    expect(parse(query).canonical).toBe(canonical);
  });
});
