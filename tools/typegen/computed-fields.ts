// Finds functions of a row: computed relationships, and computed fields, which queries select by name like columns.
import {
  findRelation,
  findRelationships,
  type ComputedRelationship,
  type Relation,
} from '../../src/catalog/schema-cache.ts';
import { isSameName } from '../../src/contract/identifiers.ts';
import type { TypegenContext } from './render-type.ts';
import type { RowFunction } from './typegen-facts.ts';

/** A column takes precedence over a function of the same name. */
export function listComputedFields(relation: Relation, context: TypegenContext): readonly RowFunction[] {
  return context.facts.rowFunctions.filter((candidate) => {
    const { name, relation: argument } = candidate;
    return isSameName({ schema: name.schema, name: argument }, relation.name) && isComputedField(candidate, context);
  });
}

export function isComputedField(candidate: RowFunction, context: TypegenContext): boolean {
  const relation = findRelation(context.cache, { schema: candidate.name.schema, name: candidate.relation });
  return (
    relation?.columns.has(candidate.name.name) === false &&
    !candidate.isSet &&
    findComputedRelationship(candidate, context) === undefined
  );
}

export function findComputedRelationship(
  { name, relation }: RowFunction,
  { cache }: TypegenContext,
): ComputedRelationship | undefined {
  return findRelationships(cache, { schema: name.schema, name: relation }).find(
    (candidate): candidate is ComputedRelationship =>
      candidate.kind === 'computed' && isSameName(candidate.routine, name),
  );
}
