// Builds all relationships of the cache from relations, foreign keys and row functions, by origin and in candidate
// order.
import type { QualifiedName } from '../contract/identifiers.ts';
import { indexExposures, invertRelationship, relateForeignKey } from './foreign-key-relationships.ts';
import type { ForeignKey } from './keys.ts';
import { type JunctionKey, relateThroughJunction } from './many-to-many.ts';
import { groupByName } from './maps.ts';
import { sortCandidates } from './relationship-order.ts';
import type { CatalogRelation } from './relations.ts';
import type { BySchema, ComputedRelationship, Relationship } from './schema-cache.ts';
import { flatMapInSlices, type Slices, visitInSlices } from '../util/slices.ts';

export interface RelationshipSources {
  readonly relations: readonly CatalogRelation[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly computed: readonly ComputedRelationship[];
}

export function* buildRelationships(sources: RelationshipSources): Slices<BySchema<readonly Relationship[]>> {
  const detected = yield* detectRelationships(sources);
  const computedPairs = new Set(sources.computed.map(({ origin, routine }) => identifyPair(origin, routine)));
  const kept = yield* flatMapInSlices(detected, (relationship) =>
    computedPairs.has(identifyPair(relationship.origin, relationship.target)) ? [] : [relationship],
  );
  const byOrigin = yield* groupByName([...kept, ...sources.computed], ({ origin }) => origin);
  for (const origins of byOrigin.values()) {
    yield* visitInSlices(origins, ([name, candidates]) => {
      origins.set(name, sortCandidates(candidates));
    });
  }
  return byOrigin;
}

function* detectRelationships(sources: RelationshipSources): Slices<readonly Relationship[]> {
  const exposures = yield* indexExposures(sources.relations);
  const referencing = yield* flatMapInSlices(sources.foreignKeys, (key) =>
    relateForeignKey(key, exposures).map((relationship): JunctionKey => ({ key: key.oid, relationship })),
  );
  const direct = yield* flatMapInSlices(referencing, ({ relationship }) => [
    relationship,
    invertRelationship(relationship),
  ]);
  const byJunction = yield* groupByName(referencing, ({ relationship }) => relationship.origin);
  const indirect = yield* flatMapInSlices(sources.relations, ({ relation }) =>
    relateThroughJunction(relation, byJunction.get(relation.name.schema)?.get(relation.name.name) ?? []),
  );
  return [...direct, ...indirect];
}

function identifyPair(origin: QualifiedName, target: QualifiedName): string {
  return JSON.stringify([origin.schema, origin.name, target.schema, target.name]);
}
