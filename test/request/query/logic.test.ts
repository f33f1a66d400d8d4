// Logic trees (`reading.md` §3.4).
import { describe, expect, test } from 'vitest';
import type { Filter, LogicGroup, LogicNode, Operation } from '../../../src/request/query/query-params.ts';
import { parse, parseTree } from './support.ts';

function condition(column: string, operation: Operation, negated = false): Filter {
  return { kind: 'filter', field: { column, path: [] }, negated, operation };
}

function equals(column: string, value: string, negated = false): Filter {
  return condition(column, { kind: 'compare', operator: 'eq', quantifier: undefined, value }, negated);
}

function group(operator: 'and' | 'or', members: readonly LogicNode[], negated = false): LogicGroup {
  return { kind: 'group', operator, negated, members };
}

describe('names', () => {
  test.each([
    ['or', [], group('or', [equals('a', '1')])],
    ['and', [], group('and', [equals('a', '1')])],
    ['R43 not.or', [], group('or', [equals('a', '1')], true)],
    ['R43 not.and', [], group('and', [equals('a', '1')], true)],
    ['boats.or', ['boats'], group('or', [equals('a', '1')])],
    ['R44 boats.not.or', ['boats'], group('or', [equals('a', '1')], true)],
    ['R44 not.boats.or', ['boats'], group('or', [equals('a', '1')], true)],
    ['"a.b".c.and', ['a.b', 'c'], group('and', [equals('a', '1')])],
  ])('%s', (name, path, value) => {
    expect(parse(`${name.replace(/^R\d+ /, '')}=(a.eq.1)`).logic).toEqual([{ path, value }]);
  });
});

describe('trees', () => {
  const rows: readonly (readonly [name: string, value: string, members: readonly LogicNode[]])[] = [
    [
      'R45 nested groups have no =',
      '(a.eq.1,and(b.eq.2,not.or(c.eq.3,d.eq.4)))',
      [equals('a', '1'), group('and', [equals('b', '2'), group('or', [equals('c', '3'), equals('d', '4')], true)])],
    ],
    ['R46 not follows the column', '(id.not.eq.1)', [equals('id', '1', true)]],
    ['R48 a flat array needs no quotes', '(a.eq.{x,y},b.eq.1)', [equals('a', '{x,y}'), equals('b', '1')]],
    ['nested braces are raw', '(a.eq.{{x},b.eq.1)', [equals('a', '{{x}'), equals('b', '1')]],
    ['R49 a quoted value is unquoted', String.raw`(a.eq."x,\"y)",b.eq.1)`, [equals('a', 'x,"y)'), equals('b', '1')]],
    [
      'R49 text after a closing quote makes the value raw',
      '(a.eq."x"y,b.eq.1)',
      [equals('a', '"x"y'), equals('b', '1')],
    ],
    [
      'R50 blanks',
      ' ( a .eq.1,\t and ( b.eq.2 ) , or( c.eq."3") ) ',
      [equals('a', '1'), group('and', [equals('b', '2 ')]), group('or', [equals('c', '3')])],
    ],
    [
      'R51 columns named like operators',
      '(orid.eq.1,android.eq.2,not.eq.3,or.eq.4)',
      [equals('orid', '1'), equals('android', '2'), equals('not', '3'), equals('or', '4')],
    ],
    [
      'lists',
      '(a.in.(1,"2,3"),b.not.in.())',
      [condition('a', { kind: 'in', values: ['1', '2,3'] }), condition('b', { kind: 'in', values: [] }, true)],
    ],
    [
      'is, isdistinct and searches',
      '(a.is.NULL,b.isdistinct.x,c.fts(simple).y)',
      [
        condition('a', { kind: 'is', value: 'null' }),
        condition('b', { kind: 'isDistinct', value: 'x' }),
        condition('c', { kind: 'fullText', operator: 'fts', language: 'simple', value: 'y' }),
      ],
    ],
    [
      'quantifiers',
      '(a.like(any).{x*,y},b.eq.)',
      [condition('a', { kind: 'compare', operator: 'like', quantifier: 'any', value: '{x*,y}' }), equals('b', '')],
    ],
  ];
  test.each(rows)('%s', (_name, value, members) => {
    expect(parseTree(`or=${encodeURIComponent(value)}`).members).toEqual(members);
  });

  test('conditions may have JSON paths', () => {
    const operand = { kind: 'index', digits: '-1' };
    expect(parseTree('or=(meta->-1.eq.1)').members).toMatchObject([
      { field: { column: 'meta', path: [{ arrow: '->', operand }] }, operation: { value: '1' } },
    ]);
  });
});
