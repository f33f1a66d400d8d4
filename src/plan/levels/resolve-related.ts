// Resolves the relationships that logic trees address, by the names of embeds first (`beyond.md` §1.4).
import { findRelation, type Relation, type Relationship } from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { LogicNode, RelatedNode } from '../../request/query/query-params.ts';
import type { ReadContext } from './read-context.ts';
import { resolveRelationship } from './resolve-relationship.ts';

export interface RelatedRows {
  readonly relationship: Relationship;
  readonly relation: Relation;
}

/** By node of a tree. */
export type RelatedByNode = ReadonlyMap<RelatedNode, RelatedRows>;

/** A resolved embed, as far as trees use it. */
interface NamedEmbed {
  readonly name: string;
  readonly relationship: Relationship;
  readonly level: { readonly relation: Relation; readonly embeds: readonly NamedEmbed[] };
}

/** A relation, and how trees may name what it is related to. */
interface Place {
  readonly relation: Relation;
  readonly embeds: readonly NamedEmbed[];
  readonly context: Pick<ReadContext, 'cache' | 'visible' | 'schema' | 'requested'>;
}

const NO_RELATED: RelatedByNode = new Map();

export function resolveRelated(nodes: readonly LogicNode[], place: Place): Result<RelatedByNode, ApiError> {
  if (!nodes.some((node) => node.kind !== 'filter')) return ok(NO_RELATED);
  const found = new Map<RelatedNode, RelatedRows>();
  const error = addRelated(nodes, place, found);
  return error === undefined ? ok(found) : fail(error);
}

function addRelated(
  nodes: readonly LogicNode[],
  place: Place,
  found: Map<RelatedNode, RelatedRows>,
): ApiError | undefined {
  for (const node of nodes) {
    let error: ApiError | undefined;
    if (node.kind === 'group') error = addRelated(node.members, place, found);
    if (node.kind === 'related') error = addNode(node, place, found);
    if (error !== undefined) return error;
  }
  return undefined;
}

function addNode(node: RelatedNode, place: Place, found: Map<RelatedNode, RelatedRows>): ApiError | undefined {
  const { context, embeds } = place;
  const embed = node.hint === undefined ? embeds.find(({ name }) => name === node.target) : undefined;
  const relationship =
    embed === undefined
      ? resolveRelationship({ ...context, origin: place.relation.name, target: node.target, hint: node.hint })
      : ok(embed.relationship);
  if (!relationship.ok) return relationship.error;
  const relation = embed?.level.relation ?? findRelation(context.cache, relationship.value.target);
  if (relation === undefined) throw new Error(`relationship to a relation outside the schema cache: ${node.target}`);
  found.set(node, { relationship: relationship.value, relation });
  const below = { relation, embeds: embed?.level.embeds ?? [], context: { ...context, requested: node.target } };
  return addRelated([node.member], below, found);
}
