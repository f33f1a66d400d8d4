// The search for a row that a foreign key points to.
import { describe, expect, test } from 'vitest';
import { findLookUp, lookUpRequest, readLookUp } from '../../../explorer/src/builder/look-up.ts';
import { indexSchema } from '../../../explorer/src/schema/schema-index.ts';
import type { DescribedColumn, DescribedRelation, TypeCategory } from '../../../src/contract/schema-document.ts';

function column(name: string, category: TypeCategory): DescribedColumn {
  return {
    name,
    type: { name: category, category, isArray: false },
    isNullable: true,
    isGenerated: false,
    isComputed: false,
    may: { select: true, insert: true, update: true },
  };
}

const may = { select: true, insert: true, update: true, delete: true };
const streets: DescribedRelation = {
  name: 'streets',
  kind: 'table',
  may,
  key: ['id'],
  columns: [column('id', 'number'), column('name', 'text'), column('Old "name"', 'text'), column('third', 'text')],
  relationships: [],
};
const houses: DescribedRelation = {
  name: 'houses',
  kind: 'table',
  may,
  key: ['id'],
  columns: [column('id', 'number'), column('street_id', 'number')],
  relationships: [
    { address: 'streets', target: 'streets', isToOne: true, kind: 'manyToOne', columns: [['street_id', 'id']] },
  ],
};

function schemaOf(...relations: readonly DescribedRelation[]): ReturnType<typeof indexSchema> {
  return indexSchema({
    product: { name: 'rowhouse', version: '0' },
    dialect: 'svc',
    mediaVendor: 'svc',
    role: 'anon',
    schema: 'api',
    schemas: ['api'],
    features: { aggregates: false, plans: false, rollback: false },
    relations,
    functions: [],
  });
}

const LOOK_UP = { relation: 'streets', key: streets.columns[0]!, texts: ['name', 'Old "name"'] };

describe('which rows are looked up', () => {
  test('those that the foreign key points to, by the first two texts', () => {
    expect(findLookUp(schemaOf(streets, houses), houses, 'street_id')).toEqual(LOOK_UP);
  });

  test('none for another column, and none of a relation that may not be read', () => {
    expect(findLookUp(schemaOf(streets, houses), houses, 'id')).toBeUndefined();
    const hidden = { ...streets, may: { ...may, select: false } };
    expect(findLookUp(schemaOf(hidden, houses), houses, 'street_id')).toBeUndefined();
  });
});

describe('the request', () => {
  const parametersOf = (search: string): Record<string, string> =>
    Object.fromEntries(new URL(lookUpRequest(LOOK_UP, search).url, 'http://localhost').searchParams);

  test('asks for the first rows without a search text', () => {
    const select = String.raw`id,name,"Old \"name\""`;
    expect(parametersOf('')).toEqual({ select, order: 'name', limit: '20' });
  });

  test('quotes what is searched; a number is a key too', () => {
    expect(parametersOf('a,")')['or']).toBe(String.raw`(name.ilike."*a,\")*","Old \"name\"".ilike."*a,\")*")`);
    expect(parametersOf('12')['or']).toBe(String.raw`(name.ilike.*12*,"Old \"name\"".ilike.*12*,id.eq.12)`);
  });
});

describe('the answer', () => {
  const answered = (status: number, text: string): Parameters<typeof readLookUp>[1] => ({
    kind: 'answered',
    request: lookUpRequest(LOOK_UP, ''),
    response: { status, headers: [], text, bytes: text.length, milliseconds: 1 },
  });

  test('is read as values with their texts', () => {
    const rows = readLookUp(
      LOOK_UP,
      answered(200, '[{"id":1,"name":"Elm","Old \\"name\\"":null},{"id":2,"name":"Oak"}]'),
    );
    expect(rows).toEqual([
      { value: '1', label: 'Elm' },
      { value: '2', label: 'Oak' },
    ]);
  });

  test('an error has no rows', () => {
    expect(readLookUp(LOOK_UP, answered(401, '{}'))).toBeUndefined();
  });
});
