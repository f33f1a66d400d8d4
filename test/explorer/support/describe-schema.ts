// Builds schema descriptions for tests from minimal input.
import type {
  DescribedColumn,
  DescribedFunction,
  DescribedRelation,
  DescribedRelationship,
  SchemaDocument,
  TypeCategory,
} from '../../../src/contract/schema-document.ts';

export function describeSchema(parts: Partial<SchemaDocument>): SchemaDocument {
  return {
    product: { name: 'rowhouse', version: '0.0.0' },
    dialect: 'svc',
    mediaVendor: 'svc',
    role: 'anon',
    schema: 'api',
    schemas: ['api'],
    features: { aggregates: false, plans: false, rollback: false },
    relations: [],
    functions: [],
    ...parts,
  };
}

export function describeColumn(name: string, category: TypeCategory, more?: Partial<DescribedColumn>): DescribedColumn {
  return {
    name,
    type: { name: category, category, isArray: false },
    isNullable: false,
    isGenerated: false,
    isComputed: false,
    may: { select: true, insert: false, update: false },
    ...more,
  };
}

/** Returns a readable table with the key `id`. */
export function describeRelation(name: string, parts: Partial<DescribedRelation>): DescribedRelation {
  return {
    name,
    kind: 'table',
    may: { select: true, insert: false, update: false, delete: false },
    key: ['id'],
    columns: [],
    relationships: [],
    ...parts,
  };
}

export function describeToOne(target: string, column: string): DescribedRelationship {
  return { address: target, target, isToOne: true, kind: 'manyToOne', columns: [[column, 'id']] };
}

export function describeToMany(target: string, column: string): DescribedRelationship {
  return { address: target, target, isToOne: false, kind: 'oneToMany', columns: [['id', column]] };
}

export function describeFunction(name: string, parts: Partial<DescribedFunction>): DescribedFunction {
  return { name, isReadOnly: true, parameters: [], result: { kind: 'scalar', isSet: false }, ...parts };
}
