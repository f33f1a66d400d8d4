// The description of a small schema.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedType,
  SchemaDocument,
} from '../../src/contract/schema-document.ts';
import { indexSchema, type SchemaIndex } from '../../explorer/src/schema/schema-index.ts';

const INTEGER: DescribedType = { name: 'integer', category: 'number', isArray: false };
const TEXT: DescribedType = { name: 'text', category: 'text', isArray: false };

function column(name: string, type: DescribedType): DescribedColumn {
  const may = { select: true, insert: true, update: true };
  return { name, type, isNullable: true, isGenerated: false, isComputed: false, may };
}

function relation(name: string, more: Partial<DescribedRelation>): DescribedRelation {
  const may = { select: true, insert: true, update: true, delete: true };
  return { name, kind: 'table', may, key: ['id'], columns: [column('id', INTEGER)], relationships: [], ...more };
}

const STREETS = relation('streets', { columns: [column('id', INTEGER), column('name', TEXT)] });
const HOUSES = relation('houses', {
  columns: [column('id', INTEGER), column('street_id', INTEGER), column('colour', TEXT)],
  relationships: [
    {
      address: 'streets',
      target: 'streets',
      isToOne: true,
      kind: 'manyToOne',
      columns: [['street_id', 'id']],
      constraint: 'houses_street_id_fkey',
    },
    { address: 'rents', target: 'rents', isToOne: false, kind: 'oneToMany', columns: [['id', 'house_id']] },
  ],
});
const RENTS = relation('rents', {
  key: ['house_id', 'year'],
  columns: [column('house_id', INTEGER), column('year', INTEGER), column('owner', TEXT)],
  relationships: [
    { address: 'houses', target: 'houses', isToOne: true, kind: 'manyToOne', columns: [['house_id', 'id']] },
    {
      address: 'people',
      target: 'people',
      schema: 'private',
      isToOne: true,
      kind: 'manyToOne',
      columns: [['owner', 'id']],
    },
  ],
});

const DOCUMENT: SchemaDocument = {
  product: { name: 'Rowhouse', version: '0' },
  dialect: 'svc',
  mediaVendor: 'svc',
  role: 'anybody',
  schema: 'api',
  schemas: ['api', 'private'],
  features: { aggregates: true, plans: true, rollback: false },
  relations: [STREETS, HOUSES, RENTS],
  functions: [
    { name: 'old_houses', isReadOnly: true, parameters: [], result: { kind: 'row', isSet: true, relation: 'houses' } },
    {
      name: 'ages',
      isReadOnly: true,
      parameters: [],
      result: { kind: 'row', isSet: true, columns: [{ name: 'age', type: INTEGER }] },
    },
  ],
};

export const SCHEMA: SchemaIndex = indexSchema(DOCUMENT);
