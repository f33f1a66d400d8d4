// Maps PostgreSQL type names to Swagger 2.0 types and formats (`operating.md` §12.5).
import { BUILT_IN_TYPES } from '../../contract/built-in-types.ts';

export type TypeName = 'integer' | 'number' | 'boolean' | 'string' | 'array';

export interface TypeSchema {
  /** Undefined for json and jsonb, which allow any value. */
  readonly type?: TypeName | undefined;
  readonly format: string;
  readonly items?: { readonly type?: TypeName | undefined };
}

export function describeType(type: string): TypeSchema {
  const element = elementType(type);
  if (element === undefined) return describeScalar(type);
  return { type: 'array', format: type, items: { type: describeScalar(element).type } };
}

/** Returns the element type; undefined if the type is not an array. */
export function elementType(type: string): string | undefined {
  return type.endsWith('[]') ? type.slice(0, -2) : undefined;
}

function describeScalar(type: string): Omit<TypeSchema, 'items'> {
  const { json = 'string', format = type } = BUILT_IN_TYPES.get(type) ?? {};
  return { ...(json !== 'any' && { type: json }), format: json === 'integer' ? format : type };
}
