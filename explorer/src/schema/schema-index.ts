// Indexes relations and functions of the schema document by name, and sorts relationships to views after others.
import type {
  DescribedFunction,
  DescribedRelation,
  DescribedRelationship,
  SchemaDocument,
} from '../../../src/contract/schema-document.ts';

export interface SchemaIndex {
  readonly document: SchemaDocument;
  readonly relations: ReadonlyMap<string, DescribedRelation>;
  /** Overloads by function name. */
  readonly functions: ReadonlyMap<string, readonly DescribedFunction[]>;
}

export function indexSchema(document: SchemaDocument): SchemaIndex {
  const functions = new Map<string, DescribedFunction[]>();
  for (const one of document.functions) functions.set(one.name, [...(functions.get(one.name) ?? []), one]);
  const views = new Set(document.relations.filter(({ kind }) => kind !== 'table').map(({ name }) => name));
  const relations = document.relations.map((one) => ({ ...one, relationships: tablesFirst(one.relationships, views) }));
  return {
    document: { ...document, relations },
    relations: new Map(relations.map((one) => [one.name, one])),
    functions,
  };
}

/** Relationships to views go last, because a view may contain only some rows of the referenced table. */
function tablesFirst(
  relationships: readonly DescribedRelationship[],
  views: ReadonlySet<string>,
): readonly DescribedRelationship[] {
  const isView = ({ target, schema }: DescribedRelationship): boolean => schema === undefined && views.has(target);
  return [...relationships.filter((one) => !isView(one)), ...relationships.filter(isView)];
}
