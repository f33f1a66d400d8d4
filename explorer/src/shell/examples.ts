// Builds a few example requests for the actual schema that introduce the grammar step by step.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedRelationship,
} from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { callExample, countExample } from './more-examples.ts';
import { isPlain, labelColumns, readableColumns, selectOf, valueColumns, type Example } from '../schema/example.ts';

/** Prefers the most informative relations. */
export function makeExamples(schema: SchemaIndex): readonly Example[] {
  const relations = schema.document.relations
    .filter((relation) => relation.may.select && isPlain(relation.name) && readableColumns(relation).length > 0)
    .map((relation, position) => ({ relation, position, weight: informationScore(relation, schema) }))
    .sort((a, b) => b.weight - a.weight || a.position - b.position)
    .map(({ relation }) => relation);
  const [first] = relations;
  const examples = [
    first === undefined ? undefined : listExample(first),
    filterExample(relations),
    embedExample(relations, schema),
    orderExample(relations),
    callExample(schema) ?? countExample(relations, schema),
  ];
  return examples.filter((one) => one !== undefined);
}

/** Ranks relations with a label column and many relationships highest, and junction tables lowest. */
function informationScore(relation: DescribedRelation, schema: SchemaIndex): number {
  const foreign = new Set(
    relation.relationships.flatMap(({ isToOne, columns }) => (isToOne ? columns.map(([own]) => own) : [])),
  );
  const isJunction = relation.key.length > 1 && relation.key.every((name) => foreign.has(name));
  const ways = Math.min(relation.relationships.filter(({ target }) => isTable(target, schema)).length, 6);
  const named = labelColumns(relation).length === 0 ? 0 : 3;
  const isShown = isTable(relation.name, schema) ? 2 : 0;
  return ways + named + isShown - (isJunction ? 20 : 0);
}

function listExample({ name }: DescribedRelation): Example {
  return {
    title: `The first rows of ${name}`,
    concept: 'The path names a table or a view; limit sets the maximum number of rows.',
    url: `/${name}?limit=20`,
  };
}

function filterExample(relations: readonly DescribedRelation[]): Example | undefined {
  return firstDefined(CONDITIONS, (make) =>
    firstDefined(relations, (relation) => {
      const condition = firstDefined(valueColumns(relation), make);
      if (condition === undefined) return undefined;
      return {
        title: `Only rows of ${relation.name} with ${condition.words}`,
        concept: 'column=operator.value filters rows; several filters are combined with AND.',
        url: `/${relation.name}?${condition.query}&limit=20`,
      };
    }),
  );
}

interface Condition {
  readonly words: string;
  readonly query: string;
}

/** In order of preference: conditions most likely to match some rows but not all. */
const CONDITIONS: readonly ((column: DescribedColumn) => Condition | undefined)[] = [
  ({ name, type }) => {
    const label = type.isArray ? undefined : type.labels?.find((one) => /^[\w ]+$/u.test(one));
    if (label === undefined) return undefined;
    return { words: `${name} ${label}`, query: `${name}=eq.${label.replaceAll(' ', '%20')}` };
  },
  ({ name, type }) => (isOne(type, 'boolean') ? { words: `${name} true`, query: `${name}=is.true` } : undefined),
  ({ name, type }) => (isOne(type, 'text') ? { words: `an “a” in ${name}`, query: `${name}=ilike.*a*` } : undefined),
  ({ name, type }) => (isOne(type, 'number') ? { words: `${name} above 0`, query: `${name}=gt.0` } : undefined),
  ({ name, isNullable }) => (isNullable ? { words: `a ${name}`, query: `${name}=not.is.null` } : undefined),
];

/** Prefers a relation with a to-one and a to-many relationship, to tables rather than views. */
function embedExample(relations: readonly DescribedRelation[], schema: SchemaIndex): Example | undefined {
  const candidates = relations.map((relation) => {
    const usable = relation.relationships.filter((one) => one.target !== relation.name && isUsable(one, schema));
    const many = usable.filter((one) => !one.isToOne);
    const toOne = usable.find((one) => one.isToOne);
    const toMany = many.find((one) => one.kind === 'oneToMany' && isTable(one.target, schema)) ?? many[0];
    return { relation, embeds: [toOne, toMany].filter((one) => one !== undefined) };
  });
  const [best] = candidates.sort((a, b) => b.embeds.length - a.embeds.length);
  if (best === undefined || best.embeds.length === 0) return undefined;
  const { relation, embeds } = best;
  const items = embeds.map(({ address, target }) => `${address}(${selectOf(schema.relations.get(target), 2)})`);
  return {
    title: `${relation.name} with ${embeds.map(({ address }) => address).join(' and ')}`,
    concept: 'Add a related table to select, with its columns in parentheses. Foreign keys determine the join.',
    url: `/${relation.name}?select=${[selectOf(relation, 2), ...items].join(',')}&limit=10`,
  };
}

function isUsable({ address, target, schema: other }: DescribedRelationship, schema: SchemaIndex): boolean {
  const relation = schema.relations.get(target);
  return (
    isPlain(address) && other === undefined && relation?.may.select === true && readableColumns(relation).length > 0
  );
}

function isTable(name: string, schema: SchemaIndex): boolean {
  return schema.relations.get(name)?.kind === 'table';
}

function orderExample(relations: readonly DescribedRelation[]): Example | undefined {
  return firstDefined(ORDERS, ({ most, fits }) =>
    firstDefined(relations, (relation) => {
      const column = valueColumns(relation).find(fits);
      if (column === undefined) return undefined;
      const [label] = labelColumns(relation);
      const select = [...(label === undefined ? relation.key : [label.name]), column.name].filter(isPlain).join(',');
      return {
        title: `The five rows of ${relation.name} with the ${most} ${column.name}`,
        concept: 'order sorts rows: .desc puts the largest value first, .nullslast puts nulls last.',
        url: `/${relation.name}?select=${select}&order=${column.name}.desc.nullslast&limit=5`,
      };
    }),
  );
}

/** In order of preference. */
const ORDERS: readonly { readonly most: string; readonly fits: (column: DescribedColumn) => boolean }[] = [
  { most: 'latest', fits: ({ type }) => isOne(type, 'date') || isOne(type, 'timestamp') },
  {
    most: 'highest',
    fits: ({ name, type }) => isOne(type, 'number') && !/(?:^|_)(?:id|no|nr|number|position)$/u.test(name),
  },
  { most: 'highest', fits: ({ type }) => isOne(type, 'number') },
];

function isOne(type: DescribedColumn['type'], category: string): boolean {
  return type.category === category && !type.isArray;
}

function firstDefined<Item, Value>(items: readonly Item[], make: (item: Item) => Value | undefined): Value | undefined {
  for (const item of items) {
    const value = make(item);
    if (value !== undefined) return value;
  }
  return undefined;
}
