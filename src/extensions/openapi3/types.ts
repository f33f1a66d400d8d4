// Maps PostgreSQL type names to the JSON Schema of values rendered by `row_to_json`.
import { BUILT_IN_TYPES } from '../../contract/built-in-types.ts';
import type { DescriptionInput } from '../../openapi/document/description-input.ts';
import { elementType } from '../../openapi/swagger/types.ts';
import type { Reference } from './components.ts';

type JsonType = 'integer' | 'number' | 'boolean' | 'string' | 'array' | 'object' | 'null';

export interface ValueSchema {
  /** Every value if undefined. */
  readonly type?: JsonType | readonly JsonType[] | undefined;
  /** A registered format (https://spec.openapis.org/registry/format/), otherwise PostgreSQL's name of the type. */
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly (string | null)[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly readOnly?: true | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly anyOf?: readonly JsonSchema[];
}

export type JsonSchema = ValueSchema | Reference;

export type EnumLabels = ReadonlyMap<string, readonly string[]>;

const KNOWN: ReadonlyMap<string, ValueSchema> = new Map(
  [...BUILT_IN_TYPES].map(([name, { json, format }]) => [
    name,
    { ...(json !== 'any' && { type: json }), ...(format !== undefined && { format }) },
  ]),
);

/** Types that are neither known nor enums (composites, domains over them, extensions) may have any value. */
export function describeType(type: string, enums: EnumLabels): ValueSchema {
  const element = elementType(type);
  if (element !== undefined) return { type: 'array', items: describeType(element, enums) };
  const labels = enums.get(type);
  return KNOWN.get(type) ?? (labels === undefined ? { format: type } : { type: 'string', enum: labels });
}

export function allowNull(schema: ValueSchema): ValueSchema {
  if (typeof schema.type !== 'string') return schema;
  const nullable = { ...schema, type: [schema.type, 'null'] as const };
  return schema.enum === undefined ? nullable : { ...nullable, enum: [...schema.enum, null] };
}

/** Collects enums from the columns that use them; those of the described schema also by their unqualified name. */
export function collectEnums({ cache, schema }: DescriptionInput): EnumLabels {
  const enums = new Map<string, readonly string[]>();
  const prefix = `${schema}.`;
  for (const relations of cache.relations.values()) {
    for (const { columns } of relations.values()) {
      for (const { type, enumLabels } of columns.values()) {
        if (enumLabels.length === 0) continue;
        enums.set(type, enumLabels);
        if (type.startsWith(prefix)) enums.set(type.slice(prefix.length), enumLabels);
      }
    }
  }
  return enums;
}
