// Renders the exposed schemas as TypeScript types in the form of the `Database` parameter of `@supabase/postgrest-js`.
import type { Relation } from '../../src/catalog/schema-cache.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import type { EnumType } from './pg-type.ts';
import { renderFunctions } from './render-functions.ts';
import { renderHelpers } from './render-helpers.ts';
import { isListedAsTable, renderRelation } from './render-relation.ts';
import { renderEnum, renderFields, type TypegenContext } from './render-type.ts';
import { renderObject, type Member } from './typescript.ts';

/** From this version on, the client infers spreads of lists and supports `maxAffected`. */
const CLIENT_OPTIONS = renderObject([{ name: 'PostgrestVersion', type: '"13"' }]);

const HEAD = `// Types of the exposed schemas, generated from the database. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

/** Renders the text of a module. Deterministic: equal schemas give equal text. */
export function renderDatabase(context: TypegenContext): string {
  const database = renderObject([
    { name: '__InternalSupabase', type: CLIENT_OPTIONS },
    ...context.schemas.map((schema): Member => ({
      name: schema,
      type: renderSchema(schema, context),
      comment: context.cache.schemaComments.get(schema),
    })),
  ]);
  const enums = new Map(context.schemas.map((schema) => [schema, listEnums(schema, context)]));
  return `${HEAD}\nexport type Database = ${database};\n\n${renderHelpers(context, enums)}`;
}

function listEnums(schema: string, { facts }: TypegenContext): readonly EnumType[] {
  return [...facts.types.values()]
    .filter((type): type is EnumType => type.kind === 'enum' && type.name.schema === schema)
    .sort((left, right) => compareCodePoints(left.name.name, right.name.name));
}

function renderSchema(schema: string, context: TypegenContext): string {
  const relations = [...(context.cache.relations.get(schema)?.values() ?? [])];
  const types = [...context.facts.types.values()];
  const enums = listEnums(schema, context).map((type) => ({ name: type.name.name, type: renderEnum(type) }));
  const composites = types.flatMap((type): readonly Member[] =>
    type.kind === 'composite' && !type.isRelation && type.name.schema === schema
      ? [{ name: type.name.name, type: renderFields(type, 'output', context) }]
      : [],
  );
  return renderObject([
    { name: 'Tables', type: renderRelations(relations.filter(isListedAsTable), context) },
    {
      name: 'Views',
      type: renderRelations(
        relations.filter((relation) => !isListedAsTable(relation)),
        context,
      ),
    },
    { name: 'Functions', type: renderFunctions(schema, context) },
    { name: 'Enums', type: renderObject(enums) },
    { name: 'CompositeTypes', type: renderSorted(composites) },
  ]);
}

function renderRelations(relations: readonly Relation[], context: TypegenContext): string {
  return renderSorted(
    relations.map((relation) => ({
      name: relation.name.name,
      type: renderRelation(relation, context),
      comment: relation.comment,
    })),
  );
}

function renderSorted(members: readonly Member[]): string {
  return renderObject(members.toSorted((left, right) => compareCodePoints(left.name, right.name)));
}
