// The tables and references of the map, built from a described schema.
import { expect, test } from 'vitest';
import { describeTable } from '../../../explorer/src/map/describe-table.ts';
import { buildSchemaGraph } from '../../../explorer/src/map/schema-graph.ts';
import { findNeighbors, limitTo, searchTables } from '../../../explorer/src/map/neighborhood.ts';
import { indexSchema, type SchemaIndex } from '../../../explorer/src/schema/schema-index.ts';
import type { DescribedRelationship } from '../../../src/contract/schema-document.ts';
import { makeSchema } from './make-schema.ts';

const VILLAGE = makeSchema(
  'streets(id*, name)',
  'houses(id*, street_id > streets, owner_id? > residents, area)',
  'residents(id*, name)',
  'lone(id*)',
);

function withRelationships(
  schema: SchemaIndex,
  of: Readonly<Record<string, readonly DescribedRelationship[]>>,
): SchemaIndex {
  const { document } = schema;
  const relations = document.relations.map((each) => ({ ...each, relationships: of[each.name] ?? each.relationships }));
  return indexSchema({ ...document, relations });
}

test('each foreign key is one reference, from the table that holds it', () => {
  const { references } = buildSchemaGraph(VILLAGE);
  expect(
    references.map(({ from, to, columns, isUnique, isOptional }) => ({ from, to, columns, isUnique, isOptional })),
  ).toEqual([
    { from: 'houses', to: 'streets', columns: [['street_id', 'id']], isUnique: false, isOptional: false },
    { from: 'houses', to: 'residents', columns: [['owner_id', 'id']], isUnique: false, isOptional: true },
  ]);
});

test('related relations of other schemas are not references; each is listed once', () => {
  const far = { address: 'places', target: 'places', schema: 'geo', isToOne: true, kind: 'manyToOne' } as const;
  const schema = withRelationships(VILLAGE, {
    lone: [
      { ...far, columns: [['id', 'id']] },
      { ...far, address: 'places!other', columns: [['area', 'id']] },
    ],
  });
  const { tables, references } = buildSchemaGraph(schema);
  const lone = tables.find(({ name }) => name === 'lone')!;
  expect(lone.elsewhere).toEqual([{ schema: 'geo', name: 'places' }]);
  expect(references.some(({ from, to }) => from === 'lone' || to === 'places')).toBe(false);
  expect(describeTable(lone, { refersTo: [], referredToBy: [] })).toBe('lone, table, related to geo.places');
});

test('columns are marked as keys and foreign keys', () => {
  const houses = buildSchemaGraph(VILLAGE).tables.find(({ name }) => name === 'houses');
  expect(houses?.columns.map(({ name, isKey, isForeignKey }) => [name, isKey, isForeignKey])).toEqual([
    ['id', true, false],
    ['street_id', false, true],
    ['owner_id', false, true],
    ['area', false, false],
  ]);
});

test('a one-to-one relationship is one reference, from the side whose column is not the primary key', () => {
  const schema = makeSchema('person(id*)', 'account(id*, person_id)');
  const relationship = { isToOne: true, kind: 'oneToOne', constraint: 'fk' } as const;
  const both = withRelationships(schema, {
    person: [{ ...relationship, address: 'account', target: 'account', columns: [['id', 'person_id']] }],
    account: [{ ...relationship, address: 'person', target: 'person', columns: [['person_id', 'id']] }],
  });
  const { references } = buildSchemaGraph(both);
  expect(references.map(({ from, to, isUnique }) => [from, to, isUnique])).toEqual([['account', 'person', true]]);
});

test('two tables with a shared key have one reference', () => {
  const schema = makeSchema('a(id*)', 'b(id*)');
  const relationship = { isToOne: true, kind: 'oneToOne', constraint: 'fk', columns: [['id', 'id']] } as const;
  const both = withRelationships(schema, {
    a: [{ ...relationship, address: 'b', target: 'b' }],
    b: [{ ...relationship, address: 'a', target: 'a' }],
  });
  expect(buildSchemaGraph(both).references).toHaveLength(1);
});

test('the table of a many-to-many relationship is a junction; computed and foreign relationships are not references', () => {
  const schema = makeSchema('tools(id*)', 'loans(tool_id* > tools, person_id* > people)', 'people(id*)');
  const many = { isToOne: false, kind: 'manyToMany', columns: [] } as const;
  const { tables, references } = buildSchemaGraph(
    withRelationships(schema, {
      tools: [
        { ...many, address: 'people', target: 'people', junction: 'loans' },
        { address: 'best', target: 'people', isToOne: true, kind: 'computed', columns: [], constraint: 'best' },
        { address: 'x', target: 'people', schema: 'other', isToOne: true, kind: 'manyToOne', columns: [['id', 'id']] },
      ],
      people: [],
    }),
  );
  expect(tables.filter(({ isJunction }) => isJunction).map(({ name }) => name)).toEqual(['loans']);
  expect(references.map(({ from, to }) => `${from} → ${to}`)).toEqual(['loans → tools', 'loans → people']);
});

test('a table references itself once', () => {
  const { references } = buildSchemaGraph(makeSchema('parts(id*, part_id? > parts)'));
  expect(references.map(({ from, to }) => [from, to])).toEqual([['parts', 'parts']]);
});

test('neighbors are the tables one reference away', () => {
  const graph = buildSchemaGraph(VILLAGE);
  expect([...findNeighbors(graph, 'streets')]).toEqual(['streets', 'houses']);
  expect([...findNeighbors(graph, 'houses')]).toEqual(['houses', 'streets', 'residents']);
  expect(limitTo(graph, findNeighbors(graph, 'streets'))).toEqual({
    tables: graph.tables.slice(0, 2),
    references: graph.references.slice(0, 1),
  });
});

test('a search ignores case and finds parts of names, prefixes first', () => {
  const graph = buildSchemaGraph(VILLAGE);
  expect(searchTables(graph, 'RE')).toEqual(['residents', 'streets']);
  expect(searchTables(graph, ' ')).toEqual([]);
  expect(searchTables(graph, 'none')).toEqual([]);
});
