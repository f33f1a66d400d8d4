// Decodes PostgreSQL's types by name from the rows of the statement `types`.
import { type CatalogRow, flagAt, textAt, textsAt } from '../../src/catalog/catalog-rows.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';

/** A free-standing composite type or the row type of a relation. */
export interface CompositeType {
  readonly kind: 'composite';
  readonly name: QualifiedName;
  readonly isRelation: boolean;
  /** Names and types of the fields. */
  readonly fields: readonly (readonly [name: string, type: string])[];
}

export interface EnumType {
  readonly kind: 'enum';
  readonly name: QualifiedName;
  readonly labels: readonly string[];
}

export type PgType =
  | { readonly kind: 'array'; readonly element: string }
  | { readonly kind: 'domain'; readonly base: string; readonly isNotNull: boolean }
  | EnumType
  | CompositeType
  /** A type of an extension whose values are rendered through its cast to JSON. */
  | { readonly kind: 'json' }
  /** A pseudo-type, which only a call resolves. */
  | { readonly kind: 'pseudo' };

export function decodeTypes(rows: readonly CatalogRow[]): ReadonlyMap<string, PgType> {
  return new Map(rows.map((row) => [textAt(row, 0), decodeType(row)]));
}

function decodeType(row: CatalogRow): PgType {
  const kind = textAt(row, 1);
  const name = { schema: textAt(row, 2), name: textAt(row, 3) };
  switch (kind) {
    case 'array':
      return { kind, element: textAt(row, 4) };
    case 'domain':
      return { kind, base: textAt(row, 4), isNotNull: flagAt(row, 5) };
    case 'enum':
      return { kind, name, labels: textsAt(row, 6) };
    case 'composite':
      return { kind, name, isRelation: !flagAt(row, 9), fields: decodeFields(row) };
    case 'json':
    case 'pseudo':
      return { kind };
    default:
      throw new Error(`unexpected kind of type ${kind}`);
  }
}

function decodeFields(row: CatalogRow): CompositeType['fields'] {
  const types = textsAt(row, 8);
  return textsAt(row, 7).map((name, index) => [name, types[index] ?? '']);
}

/** Whether the type itself forbids null: a domain does so for itself and for domains over it. */
export function forbidsNull(key: string, types: ReadonlyMap<string, PgType>): boolean {
  const type = types.get(key);
  return type?.kind === 'domain' && (type.isNotNull || forbidsNull(type.base, types));
}
