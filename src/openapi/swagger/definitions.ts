// Describes relations as definitions (`operating.md` §12.5).
import type { Column, Relation } from '../../catalog/schema-cache.ts';
import { type DescriptionInput, listRelations } from '../document/description-input.ts';
import type { Member } from '../document/json-document.ts';
import { describeColumns } from '../document/notes.ts';
import { parseDefault } from './defaults.ts';
import { describeType, type TypeSchema } from './types.ts';

export interface Property extends TypeSchema {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly string[] | undefined;
  readonly maxLength?: number | undefined;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly description?: string | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, TypeSchema>> | undefined;
}

export function* listDefinitions(input: DescriptionInput): Generator<Member> {
  for (const relation of listRelations(input)) yield [relation.name.name, describeRelation(relation, input)];
}

export interface ObjectParts {
  readonly description: string | undefined;
  readonly required: readonly string[];
  readonly properties: readonly (readonly [name: string, schema: TypeSchema])[];
}

/** Omits empty lists. */
export function buildObjectSchema({ description, required, properties }: ObjectParts): ObjectSchema {
  return {
    type: 'object',
    description,
    required: required.length === 0 ? undefined : required,
    properties: properties.length === 0 ? undefined : Object.fromEntries(properties),
  };
}

function describeRelation(relation: Relation, { cache }: DescriptionInput): ObjectSchema {
  const columns = [...relation.columns.values()];
  const descriptionOf = describeColumns(relation, cache);
  return buildObjectSchema({
    description: relation.comment,
    required: columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name),
    properties: columns.map((column) => [column.name, describeColumn(column, descriptionOf(column))]),
  });
}

function describeColumn(column: Column, description: string | undefined): Property {
  return {
    ...describeType(column.type),
    description,
    default: parseDefault(column),
    enum: column.enumLabels.length === 0 ? undefined : column.enumLabels,
    maxLength: column.maxLength,
  };
}
