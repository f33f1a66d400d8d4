// The schema's description, with its relations and functions by name.
import type { DescribedFunction, DescribedRelation, SchemaDocument } from '../../../src/contract/schema-document.ts';

export interface SchemaIndex {
  readonly document: SchemaDocument;
  readonly relations: ReadonlyMap<string, DescribedRelation>;
  /** Overloads by name. */
  readonly functions: ReadonlyMap<string, readonly DescribedFunction[]>;
}

export function indexSchema(document: SchemaDocument): SchemaIndex {
  const functions = new Map<string, DescribedFunction[]>();
  for (const one of document.functions) functions.set(one.name, [...(functions.get(one.name) ?? []), one]);
  return { document, relations: new Map(document.relations.map((one) => [one.name, one])), functions };
}
