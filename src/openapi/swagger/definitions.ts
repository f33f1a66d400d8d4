// Describes relations as definitions (`operating.md` §12.5).
import type { Column, Relation } from '../../catalog/schema-cache.ts';
import { type DescriptionInput, listRelations } from '../document/description-input.ts';
import type { Member } from '../document/json-document.ts';
import { describeColumns } from '../document/notes.ts';
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

/** Omits empty lists. */
export function buildObjectSchema(
  description: string | undefined,
  required: readonly string[],
  properties: readonly (readonly [name: string, schema: TypeSchema])[],
): ObjectSchema {
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
  return buildObjectSchema(
    relation.comment,
    columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name),
    columns.map((column) => [
      column.name,
      {
        ...describeType(column.type),
        description: descriptionOf(column),
        default: parseDefault(column),
        enum: column.enumLabels.length === 0 ? undefined : column.enumLabels,
        maxLength: column.maxLength,
      },
    ]),
  );
}

/** JSON numbers with more digits lose precision. */
const EXACT_DIGITS = 15;

/**
 * Parses a column's default expression into a JSON value for the description (`operating.md` §12.6). Returns undefined
 * if there is no default or it has no JSON form.
 */
export function parseDefault({ defaultExpression, type }: Column): unknown {
  if (defaultExpression === undefined) return undefined;
  if (describeType(type).type === 'string') return readText(defaultExpression, type);
  return readJson(defaultExpression);
}

function readText(expression: string, type: string): string {
  const cast = `::${type}`;
  if (!expression.endsWith(cast)) return expression;
  const value = expression.slice(0, -cast.length);
  return /^'.*'$/su.test(value) ? value.slice(1, -1) : value;
}

function readJson(expression: string): unknown {
  try {
    const value: unknown = JSON.parse(expression);
    const isExact = typeof value !== 'number' || expression.replaceAll(/\D/gu, '').length <= EXACT_DIGITS;
    return isExact ? value : undefined;
  } catch {
    return undefined;
  }
}
