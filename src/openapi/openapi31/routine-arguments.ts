// Describes the arguments of a function's overloads, in the query of a GET or the body of a POST (`writing.md` §14.4).
import type { Routine, RoutineParameter } from '../../catalog/schema-cache.ts';
import { elementType } from '../swagger/types.ts';
import { FORMAT_LIST } from '../../media/formats.ts';
import { type Content, describeFormat, joinContents } from './content.ts';
import { isReservedName } from './names.ts';
import type { Operation } from './operation.ts';
import type { Parameter } from './shared-parameters.ts';
import { allowNull, describeType, type EnumLabels, type JsonSchema, type ValueSchema } from './types.ts';

/** Whether GET can call the overload: it does not write and needs no body. */
export function isQueryable({ volatility, parameters }: Routine): boolean {
  return volatility !== 'volatile' && parameters.every(({ name, isRequired }) => isSendable(name) || !isRequired);
}

/** An argument is required if every overload requires it. */
export function describeQueryArguments(overloads: readonly Routine[], enums: EnumLabels): readonly Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const parameter of overloads.flatMap(({ parameters }) => parameters)) {
    const { name } = parameter;
    if (byName.has(name) || !isSendable(name)) continue;
    const isRequired = overloads.every(({ parameters }) =>
      parameters.some((other) => other.name === name && other.isRequired),
    );
    const schema = describeQueryArgument(parameter, enums);
    byName.set(name, { name, in: 'query', required: isRequired || undefined, schema });
  }
  return [...byName.values()];
}

export function describeBody(overloads: readonly Routine[], enums: EnumLabels): Operation['requestBody'] {
  const named = overloads.filter(({ parameters: [first] }) => first !== undefined && first.name !== '');
  const content = { ...describeNamedArguments(named, enums), ...describeWholeBody(overloads) };
  const isRequired = overloads.every(({ parameters }) => parameters.some((parameter) => parameter.isRequired));
  return Object.keys(content).length === 0 ? undefined : { required: isRequired || undefined, content };
}

function isSendable(name: string): boolean {
  return name !== '' && !isReservedName(name);
}

/** A variadic argument is repeated; arrays, json and composites are sent in PostgreSQL's text form. */
function describeQueryArgument({ type, isVariadic }: RoutineParameter, enums: EnumLabels): JsonSchema {
  if (isVariadic) return { type: 'array', items: describeText(elementType(type) ?? type, enums) };
  return describeText(type, enums);
}

function describeText(type: string, enums: EnumLabels): ValueSchema {
  const schema = describeType(type, enums);
  return schema.type === undefined || schema.type === 'array' ? { type: 'string', format: type } : schema;
}

function describeNamedArguments(overloads: readonly Routine[], enums: EnumLabels): Content {
  const schemas = overloads.map(({ parameters }) => describeArguments(parameters, enums));
  const [first] = schemas;
  if (first === undefined) return {};
  const schema = schemas.length === 1 ? first : { anyOf: schemas };
  const formats = FORMAT_LIST.filter(({ body }) => body?.hasArguments);
  return joinContents(formats.map((format) => describeFormat(format, schema)));
}

/** Content of bodies that are passed whole to a single unnamed parameter, by its type. Any JSON is allowed. */
const WHOLE_BODIES: ReadonlyMap<string, Content> = new Map(
  FORMAT_LIST.flatMap((format) => {
    const content = format.described === 'json' ? { [format.mediaType]: {} } : describeFormat(format, {});
    return (format.body?.parameterTypes ?? []).map((type) => [type, content] as const);
  }),
);

function describeWholeBody(overloads: readonly Routine[]): Content {
  const bodies = overloads.flatMap(({ parameters: [first] }) =>
    first?.name === '' ? Object.entries(WHOLE_BODIES.get(first.type) ?? {}) : [],
  );
  return Object.fromEntries(bodies);
}

function describeArguments(parameters: readonly RoutineParameter[], enums: EnumLabels): ValueSchema {
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    required: required.length === 0 ? undefined : required,
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, allowNull(describeType(type, enums))])),
  };
}
