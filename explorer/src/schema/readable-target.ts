// Finds the relation that a relationship leads to.
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from './schema-index.ts';

/** Returns undefined unless the relation is in this schema and readable. */
export function readableTarget(
  { target, schema: other }: DescribedRelationship,
  schema: SchemaIndex,
): DescribedRelation | undefined {
  const relation = other === undefined ? schema.relations.get(target) : undefined;
  return relation?.may.select === true && relation.columns.some(({ may }) => may.select) ? relation : undefined;
}
