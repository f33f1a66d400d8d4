// Maps PostgreSQL type names to Swagger 2.0 types and formats (`operating.md` §12.5).

export type TypeName = 'integer' | 'number' | 'boolean' | 'string' | 'array';

export interface TypeSchema {
  /** Undefined for json and jsonb, which allow any value. */
  readonly type?: TypeName | undefined;
  readonly format: string;
  readonly items?: { readonly type?: TypeName | undefined };
}

const SCALARS: ReadonlyMap<string, Omit<TypeSchema, 'items'>> = new Map<string, Omit<TypeSchema, 'items'>>([
  ['smallint', { type: 'integer', format: 'int32' }],
  ['integer', { type: 'integer', format: 'int32' }],
  ['bigint', { type: 'integer', format: 'int64' }],
  ['numeric', { type: 'number', format: 'numeric' }],
  ['real', { type: 'number', format: 'real' }],
  ['double precision', { type: 'number', format: 'double precision' }],
  ['boolean', { type: 'boolean', format: 'boolean' }],
  ['json', { format: 'json' }],
  ['jsonb', { format: 'jsonb' }],
]);

export function describeType(type: string): TypeSchema {
  const element = elementType(type);
  if (element === undefined) return describeScalar(type);
  return { type: 'array', format: type, items: { type: describeScalar(element).type } };
}

/** Returns the element type; undefined if the type is not an array. */
export function elementType(type: string): string | undefined {
  return type.endsWith('[]') ? type.slice(0, -2) : undefined;
}

function describeScalar(type: string): TypeSchema {
  return SCALARS.get(type) ?? { type: 'string', format: type };
}
