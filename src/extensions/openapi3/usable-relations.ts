// Lists the relations of a 3.1 document: those that the role may use, with the allowed commands.
import { findRelation, type Relation } from '../../catalog/schema-cache.ts';
import { ALL_LETTERS, type Commands, commandsOf } from '../../openapi/document/commands.ts';
import { type DescriptionInput, listRelations } from '../../openapi/document/description-input.ts';

export interface UsableRelation extends Relation {
  readonly may: Commands;
}

export function* listUsableRelations(input: DescriptionInput): Generator<UsableRelation> {
  for (const relation of listRelations(input)) {
    const may = findCommands(relation, input);
    if (isAny(may)) yield { ...relation, may };
  }
}

export function isUsableRelation(input: DescriptionInput, name: string): boolean {
  const { cache, schema } = input;
  const relation = findRelation(cache, { schema, name });
  return relation !== undefined && isAny(findCommands(relation, input));
}

function findCommands(relation: Relation, { visibility }: DescriptionInput): Commands {
  const letters = visibility.kind === 'all' ? ALL_LETTERS : visibility.relations.get(relation.name.name);
  return commandsOf(letters ?? '', relation);
}

function isAny(may: Commands): boolean {
  return may.select || may.insert || may.update || may.delete;
}
