// Describes the responses of a function from the results of its overloads (`writing.md` §14.6).
import type { Routine, RoutineResult } from '../../catalog/schema-cache.ts';
import { describeRows } from './content.ts';
import type { DocumentContext } from './document-context.ts';
import { CONTENT_RANGE, ERROR, NO_CONTENT, type Operation, type Response } from './operation.ts';
import { rowSchema } from './schemas.ts';
import { allowNull, describeType, type JsonSchema } from './types.ts';
import { isUsableRelation } from './usable-relations.ts';

type Results = readonly Exclude<RoutineResult, { kind: 'void' }>[];

export function describeResponses(overloads: readonly Routine[], context: DocumentContext): Operation['responses'] {
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
