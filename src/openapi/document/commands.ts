// Combines the privileges of a role with the capabilities of a relation into the commands that the role may use.
import type { Relation } from '../../catalog/schema-cache.ts';

export interface Commands {
  readonly select: boolean;
  readonly insert: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

export const ALL_LETTERS = 'siud';

export function commandsOf(letters: string, relation: Relation): Commands {
  return {
    select: letters.includes('s'),
    insert: relation.isInsertable && letters.includes('i'),
    update: relation.isUpdatable && letters.includes('u'),
    delete: relation.isDeletable && letters.includes('d'),
  };
}
