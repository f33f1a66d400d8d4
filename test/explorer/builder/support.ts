// A described schema of streets, houses and residents.
import type {
  DescribedColumn,
  DescribedRelation,
  DescribedRelationship,
  TypeCategory,
} from '../../../src/contract/schema-document.ts';
import { indexSchema, type SchemaIndex } from '../../../explorer/src/schema/schema-index.ts';

export function columnOf(name: string, category: TypeCategory, more: Partial<DescribedColumn> = {}): DescribedColumn {
  return {
    name,
    type: { name: category, category, isArray: false },
    isNullable: true,
    isGenerated: false,
    isComputed: false,
    may: { select: true, insert: true, update: true },
    ...more,
  };
}

export function relationOf(
  name: string,
  columns: readonly DescribedColumn[],
  relationships: readonly DescribedRelationship[] = [],
): DescribedRelation {
  const may = { select: true, insert: true, update: true, delete: true };
  return { name, kind: 'table', may, key: ['id'], columns, relationships };
}

export function schemaOf(...relations: readonly DescribedRelation[]): SchemaIndex {
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
