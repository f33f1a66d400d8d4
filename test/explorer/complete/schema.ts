// The description of a small schema for tests.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedRelationship,
  DescribedType,
  SchemaDocument,
  TypeCategory,
} from '../../../src/contract/schema-document.ts';
import { indexSchema, type SchemaIndex } from '../../../explorer/src/schema/schema-index.ts';

function type(name: string, category: TypeCategory, more: Partial<DescribedType> = {}): DescribedType {
  return { name, category, isArray: false, ...more };
}

export function column(name: string, of: DescribedType, more: Partial<DescribedColumn> = {}): DescribedColumn {
  const may = { select: true, insert: true, update: true };
  return { name, type: of, isNullable: true, isGenerated: false, isComputed: false, may, ...more };
}

export function relation(name: string, more: Partial<DescribedRelation>): DescribedRelation {
  const may = { select: true, insert: true, update: true, delete: true };
  return { name, kind: 'table', may, key: ['id'], columns: [], relationships: [], ...more };
}

function toOne(target: string, own: string, more: Partial<DescribedRelationship> = {}): DescribedRelationship {
  return { address: target, target, isToOne: true, kind: 'manyToOne', columns: [[own, 'id']], ...more };
}

function toMany(target: string, other: string, more: Partial<DescribedRelationship> = {}): DescribedRelationship {
  return { address: target, target, isToOne: false, kind: 'oneToMany', columns: [['id', other]], ...more };
}

export const INTEGER: DescribedType = type('integer', 'number');
export const TEXT: DescribedType = type('text', 'text');

const DOCUMENT: SchemaDocument = {
  product: { name: 'rowhouse', version: '0.1' },
  dialect: 'svc',
  mediaVendor: 'svc',
  role: 'anon',
  schema: 'api',
  schemas: ['api'],
  features: { aggregates: true, plans: false, rollback: false },
  relations: [
    relation('streets', {
      comment: 'The streets',
      columns: [column('id', INTEGER), column('name', TEXT, { comment: 'As on the sign' })],
      relationships: [toMany('houses', 'street_id')],
    }),
    relation('houses', {
      columns: [
        column('id', INTEGER),
        column('street_id', INTEGER),
        column('built', type('date', 'date')),
        column('features', type('text[]', 'text', { isArray: true })),
        column('details', type('jsonb', 'json')),
        column('state', type('state', 'enum', { labels: ['new', 'in repair', 'a,b'] })),
        column('listed', type('boolean', 'boolean')),
        column('order', INTEGER),
        column('a.b', TEXT),
        column('secret', TEXT, { may: { select: false, insert: false, update: false } }),
        column('address', TEXT, { isComputed: true }),
      ],
      relationships: [
        toOne('streets', 'street_id'),
        toOne('people', 'owner_id', { address: 'people!owner_fkey', constraint: 'owner_fkey' }),
        toOne('people', 'tenant_id', { address: 'people!tenant_fkey', constraint: 'tenant_fkey' }),
      ],
    }),
    relation('people', { columns: [column('id', INTEGER), column('nick name', TEXT)] }),
    relation('hidden', { may: { select: false, insert: true, update: false, delete: false } }),
  ],
  functions: [
    {
      name: 'oldest',
      isReadOnly: true,
      parameters: [
        { name: 'many', type: INTEGER, isRequired: true, isVariadic: false },
        { name: 'listed_only', type: type('boolean', 'boolean'), isRequired: false, isVariadic: false },
      ],
      result: { kind: 'row', isSet: true, relation: 'houses' },
    },
    { name: 'demolish', isReadOnly: false, parameters: [], result: { kind: 'void', isSet: false } },
  ],
};

export const SCHEMA: SchemaIndex = indexSchema(DOCUMENT);

/** Returns the schema with other relations, or without aggregates. */
export function schemaWith(more: Partial<SchemaDocument>): SchemaIndex {
  return indexSchema({ ...DOCUMENT, ...more });
}
