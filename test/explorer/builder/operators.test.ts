// Operators and inputs by type, and the value when its operator changes.
import { describe, expect, test } from 'vitest';
import { formatArray, parseArray } from '../../../explorer/src/builder/array-literal.ts';
import { firstOperatorFor, operatorsFor, operatorsWith } from '../../../explorer/src/builder/fitting-operators.ts';
import {
  describeOperator,
  isComplete,
  keyOfOperator,
  makeOperation,
  operatorOf,
  valuesOf,
  withOperator,
  withValues,
} from '../../../explorer/src/builder/operators.ts';
import { htmlTypeFor, inputFor, typeAtPath } from '../../../explorer/src/builder/value-input.ts';
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';

function typeOf(category: TypeCategory, more: Partial<DescribedType> = {}): DescribedType {
  return { name: category, category, isArray: false, ...more };
}

function keysFor(type: DescribedType): readonly string[] {
  return operatorsFor(type).flatMap(({ operators }) => operators.map((one) => keyOfOperator(one)));
}

const EQ = { kind: 'compare', operator: 'eq', quantifier: undefined } as const;
const EQ_ANY = { kind: 'compare', operator: 'eq', quantifier: 'any' } as const;
const CS = { kind: 'compare', operator: 'cs', quantifier: undefined } as const;
const IN = { kind: 'in' } as const;

describe('operators by type', () => {
  test('a number has only comparisons, with one value or a list', () => {
    const lists = ['eq', 'gt', 'gte', 'lt', 'lte'];
    expect(keysFor(typeOf('number'))).toEqual([
      'eq',
      'neq',
      'gt',
      'gte',
      'lt',
      'lte',
      'in',
      'is',
      'isdistinct',
      ...lists.map((one) => `${one}(any)`),
      ...lists.map((one) => `${one}(all)`),
    ]);
  });

  test('a text has `contains` first, then patterns and full-text search', () => {
    expect(firstOperatorFor(typeOf('text'))).toEqual({ kind: 'contains' });
    expect(keysFor(typeOf('text'))).toEqual(
      expect.arrayContaining(['contains', 'ilike', 'imatch', 'wfts', 'like(any)']),
    );
  });

  test.each([
    ['boolean', {}, ['is', 'eq', 'neq', 'isdistinct']],
    ['text', { isArray: true }, ['cs', 'cd', 'ov', 'eq', 'neq', 'is', 'isdistinct']],
    ['json', { name: 'json' }, ['is', 'wfts', 'plfts', 'phfts', 'fts']],
    ['geometry', {}, ['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'is']],
  ] as const)('%s %o', (category, more, keys) => {
    expect(keysFor(typeOf(category, more))).toEqual(keys);
  });

  test('a range has range operators', () => {
    expect(keysFor(typeOf('range')).slice(0, 8)).toEqual(['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj']);
  });

  test('an unsuitable operator is offered if the URL contains it', () => {
    expect(operatorsWith(typeOf('boolean'), CS).at(-1)).toEqual({ label: 'From the URL', operators: [CS] });
    expect(operatorsWith(typeOf('boolean'), EQ)).toEqual(operatorsFor(typeOf('boolean')));
  });

  test('the label contains the name in the URL', () => {
    expect(describeOperator(EQ_ANY)).toBe('equals any of · eq(any)');
    expect(describeOperator({ kind: 'fullText', operator: 'wfts' })).toBe('web search · wfts');
  });
});

describe('changing the operator', () => {
  const alba = makeOperation(EQ, ['Alba']);

  test('converts one value to a list and back', () => {
    expect(withOperator(alba, IN)).toEqual({ kind: 'in', values: ['Alba'] });
    expect(withOperator(alba, EQ_ANY)).toEqual({ ...EQ_ANY, value: '{Alba}' });
    expect(withOperator(withOperator(alba, IN), EQ)).toEqual(alba);
  });

  test('maps `contains` to `ilike` with asterisks', () => {
    const contains = withOperator(alba, { kind: 'contains' });
    expect(contains).toEqual({ kind: 'compare', operator: 'ilike', quantifier: undefined, value: '*Alba*' });
    expect(operatorOf(contains)).toEqual({ kind: 'contains' });
    expect(valuesOf(contains)).toEqual(['Alba']);
    expect(operatorOf(makeOperation({ ...EQ, operator: 'ilike' }, ['*a*b*']))).toEqual({ ...EQ, operator: 'ilike' });
  });

  test('drops null', () => {
    const isNull = withOperator(alba, { kind: 'is' });
    expect(isNull).toEqual({ kind: 'is', value: 'null' });
    expect(withOperator(isNull, EQ)).toEqual({ ...EQ, value: '' });
    expect(withOperator(isNull, EQ_ANY)).toEqual({ ...EQ_ANY, value: '{}' });
  });

  test('keeps the language of a full-text search', () => {
    const search = makeOperation({ kind: 'fullText', operator: 'wfts' }, ['cat'], 'german');
    expect(withOperator(search, { kind: 'fullText', operator: 'fts' })).toEqual({ ...search, operator: 'fts' });
    expect(withValues(search, ['dog'])).toEqual({ ...search, value: 'dog' });
  });

  test('makes a filter complete once it has a value', () => {
    expect([EQ, EQ_ANY, IN, { kind: 'contains' } as const].map((one) => isComplete(makeOperation(one, [''])))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([alba, makeOperation({ kind: 'is' }, [])].map((one) => isComplete(one))).toEqual([true, true]);
  });
});

describe('inputs', () => {
  test.each([
    ['number', EQ, { kind: 'number' }],
    ['timestamp', EQ, { kind: 'timestamp' }],
    ['boolean', { kind: 'is' }, { kind: 'choice', values: ['null', 'not_null', 'true', 'false', 'unknown'] }],
    ['date', { kind: 'is' }, { kind: 'choice', values: ['null', 'not_null'] }],
    ['date', IN, { kind: 'list', element: { kind: 'date' }, isLiteral: false }],
    [
      'text',
      { ...EQ_ANY, operator: 'like' },
      { kind: 'list', element: { kind: 'text', placeholder: '*part*' }, isLiteral: false },
    ],
    ['text', { kind: 'fullText', operator: 'phfts' }, { kind: 'fullText', placeholder: 'black cat' }],
  ] as const)('%s %o', (category, choice, input) => {
    expect(inputFor(typeOf(category), choice)).toEqual(input);
  });

  test('enum labels are choices, also in an array', () => {
    const mood = typeOf('enum', { labels: ['calm', 'glad'] });
    expect(inputFor(mood, EQ)).toEqual({ kind: 'choice', values: ['calm', 'glad'] });
    expect(inputFor({ ...mood, isArray: true }, CS)).toEqual({
      kind: 'list',
      element: { kind: 'choice', values: ['calm', 'glad'] },
      isLiteral: true,
    });
  });

  test('a value that an HTML input cannot show gets a text input', () => {
    expect(htmlTypeFor({ kind: 'number' }, '1.5')).toBe('text');
    expect(htmlTypeFor({ kind: 'date' }, '')).toBe('date');
    expect(htmlTypeFor({ kind: 'date' }, 'today')).toBe('text');
    expect(htmlTypeFor({ kind: 'timestamp' }, '2024-02-29T10:00')).toBe('datetime-local');
    expect(htmlTypeFor({ kind: 'timestamp' }, '2024-02-29T10:00Z')).toBe('text');
  });

  test('the last arrow of a path determines the type', () => {
    expect([typeAtPath(undefined, '->>').category, typeAtPath(undefined, '->').category]).toEqual(['text', 'json']);
    expect(typeAtPath(undefined, undefined).category).toBe('other');
  });
});

describe('array literals', () => {
  test.each([
    ['{}', []],
    ['{a,b c}', ['a', 'b c']],
    [String.raw`{"a,b","say \"x\"",""}`, ['a,b', 'say "x"', '']],
    ['{"null","{}"," a"}', ['null', '{}', ' a']],
  ])('%s is parsed', (text, elements) => {
    expect(parseArray(text)).toEqual(elements);
    expect(parseArray(formatArray(elements))).toEqual(elements);
  });

  test.each(['a', '{', '{a,}', '{{1},{2}}', '{null}', '{"a}', '{"a"b}'])('%s is not editable', (text) => {
    expect(parseArray(text)).toBeUndefined();
  });
});
