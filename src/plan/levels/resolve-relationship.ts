// Resolves the target of an embed to one relationship, or to an error that lists the candidates (`reading.md` §11).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError, RelationshipCandidate } from '../../errors/api-error.ts';
import {
  findRelation,
  findRelationships,
  type ColumnPair,
  type ForeignKeyRelationship,
  type Relationship,
  type SchemaCache,
} from '../../catalog/schema-cache.ts';
import { isRelationshipVisible, type Visible } from '../../catalog/visible-names.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import { nameOrigin } from '../names/find-relation.ts';
import { suggest } from '../../util/suggest.ts';

export interface EmbedRequest {
  readonly cache: SchemaCache;
  /** Objects that errors may name. */
  readonly visible: Visible;
  /** The schema of the request, which must contain the target. */
  readonly schema: string;
  readonly origin: QualifiedName;
  /** The name by which the request refers to the origin. */
  readonly requested: string;
  readonly target: string;
  readonly hint: string | undefined;
}

export function resolveRelationship(request: EmbedRequest): Result<Relationship, ApiError> {
  const { visible, target, schema, hint } = request;
  const matching = relationshipsFrom(request).filter((relationship) => matchesEmbed(relationship, target, hint));
  const [first] = matching;
  if (first !== undefined && matching.length === 1) return ok(first);
  const named = nameOrigin(request.origin, request.requested, visible);
  if (first === undefined) {
    const suggestion = suggestName(named.origin, request);
    const between = suggestion === undefined && hint === undefined ? findBetween(request) : undefined;
    return fail({ kind: 'relationshipNotFound', schema, ...named, target, hint, suggestion, between });
  }
  const shown = matching.filter((relationship) => isRelationshipVisible(visible, relationship));
  const candidates = shown.flatMap((relationship) => describeCandidate(relationship));
  return fail({ kind: 'relationshipAmbiguous', ...named, target, candidates });
}

/** Whether at least one relationship has the name. */
export function hasRelationship(request: EmbedRequest): boolean {
  const { target, hint } = request;
  return relationshipsFrom(request).some((relationship) => matchesEmbed(relationship, target, hint));
}

export function isToOne(relationship: Relationship): boolean {
  switch (relationship.kind) {
    case 'manyToOne':
    case 'oneToOne':
      return true;
    case 'computed':
      return relationship.isToOne;
    case 'oneToMany':
    case 'manyToMany':
      return false;
  }
}

/** Returns the relationships from the origin into the schema of the request. */
export function relationshipsFrom({ cache, origin, schema }: EmbedRequest): readonly Relationship[] {
  return findRelationships(cache, origin).filter((relationship) => {
    const owner = relationship.kind === 'computed' ? relationship.routine : relationship.target;
    return owner.schema === schema;
  });
}

/** Whether a relationship into the schema of the request matches the target and hint. */
export function matchesEmbed(relationship: Relationship, target: string, hint: string | undefined): boolean {
  switch (relationship.kind) {
    case 'computed':
      return relationship.routine.name === target;
    case 'manyToMany':
      if (relationship.isSelf || relationship.target.name !== target) return false;
      return hint === undefined || relationship.junction.name === hint;
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return relationship.isSelf
        ? matchesSelfReference(relationship, target, hint)
        : matchesForeignKey(relationship, target, hint);
  }
}

function matchesForeignKey(key: ForeignKeyRelationship, target: string, hint: string | undefined): boolean {
  const [single] = key.columns.length === 1 ? key.columns : [];
  if (hint !== undefined) return key.target.name === target && (hint === key.constraint || !!single?.includes(hint));
  if (key.target.name === target) return true;
  return !key.targetIsView && (key.constraint === target || single?.[0] === target);
}

/** In a self-reference, the column name leads to the parent and the relation name to the children. */
function matchesSelfReference(key: ForeignKeyRelationship, target: string, hint: string | undefined): boolean {
  const [single] = key.columns.length === 1 ? key.columns : [];
  if (key.kind === 'manyToOne') return hint === undefined && single?.[0] === target;
  if (key.kind === 'oneToMany') return key.target.name === target && (hint === undefined || single?.[1] === hint);
  return false;
}

const CARDINALITY = { manyToOne: 'many-to-one', oneToMany: 'one-to-many', oneToOne: 'one-to-one' } as const;

function describeCandidate(relationship: Relationship): readonly RelationshipCandidate[] {
  if (relationship.kind === 'computed') return [];
  const embedding = `${relationship.origin.name} with ${relationship.target.name}`;
  if (relationship.kind === 'manyToMany') {
    const { junction, originConstraint, targetConstraint, originColumns, targetColumns } = relationship;
    const toOrigin = `${originConstraint}(${side(originColumns, 1)})`;
    const toTarget = `${targetConstraint}(${side(targetColumns, 0)})`;
    return [
      {
        cardinality: 'many-to-many',
        embedding,
        relationship: `${junction.name} using ${toOrigin} and ${toTarget}`,
        choice: `${relationship.target.name}!${relationship.junction.name}`,
      },
    ];
  }
  const { constraint, origin, target, columns } = relationship;
  return [
    {
      cardinality: CARDINALITY[relationship.kind],
      embedding,
      relationship: `${constraint} using ${origin.name}(${side(columns, 0)}) and ${target.name}(${side(columns, 1)})`,
      choice: `${target.name}!${constraint}`,
    },
  ];
}

function side(columns: readonly ColumnPair[], index: 0 | 1): string {
  return columns.map((pair) => pair[index]).join(', ');
}

const MINIMUM_SIMILARITY = 0.33;

/** Suggests another target, or another origin if the origin has no relationships. */
function suggestName(
  origin: string,
  request: EmbedRequest,
): { readonly instead: string; readonly of: string } | undefined {
  const usable = relationshipsFrom(request).filter((other) => isRelationshipVisible(request.visible, other));
  const of = usable.length > 0 ? request.target : origin;
  // The name of an existing relation is not a typo.
  if (findRelation(request.cache, { schema: request.schema, name: of }) !== undefined) return undefined;
  const targets = usable.map((relationship) => relationship.target.name);
  const instead =
    usable.length > 0 ? suggest(targets, of, { minimum: MINIMUM_SIMILARITY }) : suggestOrigin(origin, request);
  if (instead === undefined || instead.toLowerCase() === of.toLowerCase()) return undefined;
  return { instead, of };
}

/** Finds a relation through which the target can be embedded in two steps. */
function findBetween(request: EmbedRequest): string | undefined {
  const { cache, visible, schema, origin, target } = request;
  if (findRelation(cache, { schema, name: target }) === undefined) return undefined;
  const isUsable = (step: Relationship): boolean => isRelationshipVisible(visible, step);
  const leadsToTarget = ({ target: middle }: Relationship): boolean =>
    relationshipsFrom({ ...request, origin: middle }).some((step) => step.target.name === target && isUsable(step));
  const steps = relationshipsFrom(request).filter((step) => step.target.name !== origin.name && isUsable(step));
  return steps.find(leadsToTarget)?.target.name;
}

function suggestOrigin(origin: string, { cache, visible, schema }: EmbedRequest): string | undefined {
  const known = cache.relationships.get(schema) ?? new Map<string, readonly Relationship[]>();
  const isVisible = (name: string): boolean =>
    (known.get(name) ?? []).some((relationship) => isRelationshipVisible(visible, relationship));
  return suggest(known, origin, { minimum: MINIMUM_SIMILARITY, isVisible });
}
