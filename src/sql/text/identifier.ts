import { quoteIdentifier, type QualifiedName } from '../../contract/identifiers.ts';

export function quoteQualified({ schema, name }: QualifiedName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
