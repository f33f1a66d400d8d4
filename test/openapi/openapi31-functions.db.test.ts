// Functions in the OpenAPI 3.1 document: arguments and results.
import { expect, test } from 'vitest';
import { buildOpenApi31 } from '../../src/extensions/openapi3/build-openapi31.ts';
import { at, type Json, readVisibility } from './describe.ts';
import { READER } from './harbor.ts';
import { useHarbor } from './use-harbor.ts';

const harbor = await useHarbor(buildOpenApi31);

function ref(section: string, key: string): Json {
  return { $ref: `#/components/${section}/${key}` };
}

function operation(path: string, method: string): Json {
  return at(harbor.document, 'paths', path, method) as Json;
}

/** Returns the schema of the JSON body of a 200 response. */
function resultOf(name: string): unknown {
  return at(operation(`/rpc/${name}`, 'post'), 'responses', '200', 'content', 'application/json', 'schema');
}

/** Returns the schema of the JSON body of a request. */
function argumentsOf(name: string): unknown {
  return at(operation(`/rpc/${name}`, 'post'), 'requestBody', 'content', 'application/json', 'schema');
}

test('describes arguments in a query', () => {
  expect(operation('/rpc/typed', 'get')).toMatchObject({
    tags: ['Functions'],
    summary: 'Types of everything',
    description: 'Long words\nabout it.',
    operationId: 'rpc_get_typed',
  });
  expect(operation('/rpc/typed', 'get')['parameters']).toEqual([
    { name: 'n', in: 'query', required: true, schema: { type: 'integer', format: 'int32' } },
    { name: 's', in: 'query', required: true, schema: { type: 'string', enum: ['free', 'taken'] } },
    { name: 'r', in: 'query', required: true, schema: { type: 'number', format: 'float' } },
    { name: 't', in: 'query', required: true, schema: { type: 'string', format: 'text[]' } },
    { name: 'j', in: 'query', schema: { type: 'string', format: 'jsonb' } },
    { name: 'v', in: 'query', schema: { type: 'array', items: { type: 'integer', format: 'int32' } } },
    ref('parameters', 'preferCall'),
  ]);
});

test('describes arguments in a body', () => {
  const args = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: ['string', 'null'] }, s: { type: ['string', 'null'], enum: ['free', 'taken', null] } },
  };
  expect(operation('/rpc/add_berth', 'post')['requestBody']).toEqual({
    required: true,
    content: { 'application/json': { schema: args }, 'application/x-www-form-urlencoded': { schema: args } },
  });
  expect(operation('/rpc/forget', 'post')).not.toHaveProperty('requestBody');
});

test('describes an unnamed argument as the whole body, without GET', () => {
  const body = (name: string) => at(operation(`/rpc/${name}`, 'post'), 'requestBody', 'content');
  expect(body('whole_json')).toEqual({ 'application/json': {} });
  expect(body('whole_text')).toEqual({ 'text/plain': { schema: { type: 'string' } } });
  expect(body('whole_bytes')).toEqual({ 'application/octet-stream': {} });
  expect(operation('/rpc/whole_json', 'get')).toBeUndefined();
});

test('describes only POST if a required argument has a reserved name', () => {
  expect(Object.keys(at(harbor.document, 'paths', '/rpc/limited') as Json)).toEqual(['post']);
});

test('describes overloads in one path, with the arguments and results of any of them', () => {
  expect(argumentsOf('over')).toMatchObject({ anyOf: [{ required: ['a'] }, { required: ['a', 'b'] }] });
  expect(resultOf('over')).toEqual({
    anyOf: [{ type: ['integer', 'null'], format: 'int32' }, { type: ['string', 'null'] }],
  });
  expect(operation('/rpc/over', 'get')['parameters']).toEqual([
    { name: 'a', in: 'query', required: true, schema: { type: 'integer', format: 'int32' } },
    { name: 'b', in: 'query', schema: { type: 'string' } },
    ref('parameters', 'preferCall'),
  ]);
});

test('describes results: scalars, sets, rows, columns, records and void', () => {
  expect(resultOf('typed')).toEqual({ type: ['string', 'null'] });
  expect(resultOf('codes')).toEqual({ type: 'array', items: { type: 'integer', format: 'int32' } });
  expect(resultOf('add_berth')).toEqual(ref('schemas', 'berth'));
  expect(resultOf('berths_near')).toEqual({ type: 'array', items: ref('schemas', 'berth') });
  expect(resultOf('in_out')).toEqual({
    type: 'object',
    required: ['y', 'z'],
    properties: { y: { type: ['integer', 'null'], format: 'int32' }, z: { type: ['string', 'null'] } },
  });
  expect(resultOf('totals')).toEqual({
    type: 'array',
    items: {
      type: 'object',
      required: ['x', 's'],
      properties: {
        x: { type: ['integer', 'null'], format: 'int32' },
        s: { type: ['string', 'null'], enum: ['free', 'taken', null] },
      },
    },
  });
  expect(resultOf('spot_of')).toEqual({ type: 'object' });
  expect(resultOf('any_row')).toEqual({ type: ['object', 'null'] });
  expect(resultOf('any_rows')).toEqual({ type: 'array', items: { type: 'object' } });
  expect(operation('/rpc/forget', 'post')['responses']).toEqual({
    204: ref('responses', 'NoContent'),
    default: ref('responses', 'Error'),
  });
});

test('describes the row of a relation that the role may not see as any object', async () => {
  const hidden = await readVisibility(harbor.database.uri, READER);
  const visibility = hidden.kind === 'all' ? hidden : { ...hidden, relations: new Map([['vessel', 's']]) };
  const narrow = harbor.describe({ visibility });
  const content = at(narrow, 'paths', '/rpc/add_berth', 'post', 'responses', '200', 'content', 'application/json');
  expect(content).toEqual({ schema: { type: 'object' } });
});

test('lists custom media types of relations, functions, and functions that return a relation', () => {
  const types = (response: unknown) => Object.keys(at(response, 'content') as Json);
  expect(types(at(harbor.document, 'components', 'responses', 'berth.rows'))).toContain('text/x-names');
  expect(types(at(harbor.document, 'components', 'responses', 'visit.rows'))).not.toContain('text/x-names');
  expect(types(at(operation('/rpc/berths_near', 'get'), 'responses', '200'))).toContain('text/x-names');
  expect(at(operation('/rpc/plan', 'get'), 'responses', '200', 'content', 'image/png')).toEqual({});
});
