// The search for rows that a foreign key can reference.
import { describe, expect, test } from 'vitest';
import { findLookUp, lookUpRequest, readLookUp } from '../../../explorer/src/builder/look-up.ts';
import { rankLabels } from '../../../explorer/src/schema/example.ts';
import { columnOf, relationOf, schemaOf } from './support.ts';

const streets = relationOf('streets', [
  columnOf('id', 'number'),
  columnOf('name', 'text'),
  columnOf('Old "name"', 'text'),
  columnOf('third', 'text'),
]);
const houses = relationOf(
  'houses',
  [columnOf('id', 'number'), columnOf('street_id', 'number')],
  [{ address: 'streets', target: 'streets', isToOne: true, kind: 'manyToOne', columns: [['street_id', 'id']] }],
);

const LOOK_UP = { relation: 'streets', key: streets.columns[0]!, texts: ['name', 'Old "name"'] };

describe('the looked-up relation', () => {
  test('is the target of the foreign key, searched by its first two text columns', () => {
    expect(findLookUp(schemaOf(streets, houses), houses, 'street_id')).toEqual(LOOK_UP);
  });

  test('is searched by columns with the name of a label before others', () => {
    const texts = ['country', 'email', 'full_name', 'Title', 'note'].map((name) => columnOf(name, 'text'));
    const people = relationOf('streets', [columnOf('id', 'number'), ...texts]);
    expect(findLookUp(schemaOf(people, houses), houses, 'street_id')?.texts).toEqual(['Title', 'full_name']);
    expect(rankLabels(texts).map(({ name }) => name)).toEqual(['Title', 'full_name', 'email', 'country', 'note']);
  });

  test('is undefined for other columns and for unreadable relations', () => {
    expect(findLookUp(schemaOf(streets, houses), houses, 'id')).toBeUndefined();
    const hidden = { ...streets, may: { ...streets.may, select: false } };
    expect(findLookUp(schemaOf(hidden, houses), houses, 'street_id')).toBeUndefined();
  });

  test('is undefined for a key that another table references one to one', () => {
    const relationship = { isToOne: true, kind: 'oneToOne' } as const;
    const person = relationOf(
      'person',
      [columnOf('id', 'number')],
      [{ ...relationship, address: 'account', target: 'account', columns: [['id', 'person_id']] }],
    );
    const account = relationOf(
      'account',
      [columnOf('id', 'number'), columnOf('person_id', 'number')],
      [{ ...relationship, address: 'person', target: 'person', columns: [['person_id', 'id']] }],
    );
    const schema = schemaOf(person, account);
    expect(findLookUp(schema, person, 'id')).toBeUndefined();
    expect(findLookUp(schema, account, 'person_id')?.relation).toBe('person');
  });
});

describe('the request', () => {
  const parametersOf = (search: string): Record<string, string> =>
    Object.fromEntries(new URL(lookUpRequest(LOOK_UP, search).url, 'http://localhost').searchParams);

  test('selects the first rows without a search text', () => {
    const select = String.raw`id,name,"Old \"name\""`;
    expect(parametersOf('')).toEqual({ select, order: 'name', limit: '20' });
  });

  test('quotes the search text; a number is also compared with the key', () => {
    expect(parametersOf('a,")')['or']).toBe(String.raw`(name.ilike."*a,\")*","Old \"name\"".ilike."*a,\")*")`);
    expect(parametersOf('12')['or']).toBe(String.raw`(name.ilike.*12*,"Old \"name\"".ilike.*12*,id.eq.12)`);
  });
});

describe('the response', () => {
  const answered = (status: number, text: string): Parameters<typeof readLookUp>[1] => ({
    kind: 'answered',
    request: lookUpRequest(LOOK_UP, ''),
    response: { status, headers: [], text, content: new Blob([text]), bytes: text.length, milliseconds: 1 },
  });

  test('is parsed into values with labels', () => {
    const rows = readLookUp(
      LOOK_UP,
      answered(200, '[{"id":1,"name":"Elm","Old \\"name\\"":null},{"id":2,"name":"Oak"}]'),
    );
    expect(rows).toEqual([
      { value: '1', label: 'Elm' },
      { value: '2', label: 'Oak' },
    ]);
  });

  test('contains no rows if it is an error', () => {
    expect(readLookUp(LOOK_UP, answered(401, '{}'))).toBeUndefined();
  });
});
