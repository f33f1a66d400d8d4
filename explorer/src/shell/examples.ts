// The schema → a handful of requests of this very schema that teach the grammar, each a step further than the one before.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedRelationship,
} from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { callExample, countExample } from './more-examples.ts';
import { isPlain, labelColumn, readableColumns, selectOf, valueColumns, type Example } from './example.ts';

/** The most telling relations come first. */
export function makeExamples(schema: SchemaIndex): readonly Example[] {
  const relations = schema.document.relations
    .filter((relation) => relation.may.select && isPlain(relation.name) && readableColumns(relation).length > 0)
    .map((relation, position) => ({ relation, position, weight: weightOf(relation) }))
    .sort((a, b) => b.weight - a.weight || a.position - b.position)
    .map(({ relation }) => relation);
  const [first] = relations;
  const examples = [
    first === undefined ? undefined : listExample(first),
    filterExample(relations),
    firstDefined(relations, (relation) => embedExample(relation, schema)),
    orderExample(relations),
    callExample(schema) ?? countExample(relations, schema),
  ];
  return examples.filter((one) => one !== undefined);
}

/** Relations with a name for their rows and with others around them say the most; those that only join two the least. */
function weightOf(relation: DescribedRelation): number {
  const foreign = new Set(
    relation.relationships.flatMap(({ isToOne, columns }) => (isToOne ? columns.map(([own]) => own) : [])),
  );
  const isJunction = relation.key.length > 1 && relation.key.every((name) => foreign.has(name));
  const ways = Math.min(relation.relationships.length, 6);
  const named = labelColumn(relation) === undefined ? 0 : 3;
  return ways + named + Math.min(relation.columns.length, 8) / 4 - (isJunction ? 20 : 0);
}

function listExample({ name }: DescribedRelation): Example {
  return {
    title: `The first rows of ${name}`,
    teaches: 'The path names a table or a view; limit says how many rows.',
    url: `/${name}?limit=20`,
  };
}

function filterExample(relations: readonly DescribedRelation[]): Example | undefined {
  return firstDefined(CONDITIONS, (make) =>
    firstDefined(relations, (relation) => {
      const condition = firstDefined(valueColumns(relation), make);
      if (condition === undefined) return undefined;
      return {
        title: `Only ${relation.name} with ${condition.words}`,
        teaches: 'column=operator.value chooses rows; several of them must all hold.',
        url: `/${relation.name}?${condition.query}&limit=20`,
      };
    }),
  );
}

interface Condition {
  readonly words: string;
  readonly query: string;
}

/** The best first: those that surely have rows on both sides. */
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

function embedExample(relation: DescribedRelation, schema: SchemaIndex): Example | undefined {
  const usable = relation.relationships.filter(
    (one) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(one.address) && isReadable(one, schema),
  );
  const many = usable.find((one) => !one.isToOne && one.target !== relation.name);
  const one = usable.find((one) => one.isToOne && one.target !== relation.name);
  const chosen = [one, many].filter((one) => one !== undefined);
  const [first] = chosen;
  if (first === undefined || (many === undefined && schema.document.relations.some(hasMany))) return undefined;
  const embeds = chosen.map(({ address, target }) => `${address}(${selectOf(schema.relations.get(target), 2)})`);
  return {
    title: `${relation.name}, each with its ${chosen.map(({ address }) => address).join(' and ')}`,
    teaches: 'A related table goes into select with brackets. Foreign keys say how they belong together.',
    url: `/${relation.name}?select=${[selectOf(relation, 3), ...embeds].join(',')}&limit=10`,
  };
}

function hasMany({ relationships, may }: DescribedRelation): boolean {
  return may.select && relationships.some((one) => !one.isToOne);
}

function isReadable({ target, schema: other }: DescribedRelationship, schema: SchemaIndex): boolean {
  const relation = schema.relations.get(target);
  return other === undefined && relation !== undefined && relation.may.select && readableColumns(relation).length > 0;
}

function orderExample(relations: readonly DescribedRelation[]): Example | undefined {
  return firstDefined(ORDERS, ({ most, fits }) =>
    firstDefined(relations, (relation) => {
      const column = valueColumns(relation).find(fits);
      if (column === undefined) return undefined;
      const label = labelColumn(relation);
      const select = [...(label === undefined ? relation.key : [label.name]), column.name].filter(isPlain).join(',');
      return {
        title: `The five ${relation.name} with the ${most} ${column.name}`,
        teaches: 'order sorts, the greatest first with .desc; .nullslast puts what is not known at the end.',
        url: `/${relation.name}?select=${select}&order=${column.name}.desc.nullslast&limit=5`,
      };
    }),
  );
}

/** The best first. */
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
