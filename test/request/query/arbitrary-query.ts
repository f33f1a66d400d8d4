// Generates random QueryParams that the parser can produce.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { AGGREGATES, COLUMN_OPERATORS, FURTHER_AGGREGATES } from '../../../src/contract/operators.ts';
import type {
  Addressed,
  AggregateCall,
  AggregateFunction,
  AggregateTerm,
  ColumnItem,
  Distinct,
  EmbedItem,
  Field,
  Filter,
  HavingFilter,
  IsValue,
  LogicGroup,
  LogicNode,
  Operation,
  OrderTerm,
  QueryParams,
  RelatedNode,
  SelectItem,
} from '../../../src/request/query/query-params.ts';

export type PrintableQuery = Omit<QueryParams, 'canonical' | 'args' | 'ignoredText' | 'pages' | 'scores'>;

const text: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...Array.from('ab10 "\\,.:()->!*{}&=%+é𝒳')), maxLength: 6 }),
);
const name: Arbitrary<string> = fc.oneof(
  fc.constantFrom('id', 'a-b', 'é', 'order', 'limit', 'and', 'or', 'not', 'select', 'count', 'left', 'inner', 'null'),
  text,
);
const type: Arbitrary<string> = fc.constantFrom('int', '_text', 'double precision');
const path: Arbitrary<readonly string[]> = fc.array(name, { maxLength: 3 });

function optional<T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

const field: Arbitrary<Field> = fc.record({
  column: name,
  path: fc.array(
    fc.record({
      arrow: fc.constantFrom('->', '->>'),
      operand: fc.oneof(
        fc.record({ kind: fc.constant('key'), name }),
        fc.record({ kind: fc.constant('index'), digits: fc.constantFrom('0', '12', '-1') }),
      ),
    }),
    { maxLength: 3 },
  ),
});

const aggregate = fc.record({
  function: fc.constantFrom<AggregateFunction>('sum', 'avg', 'count', 'max', 'min'),
  cast: optional(type),
});

const columnItem: Arbitrary<ColumnItem> = fc.record({
  kind: fc.constant('column'),
  field,
  alias: optional(name),
  cast: optional(type),
  aggregate: optional(aggregate),
});

const embedParts = { hint: optional(name), join: fc.constantFrom('inner', 'left') } as const;

const { items } = fc.letrec<{ items: readonly SelectItem[]; item: SelectItem; embed: EmbedItem; spread: EmbedItem }>(
  (tie) => ({
    items: fc.array(tie('item'), { maxLength: 3, depthIdentifier: 'select' }),
    item: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'select' },
      columnItem,
      fc.record({ kind: fc.constant('all') }),
      fc.record({ kind: fc.constant('countRows'), alias: optional(name), cast: optional(type) }),
      tie('embed'),
      tie('spread'),
    ),
    embed: fc.record({
      kind: fc.constant('embed'),
      target: name.filter((target) => target !== 'count'),
      alias: optional(name),
      ...embedParts,
      select: tie('items'),
    }),
    spread: fc.record({
      kind: fc.constant('spread'),
      target: name,
      alias: fc.constant(undefined),
      ...embedParts,
      select: tie('items'),
    }),
  }),
);

const coreOperation: Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constant('compare'),
    operator: fc.constantFrom('eq', 'gt', 'gte', 'like', 'imatch'),
    quantifier: fc.constantFrom('any', 'all', undefined),
    value: text,
  }),
  fc.record({
    kind: fc.constant('compare'),
    operator: fc.constantFrom('neq', 'cs', 'adj'),
    quantifier: fc.constant(undefined),
    value: text,
  }),
  fc.record({
    kind: fc.constant('in'),
    values: fc.array(text, { maxLength: 4 }).filter((values) => values.join() !== ''),
  }),
  fc.record({
    kind: fc.constant('is'),
    value: fc.constantFrom<IsValue>('null', 'not_null', 'true', 'false', 'unknown'),
  }),
  fc.record({ kind: fc.constant('isDistinct'), value: text }),
  fc.record({
    kind: fc.constant('fullText'),
    operator: fc.constantFrom('fts', 'plfts', 'phfts', 'wfts'),
    language: optional(fc.constantFrom('english', 'simple')),
    value: text,
  }),
);

const extendedOperation: Arbitrary<Operation> = fc.oneof(
  coreOperation,
  fc.record({
    kind: fc.constant('compareColumn'),
    operator: fc.constantFrom(...COLUMN_OPERATORS),
    row: fc.constantFrom('column', 'parent'),
    field,
  }),
  fc.record({
    kind: fc.constant('literalText'),
    operator: fc.constantFrom('starts', 'ends', 'has', 'istarts', 'iends', 'ihas'),
    quantifier: fc.constantFrom('any', 'all', undefined),
    value: text,
  }),
);

const call: Arbitrary<AggregateCall> = fc.oneof(
  fc.record({ function: fc.constantFrom(...AGGREGATES, ...FURTHER_AGGREGATES), cast: optional(type) }),
  fc.record({
    function: fc.constantFrom('sum', 'avg', 'count', 'array_agg'),
    isDistinct: fc.constant<true>(true),
    cast: optional(type),
  }),
);

const aggregateTerm: Arbitrary<AggregateTerm> = fc.oneof(
  fc.record({ field, cast: optional(type), call }),
  fc.record({
    field: fc.constant(undefined),
    cast: fc.constant(undefined),
    call: fc.record({ function: fc.constant('count'), cast: optional(type) }),
  }),
);

const having: Arbitrary<HavingFilter> = fc.record({
  kind: fc.constant('having'),
  term: aggregateTerm,
  negated: fc.boolean(),
  operation: extendedOperation,
});

const distinct: Arbitrary<Distinct> = fc.oneof(
  fc.record({ kind: fc.constant('rows') }),
  fc.record({ kind: fc.constant('fields'), fields: fc.array(field, { minLength: 1, maxLength: 3 }) }),
);
const directions = fc.constantFrom('asc', 'desc', undefined);
const nullPlaces = fc.constantFrom('nullsfirst', 'nullslast', undefined);

const aggregateOrder: Arbitrary<OrderTerm> = fc
  .tuple(aggregateTerm, directions, nullPlaces)
  .map(([aggregate, direction, nulls]) => {
    return { relation: undefined, field: aggregate.field ?? { column: '', path: [] }, aggregate, direction, nulls };
  });

/** The forms of a query that extensions add to. */
interface Forms {
  readonly operation: Arbitrary<Operation>;
  readonly having: readonly Arbitrary<HavingFilter>[];
  readonly term: Arbitrary<OrderTerm>;
}

/** The conditions of a query. */
function conditionsOf({ operation, having: extended }: Forms) {
  const filter: Arbitrary<Filter> = fc.record({
    kind: fc.constant('filter'),
    field,
    negated: fc.boolean(),
    operation,
  });

  const { group } = fc.letrec<{ group: LogicGroup; node: LogicNode; related: RelatedNode }>((tie) => ({
    related: fc.record({
      kind: fc.constant('related'),
      target: name,
      hint: optional(name),
      negated: fc.boolean(),
      // `x.count().gt.1` counts the column `x`.
      member: tie('node').filter((node) => node.kind !== 'having'),
    }),
    group: fc.record({
      kind: fc.constant('group'),
      operator: fc.constantFrom('and', 'or'),
      negated: fc.boolean(),
      members: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    }),
    node: fc.oneof(
      { maxDepth: 4 },
      filter,
      tie('group'),
      ...extended,
      ...(extended.length === 0 ? [] : [tie('related')]),
    ),
  }));
  return { filter, group };
}

const term: Arbitrary<OrderTerm> = fc.record({
  relation: optional(name),
  field,
  direction: fc.constantFrom('asc', 'desc', undefined),
  nulls: fc.constantFrom('nullsfirst', 'nullslast', undefined),
});

function addressed<T>(value: Arbitrary<T>): Arbitrary<readonly Addressed<T>[]> {
  return fc.array(fc.record({ path, value }), { maxLength: 3 });
}

function onePerPath<T>(value: Arbitrary<T>): Arbitrary<readonly Addressed<T>[]> {
  return fc.uniqueArray(fc.record({ path, value }), { maxLength: 3, selector: (entry) => JSON.stringify(entry.path) });
}

const bound: Arbitrary<number | undefined> = optional(fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value)));

/** `orders.count()` is parsed as the count of a column. */
function isUnambiguous({ path: steps, value }: Addressed<HavingFilter>): boolean {
  return steps.length === 0 || value.term.field !== undefined;
}

function queryOf(forms: Forms): Arbitrary<PrintableQuery> {
  const { filter, group } = conditionsOf(forms);
  return fc.record({
    select: items.map((list): readonly SelectItem[] => (list.length === 0 ? [{ kind: 'all' }] : list)),
    filters: addressed(filter),
    logic: addressed(group).map((entries) => entries.filter((entry) => !entry.path.includes('not'))),
    having:
      forms.having.length === 0 ? fc.constant([]) : addressed(having).map((entries) => entries.filter(isUnambiguous)),
    distinct: forms.having.length === 0 ? fc.constant([]) : onePerPath(distinct),
    orders: onePerPath(fc.array(forms.term, { minLength: 1, maxLength: 3 })),
    ranges: onePerPath(fc.record({ limit: bound, offset: bound })).map((entries) =>
      entries.filter(({ value }) => value.limit !== undefined || value.offset !== undefined),
    ),
    columns: optional(fc.array(name, { minLength: 1, maxLength: 3 })),
    onConflict: optional(fc.array(name, { minLength: 1, maxLength: 3 })),
  });
}

export const arbitraryQuery: Arbitrary<PrintableQuery> = queryOf({ operation: coreOperation, having: [], term });
/** With the forms of all extensions. */
export const arbitraryExtendedQuery: Arbitrary<PrintableQuery> = queryOf({
  operation: extendedOperation,
  having: [having],
  term: fc.oneof(term, aggregateOrder),
});

/** Queries of writes, with the parameters of the extension `upsert`. */
export const arbitraryUpsert: Arbitrary<PrintableQuery> = fc
  .tuple(arbitraryQuery, fc.boolean(), fc.array(name, { maxLength: 3 }))
  .map(addUpsert);

function addUpsert([query, isAny, merge]: readonly [PrintableQuery, boolean, readonly string[]]): PrintableQuery {
  const upsert: PrintableQuery = isAny ? { ...query, onConflict: undefined, onAnyConflict: true } : query;
  return merge.length === 0 ? upsert : { ...upsert, merge };
}
