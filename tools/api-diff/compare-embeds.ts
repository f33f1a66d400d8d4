// Compares what a route can embed. A direction at a time: each end of a foreign key has its own relationships.
import { findRelationships, type ForeignKeyRelationship, type Relationship } from '../../src/catalog/schema-cache.ts';
import { isRelationshipVisible } from '../../src/catalog/visible-names.ts';
import { isToOne, matchesEmbed } from '../../src/plan/levels/resolve-relationship.ts';
import { type Api, rolesThat, lettersOf } from './api.ts';
import type { Change } from './change.ts';
import { report } from './compare-columns.ts';
import { intersect, keyOfTable, newNameOf, type RelationPair, type Sides } from './sides.ts';

export function compareEmbeds(sides: Sides, pair: RelationPair): readonly Change[] {
  const before = relationshipsOf(sides.old, pair);
  const after = relationshipsOf(sides.new, pair);
  const names = new Set([...before, ...after].map(nameOf));
  return [...names].flatMap((name) => {
    const matching = (all: readonly Relationship[]): readonly Relationship[] =>
      all.filter((one) => matchesEmbed(one, name, undefined));
    return compareName(sides, pair, { name, before: matching(before), after: matching(after) });
  });
}

function relationshipsOf({ cache }: Api, { old: { name }, schema }: RelationPair): readonly Relationship[] {
  return findRelationships(cache, name).filter(
    (one) => (one.kind === 'computed' ? one.routine : one.target).schema === schema,
  );
}

/** By which a request without a hint embeds it. A parent in the same table has the name of the column. */
function nameOf(relationship: Relationship): string {
  if (relationship.kind === 'computed') return relationship.routine.name;
  const isParent = relationship.kind === 'manyToOne' && relationship.isSelf;
  return (isParent ? relationship.columns[0]?.[0] : undefined) ?? relationship.target.name;
}

interface NamedEmbeds {
  readonly name: string;
  readonly before: readonly Relationship[];
  readonly after: readonly Relationship[];
}

function compareName(sides: Sides, pair: RelationPair, embeds: NamedEmbeds): readonly Change[] {
  const { name, before, after } = embeds;
  const [old, current] = [usersOf(sides.old, pair, before), usersOf(sides.new, pair, after)];
  const users = { before: old, after: current, both: intersect(old, current) };
  if (before.length === 0) {
    const message = `${name} can be embedded`;
    return report('embed-added', pair, { name, roles: users.after, message, uses: { kind: 'nothing' } });
  }
  if (after.length === 0) {
    const message = `${name} cannot be embedded any more`;
    return report('embed-removed', pair, {
      name,
      roles: users.before,
      message,
      uses: { kind: 'embed', with: 'any' },
    });
  }
  const single = before.length === 1 ? before[0] : undefined;
  if (single !== undefined && after.length > 1) {
    const message = `${name} can be embedded in ${after.length} ways now: requests need a hint`;
    return report('embed-ambiguous', pair, {
      name,
      roles: users.before,
      message,
      uses: { kind: 'embed', with: 'none' },
    });
  }
  const changes = before.flatMap((one) => compareOne(sides, pair, embeds, one));
  const [found] = after;
  if (single === undefined || found === undefined || isToOne(single) === isToOne(found)) return changes;
  const message = isToOne(found)
    ? `${name} is one object now, not an array`
    : `${name} is an array now, not one object`;
  const roles = users.both;
  return [
    ...changes,
    ...report('embed-cardinality-changed', pair, { name, roles, message, uses: { kind: 'embed', with: 'any' } }),
  ];
}

/** Whether the relationship is still there, under the same hint. */
function compareOne(sides: Sides, pair: RelationPair, embeds: NamedEmbeds, one: Relationship): readonly Change[] {
  const { name, before, after } = embeds;
  const found = after.find((other) => identify(sides, pair, one) === identifyNew(other));
  const roles = usersOf(sides.old, pair, [one]);
  const hint = hintOf(one);
  if (found === undefined && before.length > 1) {
    const message = `${name} cannot be embedded through ${hint ?? 'this relationship'} any more`;
    return report('embed-removed', pair, {
      name,
      roles,
      message,
      uses: hint === undefined ? { kind: 'embed', with: 'any' } : { kind: 'hint', hint },
    });
  }
  const other = found ?? after[0];
  const newHint = other === undefined ? undefined : hintOf(other);
  if (hint === undefined || newHint === hint) return [];
  const message = `the hint ${hint} of ${name} is ${newHint ?? 'gone'} now`;
  return report('embed-hint-removed', pair, { name, roles, message, uses: { kind: 'hint', hint } });
}

/** The constraint or junction by which a request chooses between several relationships. */
function hintOf(one: Relationship): string | undefined {
  if (one.kind === 'computed') return undefined;
  return one.kind === 'manyToMany' ? one.junction.name : one.constraint;
}

function identify(sides: Sides, pair: RelationPair, one: Relationship): string {
  if (one.kind === 'computed' || one.kind === 'manyToMany') return identifyNew(one);
  const renamed = [...(sides.renames.get(keyOfTable(one.target)) ?? [])].map(
    ([after, before]) => [before, after] as const,
  );
  const targets = new Map(renamed);
  const columns = one.columns.map(([own, other]) => [newNameOf(pair, own), targets.get(other) ?? other] as const);
  return identifyKey(one, columns);
}

function identifyNew(one: Relationship): string {
  if (one.kind === 'computed') return JSON.stringify(['computed', one.routine]);
  if (one.kind === 'manyToMany') return JSON.stringify(['junction', one.junction]);
  return identifyKey(one, one.columns);
}

function identifyKey({ target, kind }: ForeignKeyRelationship, columns: ForeignKeyRelationship['columns']): string {
  return JSON.stringify(['key', target, kind === 'manyToOne' || kind === 'oneToOne' ? 0 : 1, columns]);
}

/** The roles that may read the origin and everything that joins it to the target. */
function usersOf(api: Api, { old: origin }: RelationPair, relationships: readonly Relationship[]): readonly string[] {
  return rolesThat(
    api,
    (access) =>
      lettersOf(access, origin).includes('s') &&
      relationships.some((one) => isRelationshipVisible(access.visible, one)),
  );
}
