// Finds the shortest text by which `select` addresses a relationship unambiguously: its target, with a hint if
// necessary.
import { appendTo } from '../../catalog/maps.ts';
import type { Relationship } from '../../catalog/schema-cache.ts';
import { matchesEmbed } from '../../plan/levels/resolve-relationship.ts';

interface Address {
  readonly target: string;
  readonly hint: string | undefined;
}

/** Relationships of one relation, by every name that `select` accepts. Indexed because there may be thousands. */
export type NamedRelationships = ReadonlyMap<string, readonly Relationship[]>;

export function nameRelationships(relationships: readonly Relationship[]): NamedRelationships {
  const named = new Map<string, Relationship[]>();
  for (const relationship of relationships) {
    const names = new Set(listAddresses(relationship).map(({ target }) => target));
    for (const name of names) appendTo(named, name, relationship);
  }
  return named;
}

/** @returns undefined if no text addresses only this relationship */
export function findAddress(relationship: Relationship, named: NamedRelationships): string | undefined {
  const found = listAddresses(relationship).find(({ target, hint }) => {
    // In `select`, `count` is the aggregate.
    if (target === 'count') return false;
    const matching = (named.get(target) ?? []).filter((one) => matchesEmbed(one, target, hint));
    return matching.length === 1 && matching[0] === relationship;
  });
  return found && printAddress(found);
}

/** Lists the possible addresses, shortest first. */
function listAddresses(relationship: Relationship): readonly Address[] {
  if (relationship.kind === 'computed') return [{ target: relationship.routine.name, hint: undefined }];
  const target = relationship.target.name;
  const plain = { target, hint: undefined };
  if (relationship.kind === 'manyToMany') return [plain, { target, hint: relationship.junction.name }];
  const { constraint, columns } = relationship;
  const [[own, other] = []] = columns.length === 1 ? columns : [];
  const hints = [constraint, own, other].flatMap((hint) => (hint === undefined ? [] : [{ target, hint }]));
  const names = [own, constraint].flatMap((name) => (name === undefined ? [] : [{ target: name, hint: undefined }]));
  return [plain, ...hints, ...names];
}

function printAddress({ target, hint }: Address): string {
  return hint === undefined ? quoteName(target) : `${quoteName(target)}!${quoteHint(hint)}`;
}

/** Unquoted, `inner` and `left` are join types. */
function quoteHint(hint: string): string {
  return hint === 'inner' || hint === 'left' ? `"${hint}"` : quoteName(hint);
}

function quoteName(name: string): string {
  return /^[\p{L}\d_]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
