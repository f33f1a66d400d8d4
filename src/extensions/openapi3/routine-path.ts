// Describes the path of a function: POST always, GET if an overload can be called that way.
import type { Routine, RoutineParameter, RoutineResult } from '../../catalog/schema-cache.ts';
import { type Content, describeFormat, describeRows, joinContents } from './content.ts';
import { describeOperation } from '../../openapi/document/comment-text.ts';
import { componentName, isReservedName, type Reference } from './components.ts';
import type { DocumentContext } from './document-context.ts';
import { FORMAT_LIST } from '../../media/formats.ts';
import {
  CONTENT_RANGE,
  describeQueryBody,
  describesQuery,
  ERROR,
  listRowFields,
  NO_CONTENT,
  type Operation,
  type Response,
  shared,
} from './operation.ts';
import { rowSchema } from './schemas.ts';
import type { Parameter } from './shared-parameters.ts';
import { elementType } from '../../openapi/swagger/types.ts';
import { allowNull, describeType, type EnumLabels, type JsonSchema, type ValueSchema } from './types.ts';
import { isUsableRelation } from './usable-relations.ts';

export const FUNCTIONS_TAG = 'Functions';

export function describeRoutinePath(
  name: string,
  overloads: readonly Routine[],
  context: DocumentContext,
): Record<string, Operation> {
  const post = {
    ...describeCall(overloads),
    operationId: `rpc_post_${componentName(name)}`,
    parameters: [...listRowParameters(overloads), ...shared('preferCall'), ...context.writeProfile],
    requestBody: describeBody(overloads, context.enums),
    responses: describeResponses(overloads, context),
  };
  const queryable = overloads.filter(isQueryable);
  if (queryable.length === 0) return { post };
  const query = describesQuery(context.input) ? { query: describeQuery(name, queryable, context) } : {};
  return {
    get: {
      ...describeCall(queryable),
      operationId: `rpc_get_${componentName(name)}`,
      parameters: [
        ...describeQueryArguments(queryable, context.enums),
        ...listRowParameters(queryable),
        ...listReadHeaders(queryable, context),
      ],
      responses: describeResponses(queryable, context),
    },
    ...query,
    post,
  };
}

function describeQuery(name: string, overloads: readonly Routine[], context: DocumentContext): Operation {
  const described = describeQueryArguments(overloads, context.enums);
  const fields = Object.fromEntries(described.map((argument) => [argument.name, argument.schema] as const));
  return {
    ...describeCall(overloads),
    operationId: `rpc_query_${componentName(name)}`,
    parameters: listReadHeaders(overloads, context),
    requestBody: describeQueryBody(hasColumns(overloads) ? { ...fields, ...listRowFields() } : fields),
    responses: describeResponses(overloads, context),
  };
}

function listReadHeaders(overloads: readonly Routine[], { readProfile }: DocumentContext): Operation['parameters'] {
  const isSet = overloads.some(({ result }) => result.kind !== 'void' && result.isSet);
  return [...(isSet ? shared('range') : []), ...shared('preferCall'), ...readProfile];
}

function describeCall(overloads: readonly Routine[]): Pick<Operation, 'tags' | 'summary' | 'description'> {
  const commented = overloads.find(({ comment }) => comment !== undefined);
  return { tags: [FUNCTIONS_TAG], ...describeOperation(commented?.comment) };
}

function listRowParameters(overloads: readonly Routine[]): readonly Reference[] {
  return hasColumns(overloads) ? shared('and', 'or', 'select', 'order', 'limit', 'offset') : [];
}

/** Rows with columns can be selected, filtered and sorted like those of a relation. */
function hasColumns(overloads: readonly Routine[]): boolean {
  return overloads.some(({ result }) => result.kind === 'composite');
}

/** Whether GET can call the overload (`writing.md` §14.4): it does not write and needs no body. */
function isQueryable({ volatility, parameters }: Routine): boolean {
  return volatility !== 'volatile' && parameters.every(({ name, isRequired }) => isSendable(name) || !isRequired);
}

/** An argument is required if every overload requires it. */
function describeQueryArguments(overloads: readonly Routine[], enums: EnumLabels): readonly Parameter[] {
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

function describeBody(overloads: readonly Routine[], enums: EnumLabels): Operation['requestBody'] {
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

type Results = readonly Exclude<RoutineResult, { kind: 'void' }>[];

/** Describes the responses of a function from the results of its overloads (`writing.md` §14.6). */
function describeResponses(overloads: readonly Routine[], context: DocumentContext): Operation['responses'] {
  const results: Results = overloads.flatMap(({ result }) => (result.kind === 'void' ? [] : [result]));
  const hasVoid = results.length < overloads.length;
  const isSet = results.some((result) => result.isSet);
  const name = overloads[0]?.name;
  const rows = name && results.length > 0 ? describeResults(results, name, context) : undefined;
  return {
    ...(rows && { 200: rows }),
    ...(hasVoid && { 204: NO_CONTENT }),
    ...(rows && isSet && { 206: { ...rows, description: 'Some of the rows' } }),
    ...ERROR,
  };
}

function describeResults(results: Results, name: Routine['name'], context: DocumentContext): Response {
  const [only] = results;
  const rowType = only?.kind === 'composite' && results.length === 1 ? only.rowType : undefined;
  const isEveryComposite = results.every(({ kind }) => kind === 'composite');
  const values = results.map((result) => describeValue(result, context));
  const json = results.map((result, index): JsonSchema => {
    const value = values[index] ?? {};
    if (result.isSet) return { type: 'array', items: value };
    // A null row is rendered as an object of nulls.
    return result.kind === 'composite' || '$ref' in value ? value : allowNull(value);
  });
  const content = describeRows(
    {
      json: unite(json),
      item: unite(values),
      isObject: isEveryComposite,
      isSet: results.some(({ isSet }) => isSet),
      element: rowType ?? name,
    },
    context,
  );
  return { description: 'OK', headers: CONTENT_RANGE, content };
}

function describeValue(result: Results[number], { input, enums }: DocumentContext): JsonSchema {
  if (result.kind === 'scalar') return result.isRecord ? { type: 'object' } : describeType(result.type, enums);
  const { rowType, outColumns } = result;
  if (rowType !== undefined) {
    const isDescribed = rowType.schema === input.schema && isUsableRelation(input, rowType.name);
    return isDescribed ? rowSchema(rowType.name) : { type: 'object' };
  }
  return {
    type: 'object',
    required: outColumns.map(([name]) => name),
    properties: Object.fromEntries(outColumns.map(([name, type]) => [name, allowNull(describeType(type, enums))])),
  };
}

function unite(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { anyOf: distinct };
}
