// Definitions and functions of the Swagger 2.0 document.
import { expect, test } from 'vitest';
import { buildSwagger } from '../../src/openapi/swagger/build-swagger.ts';
import { at, type Json } from './describe.ts';
import { useHarbor } from './use-harbor.ts';

const harbor = await useHarbor(buildSwagger);

function ref(section: string, key: string): Json {
  return { $ref: `#/${section}/${key}` };
}

function property(relation: string, column: string): unknown {
  return at(harbor.document, 'definitions', relation, 'properties', column);
}

test('O235 required lists the columns that are not nullable, and is absent for views', () => {
  expect(at(harbor.document, 'definitions', 'berth', 'required')).toEqual(['id', 'name']);
  expect(at(harbor.document, 'definitions', 'rope', 'required')).toEqual(['id']);
  expect(at(harbor.document, 'definitions', 'vessel_open')).not.toHaveProperty('required');
  expect(at(harbor.document, 'definitions', 'nothing')).toEqual({ type: 'object' });
});

test('O236 O237 properties have types, formats, enums, lengths and defaults', () => {
  const primaryKey = 'Note:\nThis is a Primary Key.<pk/>';
  expect(at(harbor.document, 'definitions', 'gauge', 'properties')).toEqual({
    id: { type: 'integer', format: 'int32', description: primaryKey },
    always_no: { type: 'integer', format: 'int32' },
    twice: { type: 'integer', format: 'int32' },
    small_n: { type: 'integer', format: 'int32', default: 42 },
    big_n: { type: 'integer', format: 'int64' },
    s: { type: 'string', format: 'api.status', enum: ['free', 'taken'], default: 'free' },
    states: { type: 'array', format: 'api.status[]', items: { type: 'string' } },
    c: { type: 'string', format: 'character varying', maxLength: 3, default: 'AAA' },
    must: { type: 'string', format: 'text' },
    label: {
      type: 'string',
      format: 'character varying',
      description: 'Short label',
      maxLength: 9,
      default: "it''s",
    },
    sym: { type: 'string', format: 'character', maxLength: 4, default: "'ab'::bpchar" },
    bits: { type: 'string', format: 'bit', maxLength: 3 },
    note: { type: 'string', format: 'text', default: 'a::b' },
    price: { type: 'number', format: 'numeric', default: 1.5 },
    depth: { type: 'number', format: 'real' },
    lat: { type: 'number', format: 'double precision' },
    open: { type: 'boolean', format: 'boolean', default: false },
    built: { type: 'string', format: 'date', default: '1900-01-01' },
    at: { type: 'string', format: 'timestamp with time zone', default: 'now()' },
    since: { type: 'string', format: 'timestamp without time zone', default: '2000-01-01 12:00:00' },
    ref: { type: 'string', format: 'uuid', default: '00000000-0000-4000-8000-000000000000' },
    tags: { type: 'array', format: 'text[]', items: { type: 'string' } },
    docs: { type: 'array', format: 'jsonb[]', items: {} },
    meta: { format: 'json' },
    extra: { format: 'jsonb' },
    span: { type: 'string', format: 'int4range' },
    place: { type: 'string', format: 'api.spot' },
    colour: { type: 'integer', format: 'int32' },
    needed: { type: 'integer', format: 'int32' },
  });
});

test('O238 descriptions note primary and foreign keys', () => {
  const foreignKey = (table: string) => `This is a Foreign Key to \`${table}.id\`.<fk table='${table}' column='id'/>`;
  const description = (relation: string, column: string) => at(property(relation, column), 'description');
  expect(description('berth', 'id')).toBe('Number painted on the quay\n\nNote:\nThis is a Primary Key.<pk/>');
  expect(description('visit', 'at')).toBe('Hour of the visit\n\nNote:\nThis is a Primary Key.<pk/>');
  expect(description('visit', 'vessel_id')).toBe(`Note:\nThis is a Primary Key.<pk/>\n${foreignKey('vessel')}`);
  expect(description('vessel_paper', 'vessel_id')).toBe(`Note:\nThis is a Primary Key.<pk/>\n${foreignKey('vessel')}`);
  expect(description('vessel', 'pilot_id')).toBe(`Note:\n${foreignKey('pilot')}`);
  expect(description('vessel_open', 'pilot_id')).toBe(`Note:\n${foreignKey('pilot')}`);
  expect(description('vessel_open', 'id')).toBe('Note:\nThis is a Primary Key.<pk/>');
});

test('O238 there is no note for a composite foreign key, the referenced side, or a key into another schema', () => {
  expect(property('rope', 'on_slot')).not.toHaveProperty('description');
  expect(property('label', 'crate_id')).not.toHaveProperty('description');
  expect(at(property('vessel', 'id'), 'description')).toBe('Note:\nThis is a Primary Key.<pk/>');
});

test('O239 arguments are described in a POST body and in a GET query', () => {
  const produces = [
    'application/json',
    'application/vnd.svc.object+json;nulls=stripped',
    'application/vnd.svc.object+json',
  ];
  const common = {
    tags: ['(rpc) typed'],
    summary: 'Types of everything',
    description: 'Long words\nabout it.',
    produces,
    responses: { 200: { description: 'OK' } },
  };
  const integer = { type: 'integer', format: 'int32' };
  expect(at(harbor.document, 'paths', '/rpc/typed')).toEqual({
    get: {
      ...common,
      parameters: [
        { name: 'n', in: 'query', required: true, ...integer },
        { name: 's', in: 'query', required: true, type: 'string', format: 'status' },
        { name: 'r', in: 'query', required: true, type: 'number', format: 'real' },
        { name: 't', in: 'query', required: true, type: 'string', format: 'text[]' },
        { name: 'j', in: 'query', required: false, type: 'string', format: 'jsonb' },
        { name: 'v', in: 'query', required: false, type: 'array', collectionFormat: 'multi', items: integer },
      ],
    },
    post: {
      ...common,
      parameters: [
        {
          name: 'args',
          in: 'body',
          required: true,
          schema: {
            type: 'object',
            description: 'Types of everything\n\nLong words\nabout it.',
            required: ['n', 's', 'r', 't'],
            properties: {
              n: integer,
              s: { type: 'string', format: 'status' },
              r: { type: 'number', format: 'real' },
              t: { type: 'array', format: 'text[]', items: { type: 'string' } },
              j: { format: 'jsonb' },
              v: { type: 'array', format: 'integer[]', items: { type: 'integer' } },
            },
          },
        },
        ref('parameters', 'preferParams'),
      ],
    },
  });
});

test('O239 INOUT parameters are arguments, OUT parameters and TABLE columns are not', () => {
  const names = (name: string) =>
    (at(harbor.document, 'paths', `/rpc/${name}`, 'get', 'parameters') as Json[]).map((parameter) => parameter['name']);
  expect(names('one_inout')).toEqual(['x']);
  expect(names('in_out')).toEqual(['a']);
  expect(names('totals')).toEqual([]);
  expect(at(harbor.document, 'paths', '/rpc/totals', 'post', 'parameters', '0', 'schema')).toEqual({ type: 'object' });
});

test('O239 an unnamed parameter is the whole body', () => {
  expect(at(harbor.document, 'paths', '/rpc/whole_json', 'post', 'parameters', '0')).toEqual({
    name: 'args',
    in: 'body',
    required: true,
    schema: { format: 'json' },
  });
  expect(at(harbor.document, 'paths', '/rpc/whole_text', 'get', 'parameters')).toEqual([]);
});

test('O239 type names are qualified with ignore-privileges', () => {
  const schema = at(harbor.describe({}), 'paths', '/rpc/typed', 'post', 'parameters', '0', 'schema');
  expect(at(schema, 'properties', 's')).toEqual({ type: 'string', format: 'api.status' });
});
