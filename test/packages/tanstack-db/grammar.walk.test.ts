// Whatever values and names predicates have, the server's own parser reads back the predicate, and nothing else.
import { IR } from '@tanstack/db';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSubset } from '../../../packages/tanstack-db/src/subset.ts';
import { parseQueryParams } from '../../../src/request/query/parse-query-params.ts';
import type { Field, LogicNode, QueryParams } from '../../../src/request/query/query-params.ts';
import { EXTENDED } from '../../request/query/support.ts';
import { isLong } from '../../support/long-form.ts';

type Expression = IR.BasicExpression;

/** What a test expects, and what the parser reads, in one form. */
type Tree = readonly [operator: string, negated: boolean, ...rest: readonly unknown[]];

const runs = isLong ? 50_000 : 2000;

const HOSTILE = fc.constantFrom(
  ...'" \\ , ) ( . & = % # + * \' { } -> ->> :: é 🏮 eq. not. and( or=( in.( is.null select order limit any( ,id.gt.0 ") \\" $'.split(
    ' ',
  ),
  ' ',
  '\n',
);
const text = fc
  .array(fc.oneof({ weight: 2, arbitrary: HOSTILE }, fc.string({ maxLength: 4, unit: 'grapheme' })), { maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((value) => !value.includes('\0'));
const name = fc
  .oneof(fc.constantFrom('title', 'order', 'select', 'or', 'not', 'A b'), text)
  .filter((value) => value !== '');
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const value = fc.oneof(text, number, fc.boolean());
const path = fc.oneof(
  name.map((column) => [column]),
  fc.tuple(
    name,
    name.filter((key) => !/^\d+$/u.test(key)),
  ),
);

const comparison = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte'), path, value),
  fc.tuple(fc.constant('in'), path, fc.array(value, { maxLength: 4 })),
  fc.tuple(
    fc.constantFrom('like', 'ilike'),
    path,
    text.filter((pattern) => !/[*\\]/u.test(pattern)),
  ),
);

const leaf = comparison.map(
  ([operator, fields, operand]) => new IR.Func(operator, [new IR.PropRef(fields), new IR.Value(operand)]),
);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('expression'), { minLength: 1, maxLength: 3 }))
      .map(([operator, members]) => new IR.Func(operator, members)),
    tie('expression').map((member) => new IR.Func('not', [member])),
    path.map((fields) => new IR.Func('isNull', [new IR.PropRef(fields.slice(0, 1))])),
  ),
}));

test('B96 the server reads every predicate as it is meant', () => {
  fc.assert(
    fc.property(expression, (where) => {
      const { path: url } = toSubset('/todos?select=id&list=eq.1', { where }, (_, each) => each);
      const query = parse(url);
      expect(query.select).toEqual(BASE.select);
      expect([query.orders, query.ranges]).toEqual([[], []]);
      expect(query.filters[0]).toEqual(BASE.filters[0]);
      expect(flatten(readTree(query))).toEqual(flatten(expectTree(where, false)));
    }),
    { numRuns: runs },
  );
});

test('B96 the server reads orders and limits as they are meant', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(path, fc.constantFrom('asc', 'desc'), fc.constantFrom('first', 'last')), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.nat({ max: 1000 }),
      fc.nat({ max: 1000 }),
      (terms, limit, offset) => {
        const orderBy = terms.map(([fields, direction, nulls]) => ({
          expression: new IR.PropRef(fields),
          compareOptions: { direction, nulls, stringSort: 'lexical' as const },
        }));
        const query = parse(toSubset('/todos', { orderBy, limit, offset }, (_, each) => each).path);
        expect(query.filters).toEqual([]);
        expect(
          query.orders.map((order) =>
            order.value.map(({ field, direction, nulls }) => [pathOf(field), direction, nulls]),
          ),
        ).toEqual([terms.map(([fields, direction, nulls]) => [fields, direction, `nulls${nulls}`])]);
        expect(query.ranges).toMatchObject([{ path: [], value: { limit: limit + offset } }]);
      },
    ),
    { numRuns: runs },
  );
});

function parse(url: string): QueryParams {
  const result = parseQueryParams(url.slice(url.indexOf('?') + 1), {
    arguments: 'none',
    limits: EXTENDED,
    hasPages: true,
    hasScores: true,
    areBoundsLenient: false,
    isTrailingTextIgnored: false,
  });
  if (!result.ok) throw new Error(`${decodeURIComponent(url)}: ${JSON.stringify(result.error)}`);
  return result.value;
}

const BASE = parse('/todos?select=id&list=eq.1');

/** The conditions of a query beside the one of the base. */
function readTree({ filters, logic }: QueryParams): Tree {
  const nodes = [...filters.slice(1), ...logic].map(({ value: node }) => readNode(node as LogicNode));
  return ['and', false, ...nodes];
}

function readNode(node: LogicNode): Tree {
  if (node.kind === 'group') return [node.operator, node.negated, ...node.members.map(readNode)];
  if (node.kind !== 'filter') throw new Error(`${node.kind} in a predicate`);
  const { operation, negated, field } = node;
  switch (operation.kind) {
    case 'compare':
      expect(operation.quantifier).toBeUndefined();
      return [operation.operator, negated, pathOf(field), operation.value];
    case 'in':
      return ['in', negated, pathOf(field), operation.values];
    case 'is':
      return ['is', negated, pathOf(field), operation.value];
    case 'literalText':
    case 'isDistinct':
    case 'compareColumn':
    case 'fullText':
      throw new Error(`${operation.kind} in a predicate`);
  }
}

function pathOf({ column, path: steps }: Field): readonly string[] {
  return [column, ...steps.map(({ operand }) => (operand.kind === 'key' ? operand.name : operand.digits))];
}

function expectTree(node: Expression, negated: boolean): Tree {
  if (node.type !== 'func') throw new Error('no function');
  const { name: operator, args } = node;
  const [first, second] = args;
  if (operator === 'not') return expectTree(first!, !negated);
  if (operator === 'and' || operator === 'or') {
    const members = args.map((member) => expectTree(member, negated));
    return [(operator === 'and') === negated ? 'or' : 'and', false, ...members];
  }
  const fields = (first as IR.PropRef).path;
  if (operator === 'isNull') return ['is', negated, fields, 'null'];
  const operand = (second as IR.Value).value as unknown;
  const isText = operator === 'like' || operator === 'ilike';
  const render = (each: unknown): string =>
    fields.length > 1 && !isText && typeof each === 'string' ? JSON.stringify(each) : String(each);
  if (!Array.isArray(operand)) return [operator, negated, fields, render(operand)];
  // A list of one is an equality.
  const [only, ...others] = operand.map(render);
  if (only !== undefined && others.length === 0) return ['eq', negated, fields, only];
  return [operator, negated, fields, operand.map(render)];
}

/** Groups of one member, and groups within groups of the same kind, are the same as their members. */
function flatten(tree: Tree): Tree {
  const [kind, negated] = tree;
  if (kind !== 'and' && kind !== 'or') return tree;
  const members = (tree.slice(2) as readonly Tree[])
    .map(flatten)
    .flatMap((member): readonly Tree[] =>
      member[0] === kind && member[1] === negated ? (member.slice(2) as readonly Tree[]) : [member],
    );
  const [only] = members;
  if (members.length === 1 && only !== undefined && !negated) return only;
  return [kind, negated, ...members.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
}
