// The two APIs under comparison, and what every comparison asks of them.
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import type { Relation } from '../../src/catalog/schema-cache.ts';
import {
  ANYONE,
  type Api,
  columnLettersOf,
  factsOf,
  mayCall,
  mayReach,
  rolesThat,
  supports,
  LETTERS,
  mayUse,
  type Letter,
  type RoleAccess,
} from './api.ts';

/** Old names by new name, for each table whose file says that columns were renamed. */
export type Renames = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Sides {
  readonly old: Api;
  readonly new: Api;
  readonly renames: Renames;
}

/** A relation that is a route of both APIs. */
export interface RelationPair {
  readonly schema: string;
  readonly path: string;
  readonly old: Relation;
  readonly new: Relation;
  /** New names by old name. */
  readonly newNames: ReadonlyMap<string, string>;
}

/** The key of a table in `Renames`. */
export function keyOfTable({ schema, name }: QualifiedName): string {
  return JSON.stringify([schema, name]);
}

export function pairRelations(sides: Sides, old: Relation, current: Relation): RelationPair {
  const renamed = [...(sides.renames.get(keyOfTable(current.name)) ?? [])];
  // A comment about an earlier rename stays in the file without effect.
  const effective = renamed.filter(
    ([name, before]) => old.columns.has(before) && !current.columns.has(before) && current.columns.has(name),
  );
  const newNames = new Map(effective.map(([name, before]) => [before, name]));
  return { schema: old.name.schema, path: `/${old.name.name}`, old, new: current, newNames };
}

export function newNameOf({ newNames }: RelationPair, column: string): string {
  return newNames.get(column) ?? column;
}

/** Returns the roles of both lists. */
export function intersect(roles: readonly string[], others: readonly string[]): readonly string[] {
  return roles.filter((role) => others.includes(role));
}

/** Returns the roles that may read or write the column. */
export function usersOf(api: Api, relation: Relation, column: string): readonly string[] {
  const computing = relation.columns.has(column) ? undefined : factsOf(api, relation).rowFunctions.get(column);
  return rolesThat(
    api,
    (access, role) =>
      (computing === undefined || role === ANYONE || mayCall(access, computing)) &&
      LETTERS.some((letter) => mayUseColumn(access, [relation, column], letter)),
  );
}

/** Returns the roles that may write the column. */
export function writersOf(api: Api, relation: Relation, column: string): readonly string[] {
  const writes = ['i', 'u'] as const;
  return rolesThat(api, (access) => writes.some((letter) => mayUseColumn(access, [relation, column], letter)));
}

function mayUseColumn(access: RoleAccess, [relation, column]: readonly [Relation, string], letter: Letter): boolean {
  return supports(relation, letter) && columnLettersOf(access, relation, column).includes(letter);
}

/** Returns the roles to which the relation is a route in both APIs. */
export function reachersOf({ old, new: current }: Sides, pair: RelationPair): readonly string[] {
  return intersect(
    rolesThat(old, (access) => mayReach(access, pair.old)),
    rolesThat(current, (access) => mayReach(access, pair.new)),
  );
}

/** Returns the roles that may use one of the commands in both APIs. */
export function commandersOf(
  { old, new: current }: Sides,
  pair: RelationPair,
  letters: readonly Letter[],
): readonly string[] {
  return intersect(
    rolesThat(old, (access) => letters.some((letter) => mayUse(access, pair.old, letter))),
    rolesThat(current, (access) => letters.some((letter) => mayUse(access, pair.new, letter))),
  );
}
