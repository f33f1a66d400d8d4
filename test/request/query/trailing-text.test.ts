// Text after a complete value is an error unless the dialect ignores it. Brackets after a filter name are neither
// (`reading.md` §3.6, §3.3).
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parseQueryParams } from '../../../src/request/query/parse-query-params.ts';
import type { QueryParams } from '../../../src/request/query/query-params.ts';
import { LIMITS, parse, parseError, parseErrorText, parseFilter } from './support.ts';

function parseLeniently(rawQuery: string, mode: 'none' | 'whereNotOperator' = 'none'): QueryParams {
  const result = parseQueryParams(rawQuery, {
    arguments: mode,
    limits: LIMITS,
    isTrailingTextIgnored: true,
    areBoundsLenient: true,
  });
  if (!result.ok) throw new Error(`${rawQuery}: ${JSON.stringify(result.error)}`);
  return result.value;
}

function meaningOf({ canonical: _canonical, ignoredText: _ignoredText, ...meaning }: QueryParams): object {
  return meaning;
}

describe('if ignored, it is reported, and the rest keeps its meaning', () => {
  test.each([
    ['select', 'select=id,clients(id)zz', 'select=id,clients(id)', 'select', 'zz'],
    ['select, with more items', 'select=clients(id)zz,name', 'select=clients(id)', 'select', 'zz,name'],
    ['select, a bracket', 'select=id)', 'select=id', 'select', ')'],
    ['select that does not start with an item', 'select=,id', '', 'select', ',id'],
    ['select with a cast of everything', 'select=*::text', '', 'select', '*::text'],
    ['a logic tree', 'and=(id.eq.1,id.neq.2))', 'and=(id.eq.1,id.neq.2)', 'and', ')'],
    ['a negated logic tree', 'a.not.or=(id.eq.1)x', 'a.not.or=(id.eq.1)', 'a.not.or', 'x'],
    ['is', 'c=is.nullzz', 'c=is.null', 'c', 'zz'],
    ['is, whatever the case', 'c=not.is.TRUEable', 'c=not.is.true', 'c', 'able'],
    ['in', 'c=in.(1,2)zz', 'c=in.(1,2)', 'c', 'zz'],
    ['columns', 'columns=id,name)x', 'columns=id,name', 'columns', ')x'],
    ['on_conflict', 'on_conflict=id;', 'on_conflict=id', 'on_conflict', ';'],
    ['the name of a filter', 'id)=eq.1', 'id=eq.1', 'id)', ')'],
    ['the name of a filter on an embed', 'a.id::text=eq.1', 'a.id=eq.1', 'a.id::text', '::text'],
    ['the name of a filter, brackets in the middle', 'a[0].id=eq.1', 'a=eq.1', 'a[0].id', '[0].id'],
    ['the name of a filter, an open bracket', 'a[0=eq.1', 'a=eq.1', 'a[0', '[0'],
  ])('R239 %s', (_what, query, meaning, parameter, text) => {
    const parsed = parseLeniently(query);
    expect(meaningOf(parsed)).toEqual(meaningOf(parse(meaning)));
    expect(parsed.ignoredText).toEqual([{ parameter, text }]);
  });

  test('collects ignored text of all parameters', () => {
    expect(parseLeniently('c)=is.null,&select=d)&or=(a.eq.1)]&on_conflict=a!&columns=b?').ignoredText).toEqual([
      { parameter: 'or', text: ']' },
      { parameter: 'columns', text: '?' },
      { parameter: 'select', text: ')' },
      { parameter: 'c)', text: ',' },
      { parameter: 'c)', text: ')' },
      { parameter: 'on_conflict', text: '!' },
    ]);
  });

  test('an argument is not a filter, whatever its name contains', () => {
    const parsed = parseLeniently('a)=1&b=is.nullzz', 'whereNotOperator');
    expect(parsed.args).toEqual([['a)', '1']]);
    expect(parsed.ignoredText).toEqual([{ parameter: 'b', text: 'zz' }]);
  });
});

describe('an incomplete value is still an error', () => {
  test.each([
    'select=id,',
    'select=id,clients(id',
    'select=id,*::text',
    'select=clients(id)zz)&and=(id.eq.1',
    'and=(id.is.nullzz)',
    'or=id.eq.1',
    'c=is.nil',
    'c=nullzz',
    'columns=',
    'on_conflict=)',
    ')id=eq.1',
    'order=id.asc)',
    'a).order=id',
    'a).limit=3',
    'a).or=(id.eq.1)',
  ])('%s', (query) => {
    expect(() => parseLeniently(query)).toThrow('queryParse');
  });
});

describe('if not ignored, the error reports where it begins', () => {
  test.each([
    ['select=id,clients(id)zz', '"failed to parse select parameter (id,clients(id)zz)" (line 1, column 15)'],
    ['select=*::text', '"failed to parse select parameter (*::text)" (line 1, column 2)'],
    ['and=(id.eq.1,id.neq.2))', '"failed to parse logic tree ((id.eq.1,id.neq.2)))" (line 1, column 22)'],
    ['c=is.nullzz', '"failed to parse filter (is.nullzz)" (line 1, column 8)'],
    ['columns=id,name)x', '"failed to parse columns parameter (id,name)x)" (line 1, column 8)'],
    ['on_conflict=id;', '"failed to parse on_conflict parameter (id;)" (line 1, column 3)'],
    ['id)=eq.1', '"failed to parse tree path (id))" (line 1, column 3)'],
  ])('%s', (query, message) => {
    expect(parseErrorText(query)[0]).toBe(message);
  });
});

describe('brackets at the end of a filter name', () => {
  test.each([
    ['with an index', 'title[0]=ilike.*a*&title[1]=ilike.*b*', 'title=ilike.*a*&title=ilike.*b*'],
    ['with nothing', 'id[]=gte.1&id[]=lt.3', 'id=gte.1&id=lt.3'],
    ['with a word, more than once', 'id[a][0]=eq.1', 'id=eq.1'],
    ['encoded', 'id%5B0%5D=eq.1', 'id=eq.1'],
    ['after an embed path', 'clients.name[0]=eq.x', 'clients.name=eq.x'],
    ['after a quoted name', '"a b"[0]=eq.1', '"a b"=eq.1'],
    ['after a quoted key', 'data->>"a"[0]=eq.1', 'data->>"a"=eq.1'],
  ])('R238 have no effect: %s', (_what, query, meaning) => {
    expect(meaningOf(parse(query))).toEqual(meaningOf(parse(meaning)));
    expect(parseLeniently(query).ignoredText).toEqual([]);
  });

  test('belong to a quoted name', () => {
    expect(parseFilter('"a[0]"=eq.1').field).toEqual({ column: 'a[0]', path: [] });
    expect(parseFilter('"a[0]"[1]=eq.1').field).toEqual({ column: 'a[0]', path: [] });
  });

  test('belong to a bare key of a JSON value', () => {
    expect(parseFilter('data->a[0]=eq.1').field).toEqual({
      column: 'data',
      path: [{ arrow: '->', operand: { kind: 'key', name: 'a[0]' } }],
    });
  });

  test.each(['select', 'columns', 'on_conflict', 'order', 'limit', 'offset', 'and', 'or'])(
    'turn %s into a column',
    (name) => {
      expect(parseFilter(`${name}[]=eq.1`).field.column).toBe(name);
      expect(parseErrorText(`${name}[]=id`)[0]).toContain('failed to parse filter (id)');
    },
  );

  test('belong to the name of an argument', () => {
    const { args, filters } = parse('a[]=1&a[0]=2&id[]=eq.3', 'whereNotOperator');
    expect(args).toEqual([
      ['a[]', '1'],
      ['a[0]', '2'],
    ]);
    expect(filters).toMatchObject([{ value: { field: { column: 'id' } } }]);
  });

  test('are parsed in linear time', () => {
    const start = process.cpuUsage();
    for (const text of ['[]'.repeat(500_000), '['.repeat(1_000_000), `${'[]'.repeat(500_000)}x`])
      expect(parseLeniently(`a${text}=eq.1`).filters).toHaveLength(1);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });

  test.each(['a[=eq.1', 'a]=eq.1', 'a[0]x=eq.1', 'a[0].b=eq.1', 'a[[0]]=eq.1', '[0]=eq.1', 'a[0].order=id'])(
    'are an error in any other form: %s',
    (query) => {
      expect(parseError(query)).toMatchObject({ kind: 'queryParse', context: 'tree path' });
    },
  );
});
