// Labels beside the foreign keys of a table: which columns have them, the request, and its rows.
import { expect, test } from 'vitest';
import { describeResult } from '../../explorer/src/rows/describe-level.ts';
import {
  type LabeledColumn,
  labelRequest,
  listLabeledColumns,
  readLabels,
} from '../../explorer/src/rows/foreign-labels.ts';
import { findElements } from '../../explorer/src/rows/json-elements.ts';
import { parseUrl } from '../../explorer/src/url-state/parse-url.ts';
import { SCHEMA } from './result-schema.ts';

function labeledAt(url: string): readonly LabeledColumn[] {
  const model = parseUrl(url);
  if (!model.ok) throw new Error(model.error.message);
  return listLabeledColumns(describeResult(model.value, SCHEMA), SCHEMA);
}

const STREET: LabeledColumn = { name: 'street_id', column: 'street_id', labels: ['name'], address: 'streets' };

test('foreign keys have a label if the referenced relation has a readable text', () => {
  expect(labeledAt('/houses')).toEqual([STREET]);
  expect(labeledAt('/houses?select=id,where:street_id')).toEqual([{ ...STREET, name: 'where' }]);
  expect(labeledAt('/houses?select=id,colour')).toEqual([]);
  expect(labeledAt('/streets')).toEqual([]);
});

test('a relation in another schema gives no label', () => {
  expect(labeledAt('/rents').map(({ column }) => column)).not.toContain('owner');
});

test('one request reads the labels of all rows, by their keys', () => {
  const houses = SCHEMA.relations.get('houses');
  if (houses === undefined) throw new Error('houses is missing');
  expect(labelRequest(houses, [STREET], [['1'], ['2']]).url).toBe(
    '/houses?select=street_id,label_0:streets(name)&id=in.(1,2)',
  );
});

test('a label of several columns joins those that are not empty', () => {
  const person: LabeledColumn = { ...STREET, labels: ['first', 'last'] };
  const rows = findElements(
    '[{"street_id":1,"label_0":{"first":"Ada","last":"Byron"}},{"street_id":2,"label_0":{"first":null,"last":"Byron"}}]',
  );
  expect(rows && readLabels([person], rows).get('street_id')).toEqual(
    new Map([
      ['1', 'Ada Byron'],
      ['2', 'Byron'],
    ]),
  );
});

test('rows without a label are left out', () => {
  const rows = findElements(
    '[{"street_id":1,"label_0":{"name":"Lantern Row"}},{"street_id":2,"label_0":{"name":""}},{"street_id":3,"label_0":null}]',
  );
  expect(rows && readLabels([STREET], rows).get('street_id')).toEqual(new Map([['1', 'Lantern Row']]));
});
