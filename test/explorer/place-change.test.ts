// What a new description of the schema means for the place that is open.
import { expect, test } from 'vitest';
import type { SchemaDocument } from '../../src/contract/schema-document.ts';
import { findPlaceChange } from '../../explorer/src/saves/place-change.ts';
import { indexSchema } from '../../explorer/src/schema/schema-index.ts';
import { parsePlace } from '../../explorer/src/url-state/place.ts';
import { SCHEMA } from './result-schema.ts';

const { document } = SCHEMA;
const [streets, houses, rents] = document.relations;

function change(hash: string, parts: Partial<SchemaDocument>): unknown {
  return findPlaceChange(SCHEMA, indexSchema({ ...document, ...parts }), parsePlace(hash));
}

if (houses === undefined || streets === undefined || rents === undefined) throw new Error('not described');

const without = (name: string) => ({ relations: document.relations.filter((relation) => relation.name !== name) });

test('P17 a table that is gone is named on each of its pages', () => {
  const gone = { name: 'houses', kind: 'gone', removed: [], added: [] };
  for (const hash of ['#/houses?colour=eq.red', '#json/houses', '#record/houses?id=eq.3', '#reference/houses'])
    expect(change(hash, without('houses'))).toEqual(gone);
  expect(change('#/rpc/ages', { functions: [] })).toEqual({ ...gone, name: 'ages' });
});

test('P17 columns that are gone or new are named', () => {
  const [id, ...others] = houses.columns;
  const note = { ...(id ?? streets.columns[0]), name: 'note' } as (typeof houses.columns)[number];
  const changed = { ...houses, columns: [...others, note] };
  expect(change('#/houses', { relations: [streets, changed, rents] })).toEqual({
    name: 'houses',
    kind: 'changed',
    removed: ['id'],
    added: ['note'],
  });
});

test('P17 what else has changed about the table is a change too', () => {
  const relations = [streets, { ...houses, comment: 'with a roof' }, rents];
  expect(change('#/houses', { relations })).toEqual({ name: 'houses', kind: 'changed', removed: [], added: [] });
});

test('P17 what another role may use is no change', () => {
  const relations = [streets, { ...houses, columns: houses.columns.slice(1) }, rents];
  expect(change('#/houses', { relations })).toBeDefined();
  expect(change('#/houses', { relations, role: 'other' })).toBeUndefined();
  expect(change('#/houses', { ...without('houses'), role: 'other' })).toBeUndefined();
});

test('P17 changes of other tables, other schemas and pages without a table are none', () => {
  expect(change('#/streets', without('rents'))).toBeUndefined();
  expect(change('#/unknown', without('rents'))).toBeUndefined();
  expect(change('#map', without('rents'))).toBeUndefined();
  expect(change('#/', without('rents'))).toBeUndefined();
  expect(change('#@private/houses', { ...without('houses'), schema: 'private' })).toBeUndefined();
});
