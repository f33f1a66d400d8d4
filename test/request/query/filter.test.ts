// Filters: addresses, operators and values (`reading.md` §3.3, §5.4).
import { describe, expect, test } from 'vitest';
import { FULL_TEXT_OPERATORS, QUANTIFIABLE_OPERATORS, SIMPLE_OPERATORS } from '../../../src/contract/operators.ts';
import type { Operation } from '../../../src/request/query/query-params.ts';
import { parse, parseFilter, parseOperation } from './support.ts';

type Compare = Extract<Operation, { kind: 'compare' }>;

function compare(operator: Compare['operator'], value: string, quantifier?: 'any' | 'all'): Compare {
  return { kind: 'compare', operator, quantifier, value };
}

describe('operators', () => {
  test.each(QUANTIFIABLE_OPERATORS)('%s compares, also with any and all', (name) => {
    expect(parseOperation(`${name}.x`)).toEqual(compare(name, 'x'));
    expect(parseOperation(`${name}(any).{x}`)).toEqual(compare(name, '{x}', 'any'));
    expect(parseOperation(`${name}(all).{x}`)).toEqual(compare(name, '{x}', 'all'));
  });

  test.each(SIMPLE_OPERATORS)('%s compares', (name) => {
    expect(parseOperation(`${name}.x`)).toEqual(compare(name, 'x'));
  });

  test.each(FULL_TEXT_OPERATORS)('%s searches, optionally in a language', (operator) => {
    expect(parseOperation(`${operator}.a b`)).toEqual({
      kind: 'fullText',
      operator,
      language: undefined,
      value: 'a b',
    });
    expect(parseOperation(`${operator}(english).a`)).toEqual({
      kind: 'fullText',
      operator,
      language: 'english',
      value: 'a',
    });
  });

  test('isdistinct compares', () => {
    expect(parseOperation('isdistinct.2.5')).toEqual({ kind: 'isDistinct', value: '2.5' });
  });

  test.each([
    ['NuLL', 'null'],
    ['Not_Null', 'not_null'],
    ['TRUE', 'true'],
    ['false', 'false'],
    ['Unknown', 'unknown'],
  ])('R36 is.%s', (written, value) => {
    expect(parseOperation(`is.${written}`)).toEqual({ kind: 'is', value });
  });

  test('R41 not. negates once', () => {
    expect(parseFilter('c=not.eq.1')).toMatchObject({ negated: true, operation: compare('eq', '1') });
    expect(parseFilter('c=eq.not.1')).toMatchObject({ negated: false, operation: compare('eq', 'not.1') });
  });
});

describe('values', () => {
  test.each([
    ['R37 a quoted value keeps its quotes', 'eq."Alba"', '"Alba"'],
    ['R37 commas, blanks and brackets need no quotes', 'eq.Brig, (II] ', 'Brig, (II] '],
    ['R62 a value may be empty', 'eq.', ''],
    ['a value may contain dots', 'eq.1.2.3', '1.2.3'],
  ])('%s', (_name, written, value) => {
    expect(parseOperation(written)).toEqual(compare('eq', value));
  });

  test.each([
    ['plain elements', 'in.(1,2,3)', ['1', '2', '3']],
    ['R38 a quoted element may contain a comma', 'in.("a,b",c)', ['a,b', 'c']],
    ['R39 an escaped quote', String.raw`in.("a\"b")`, ['a"b']],
    ['R39 an escaped backslash', String.raw`in.("\\")`, ['\\']],
    ['R39 any escaped character', String.raw`in.("\c")`, ['c']],
    ['R40 a quote inside an element', 'in.(a"b)', ['a"b']],
    ['R40 a backslash', String.raw`in.(\)`, ['\\']],
    ['R40 a lone quote', 'in.(")', ['"']],
    ['R40 an open parenthesis', 'in.(()', ['(']],
    ['R40 text after a closing quote', 'in.("a"b,c)', ['"a"b', 'c']],
    ['only the blank after the parenthesis is dropped', 'in. (  a, b ) ', ['a', ' b ']],
    ['empty elements', 'in.(,a,)', ['', 'a', '']],
    ['no element', 'in.()', []],
    ['blanks only', 'in.(  )', []],
    ['one quoted empty element', 'in.("")', []],
  ])('%s', (_name, written, values) => {
    expect(parseOperation(written)).toEqual({ kind: 'in', values });
  });
});

describe('addresses', () => {
  test('a path leads to an embed and ends with the column', () => {
    expect(parse('boats.permits.meta->>a=is.null').filters).toEqual([
      {
        path: ['boats', 'permits'],
        value: {
          kind: 'filter',
          field: { column: 'meta', path: [{ arrow: '->>', operand: { kind: 'key', name: 'a' } }] },
          negated: false,
          operation: { kind: 'is', value: 'null' },
        },
      },
    ]);
  });

  test('a quoted name may contain dots', () => {
    expect(parse('"a.b"."c.d"=eq.1').filters).toMatchObject([{ path: ['a.b'], value: { field: { column: 'c.d' } } }]);
  });
});
