// A relationship → the text by which `select` means it and no other: its target, with a hint where several lead there.
import type { Relationship, SchemaCache } from '../../catalog/schema-cache.ts';
import { resolveRelationship } from '../../plan/levels/resolve-relationship.ts';

interface Address {
  readonly target: string;
  readonly hint: string | undefined;
}

/** @returns undefined where nothing that `select` takes means this relationship alone */
export function findAddress(relationship: Relationship, schema: string, cache: SchemaCache): string | undefined {
  const { origin } = relationship;
  const requested = origin.name;
  const found = listAddresses(relationship).find(({ target, hint }) => {
    // In `select`, this name belongs to the aggregate.
    if (target === 'count') return false;
    const meant = resolveRelationship({ cache, visible: undefined, schema, origin, requested, target, hint });
    return meant.ok && meant.value === relationship;
  });
  return found && printAddress(found);
}

/** The shortest first. */
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

/** These two are kinds of joins unless they are quoted. */
function quoteHint(hint: string): string {
  return hint === 'inner' || hint === 'left' ? `"${hint}"` : quoteName(hint);
}

function quoteName(name: string): string {
  return /^[\p{L}\d_]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
