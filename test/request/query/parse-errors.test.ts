// Checks the exact texts of SVC100 errors; the tables are in error-texts.ts.
import { describe, expect, test } from 'vitest';
import { FURTHER_TEXTS, REQUIRED_TEXTS } from './error-texts.ts';
import { parseError, parseErrorText } from './support.ts';

describe('texts that the specification requires', () => {
  test.each(REQUIRED_TEXTS)('%s %s', (_id, query, message, details) => {
    expect(parseErrorText(query)).toEqual([message, details]);
  });
});

describe('further texts', () => {
  test.each(FURTHER_TEXTS)('%s %s', (_id, query, message, details) => {
    expect(parseErrorText(query)).toEqual([message, details]);
  });
});

describe('queries whose error text is not specified', () => {
  test.each([
    ['R27 a type with brackets', 'select=flags::int4[]', 'select parameter', 12],
    ['R27 a qualified type', 'select=draft::pg_catalog.int4', 'select parameter', 19],
    ['R32 three modifiers', 'select=id,harbours!harbour_id!inner!left(name)', 'select parameter', 12],
    ['R35 an operator in capitals', 'label=LIKE.A*', 'filter', 1],
    ['R35 a negation with a capital', 'built=Not.eq.1', 'filter', 1],
    ['R42 a quantifier on isdistinct', 'built=isdistinct(any).{1}', 'filter', 11],
    ['R42 a quantifier on in', 'built=in(any).(1)', 'filter', 3],
    ['a quoted type', 'select=id::"int"', 'select parameter', 5],
    ['a type with a dash', 'select=id::int-4', 'select parameter', 8],
    ['text after an embed', 'select=a(b)c', 'select parameter', 5],
    ['text after a list', 'id=in.(1)x', 'filter', 7],
    ['text after an is operand', 'id=is.nullable', 'filter', 8],
    ['text after a tree', 'or=(id.eq.1)x', 'logic tree', 12],
    ['an operator in a name', 'id!=eq.1', 'tree path', 3],
    ['a tree without parentheses', 'or=id.eq.1', 'logic tree', 3],
    ['an embed named count', 'select=count(id)', 'select parameter', 6],
    ['a blank between a keyword and the comma', 'order=id.desc ,name', 'order', 8],
    ['a blank type', 'select=id::%20', 'select parameter', 5],
    ['a blank name', 'order=a,%20', 'order', 4],
    ['NUL in a name', 'select="a%00"', 'select parameter', 3],
    ['escaped NUL in a name', 'select="a\\%00"', 'select parameter', 4],
    ['NUL in a key', 'select=a->%00', 'select parameter', 4],
    ['a column list with a path', 'columns=a.b', 'columns parameter', 2],
    ['an open logic path', '"a.or=(id.eq.1)', 'logic path', 6],
    ['an order path with a JSON path', 'a->b.order=id', 'tree path', 5],
    ['an empty name', '=eq.1', 'tree path', 1],
    ['the path of a limit', 'a..limit=1', 'tree path', 3],
  ])('%s', (_name, query, context, column) => {
    expect(parseError(query)).toMatchObject({ kind: 'queryParse', context, column });
  });

  test('columns count characters, and the character found is shown whole', () => {
    expect(parseErrorText('select=𝒳é"')).toEqual([
      '"failed to parse select parameter (𝒳é")" (line 1, column 3)',
      'unexpected \'"\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
    ]);
    expect(parseErrorText("columns=a'")[1]).toBe(`unexpected '\\'' expecting letter, digit, "-", "," or end of input`);
    expect(parseErrorText('id=%F0%9F%9A%A2')[1]).toBe('unexpected "🚢" expecting "not" or operator (eq, gt, ...)');
    expect(parseErrorText('id=%0A')[1]).toBe(String.raw`unexpected "\n" expecting "not" or operator (eq, gt, ...)`);
  });

  test('a misplaced arrow is reported as unexpected', () => {
    expect(parseErrorText('columns=a->b')).toEqual([
      '"failed to parse columns parameter (a->b)" (line 1, column 3)',
      "unexpected '>'",
    ]);
  });

  test('a bad name is reported before a bad value', () => {
    expect(parseError('a..b=1')).toMatchObject({ context: 'tree path' });
    expect(parseError('a..order=')).toMatchObject({ context: 'tree path' });
    expect(parseError('a..or=()')).toMatchObject({ context: 'logic path' });
  });
});
