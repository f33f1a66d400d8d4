// The parts of the OpenAPI 3.1 document of a real schema.
import { expect, test } from 'vitest';
import { type ExtensionName, enableExtensions } from '../../src/contract/extensions.ts';
import { buildOpenApi31 } from '../../src/extensions/openapi3/build-openapi31.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { at, inputOf, type Json, parseDocument, readCache, readVisibility } from './describe.ts';
import { CLERK, OWNER_MEMBER, ODD_SQL, OWNER, READER, STRANGER, WRITER } from './harbor.ts';
import { useHarbor } from './use-harbor.ts';

const harbor = await useHarbor(buildOpenApi31, WRITER);

function ref(section: string, key: string): Json {
  return { $ref: `#/components/${section}/${key}` };
}

function parameters(...keys: readonly string[]): readonly Json[] {
  return keys.map((key) => ref('parameters', key));
}

function operation(path: string, method: string): Json {
  return at(harbor.document, 'paths', path, method) as Json;
}

function schema(key: string): Json {
  return at(harbor.document, 'components', 'schemas', key) as Json;
}

test('has the required members', () => {
  expect(Object.keys(harbor.document)).toEqual(['openapi', 'info', 'tags', 'paths', 'components']);
  expect(harbor.document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Harbor service', description: 'Berths, vessels and visits.\nSecond line.', version: '0.1' },
  });
  expect(harbor.document['tags']).toContainEqual({ name: 'berth', description: 'A place for one vessel' });
  expect(harbor.document['tags']).toContainEqual({ name: 'Functions' });
});

test('contains external documentation only if it is configured', () => {
  const url = 'https://example.com/docs';
  expect(at(harbor.describe({ externalDocs: url }), 'externalDocs')).toEqual({
    description: 'rowhouse Documentation',
    url,
  });
});

test('declares a bearer token for all operations when active', () => {
  const secured = harbor.describe({ isSecurityActive: true });
  expect(secured['security']).toEqual([{ JWT: [] }]);
  expect(at(secured, 'components', 'securitySchemes')).toEqual({
    JWT: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  });
  expect(at(harbor.document, 'components')).not.toHaveProperty('securitySchemes');
});

test('with several schemas, declares the profile header of each method', () => {
  const archive = harbor.describe({ schema: 'archive', exposedSchemas: ['api', 'archive'] });
  const last = (method: string) => (at(archive, 'paths', '/old_visit', method, 'parameters') as Json[]).at(-1);
  expect(last('get')).toEqual(ref('parameters', 'acceptProfile'));
  expect(last('post')).toEqual(ref('parameters', 'contentProfile'));
  expect(at(archive, 'components', 'parameters', 'contentProfile')).toEqual({
    name: 'Content-Profile',
    in: 'header',
    description: 'The schema this document describes',
    schema: { enum: ['archive'] },
  });
  expect(at(harbor.document, 'components', 'parameters')).not.toHaveProperty('acceptProfile');
});

test('describes reads of a relation', () => {
  const rows = ref('responses', 'visit.rows');
  expect(operation('/visit', 'get')).toEqual({
    tags: ['visit'],
    operationId: 'get_visit',
    parameters: [
      ...parameters('visit.vessel_id', 'visit.berth_id', 'visit.at'),
      ...parameters('and', 'or', 'select', 'order', 'limit', 'offset', 'range', 'preferRead'),
    ],
    responses: {
      200: rows,
      206: { ...rows, description: 'Some of the rows' },
      default: ref('responses', 'Error'),
    },
  });
  expect(at(harbor.document, 'components', 'responses', 'visit.rows')).toEqual({
    description: 'Rows',
    headers: { 'Content-Range': ref('headers', 'contentRange') },
    content: {
      'application/json': { schema: { type: 'array', items: ref('schemas', 'visit') } },
      'text/csv': { schema: { type: 'string' } },
      'application/vnd.svc.object+json': { schema: ref('schemas', 'visit') },
    },
  });
});

test('describes writes to a relation', () => {
  expect(operation('/berth', 'post')).toMatchObject({
    parameters: parameters('select', 'columns', 'on_conflict', 'preferInsert'),
    requestBody: ref('requestBodies', 'berth.insertBody'),
    responses: { 201: { headers: { Location: ref('headers', 'location') } } },
  });
  expect(operation('/berth', 'patch')).toMatchObject({
    parameters: parameters('berth.id', 'berth.name', 'and', 'or', 'select', 'columns', 'preferUpdate'),
    requestBody: ref('requestBodies', 'berth.updateBody'),
    responses: { 204: ref('responses', 'NoContent') },
  });
  expect(operation('/berth', 'delete')).toMatchObject({
    parameters: parameters('berth.id', 'berth.name', 'and', 'or', 'select', 'preferDelete'),
    responses: { 204: ref('responses', 'NoContent') },
  });
  const row = ref('schemas', 'berth.insert');
  expect(at(harbor.document, 'components', 'requestBodies', 'berth.insertBody')).toEqual({
    required: true,
    content: {
      'application/json': { schema: { anyOf: [row, { type: 'array', items: row }] } },
      'application/x-www-form-urlencoded': { schema: row },
      'text/csv': { schema: { type: 'string' } },
    },
  });
});

test('B33 describes which related rows a body may contain', () => {
  const describe = (relation: string, extensions: readonly ExtensionName[]): unknown =>
    at(
      harbor.describe({ extensions: enableExtensions(extensions) }),
      'components',
      'requestBodies',
      `${relation}.insertBody`,
      'description',
    );
  expect(describe('pilot', ['nested'])).toBe(
    'With `Prefer: nested=write`, a POST may contain related rows under their names in `select`: `vessel`, `vessel_open`',
  );
  expect(describe('ledger', ['nested'])).toBe(undefined);
  expect(describe('pilot', [])).toBe(undefined);
  const prefer = at(
    harbor.describe({ extensions: enableExtensions(['nested']) }),
    'components',
    'parameters',
    'preferInsert',
  );
  expect(prefer).toMatchObject({ description: expect.stringContaining('`nested=write`') as string });
});

test('B21 describes conditions on writes of one row', () => {
  const document = harbor.describe({ extensions: enableExtensions(['etag']) });
  const conditionsOf = (path: string, method: string): unknown => {
    const { parameters: given, responses } = at(document, 'paths', path, method) as Record<string, Json[]>;
    const names = given?.map(({ name }) => name).filter((name) => String(name).startsWith('If-'));
    return [names, Reflect.get(responses ?? {}, '412')];
  };
  const failed = ref('responses', 'ConditionFailed');
  expect(conditionsOf('/berth', 'put')).toEqual([['If-Match', 'If-None-Match'], failed]);
  expect(conditionsOf('/berth', 'patch')).toEqual([['If-Match'], failed]);
  expect(conditionsOf('/berth', 'delete')).toEqual([['If-Match'], failed]);
  expect(conditionsOf('/berth', 'post')).toEqual([[], undefined]);
  expect(at(harbor.document, 'paths', '/berth', 'patch', 'responses')).not.toHaveProperty('412');
});

test('requires every key column for PUT', () => {
  const [slot, pier] = operation('/mooring', 'put')['parameters'] as Json[];
  expect([slot, pier]).toMatchObject([
    { name: 'pier', in: 'query', required: true, schema: { type: 'string', pattern: String.raw`^eq\.` } },
    { name: 'slot', in: 'query', required: true },
  ]);
});

test('lists only operations that the relation supports', () => {
  const methods = (path: string) => Object.keys(at(harbor.document, 'paths', path) as Json);
  expect(methods('/berth')).toEqual(['get', 'post', 'put', 'patch', 'delete']);
  expect(methods('/nothing')).toEqual(['get', 'post', 'patch', 'delete']);
  expect(methods('/berth_list')).toEqual(['get']);
  expect(methods('/berth_count')).toEqual(['get', 'post']);
  expect(schema('berth_count.insert')).toBeDefined();
  expect(at(harbor.document, 'components', 'schemas')).not.toHaveProperty('berth_count.update');
});

async function describeFor(role: string): Promise<Json> {
  return harbor.describe({ visibility: await readVisibility(harbor.database.uri, role) });
}

function methodsOf(document: Json): Readonly<Record<string, readonly string[]>> {
  const paths = Object.entries(at(document, 'paths') as Json).filter(([path]) => !/^\/(?:rpc\/|$)/u.test(path));
  return Object.fromEntries(paths.map(([path, methods]) => [path, Object.keys(methods as Json)]));
}

test('lists only operations that the role may use', async () => {
  const reader = methodsOf(await describeFor(READER));
  expect(new Set(Object.values(reader).flat())).toEqual(new Set(['get']));
  expect(reader).toHaveProperty('/half_seen');
  expect(methodsOf(await describeFor(CLERK))).toMatchObject({ '/berth': ['get'], '/ledger': ['delete'] });
});

test('describes nothing of a relation that the role may not use', async () => {
  // The owner revoked all privileges from itself; the stranger has no USAGE on the schema.
  for (const role of [OWNER, OWNER_MEMBER, STRANGER]) {
    const document = await describeFor(role);
    expect([role, methodsOf(document)]).toEqual([role, {}]);
    expect([role, at(document, 'components', 'schemas')]).toEqual([role, {}]);
  }
  expect(harbor.document['tags']).not.toContainEqual({ name: 'ledger' });
  expect(methodsOf(harbor.describe({}))['/ledger']).toEqual(['get', 'post', 'put', 'patch', 'delete']);
});

test('describes components for writes only to roles that may write', async () => {
  const reader = await describeFor(READER);
  expect(at(reader, 'components', 'requestBodies')).toEqual({});
  expect(Object.keys(at(reader, 'components', 'schemas') as Json)).not.toContain('berth.insert');
  const clerk = await describeFor(CLERK);
  expect(Object.keys(at(clerk, 'components', 'schemas') as Json).filter((key) => key.startsWith('ledger'))).toEqual([
    'ledger',
  ]);
});

test('requires all columns in a row as read', () => {
  expect(schema('berth')).toEqual({
    type: 'object',
    description: 'A place for one vessel\n\nNumbered from the sea.\nTwo lines.',
    required: ['id', 'name'],
    properties: {
      id: {
        type: 'integer',
        format: 'int32',
        description: 'Number painted on the quay\n\nNote:\nThis is a Primary Key.<pk/>',
      },
      name: { type: 'string' },
    },
  });
  expect(schema('vessel_open')['required']).toEqual(['id', 'name', 'pilot_id']);
});

test('describes column types, and which columns an insert may omit: their defaults are notes, not values to send', () => {
  const nullable = (type: string, more: Json = {}) => ({ type: [type, 'null'], ...more });
  expect(schema('gauge.insert')).toEqual({
    type: 'object',
    required: ['must', 'needed'],
    properties: {
      id: {
        type: 'integer',
        format: 'int32',
        description: "Note:\nThis is a Primary Key.<pk/>\n\nDefault: `nextval('api.gauge_id_seq')`",
      },
      small_n: nullable('integer', { format: 'int32', description: 'Default: `42`' }),
      big_n: nullable('integer', { format: 'int64', description: "Default: `'9007199254740993'::bigint`" }),
      s: nullable('string', { enum: ['free', 'taken', null], description: "Default: `'free'::api.status`" }),
      states: nullable('array', { items: { type: 'string', enum: ['free', 'taken'] } }),
      c: nullable('string', { maxLength: 3, description: "Default: `'AAA'::character varying`" }),
      must: { type: 'string' },
      label: nullable('string', { description: "Short label\n\nDefault: `'it''s'::character varying`", maxLength: 9 }),
      sym: nullable('string', { maxLength: 4, description: "Default: `'ab'::bpchar`" }),
      bits: nullable('string', { format: 'bit', maxLength: 3 }),
      note: nullable('string', { description: "Default: `'a::b'::text`" }),
      price: nullable('number', { format: 'decimal', description: 'Default: `1.5`' }),
      depth: nullable('number', { format: 'float', description: "Default: `'-1'::integer`" }),
      lat: nullable('number', { format: 'double' }),
      open: nullable('boolean', { description: 'Default: `false`' }),
      built: nullable('string', { format: 'date', description: "Default: `'1900-01-01'::date`" }),
      at: nullable('string', { format: 'date-time', description: 'Default: `now()`' }),
      since: nullable('string', {
        format: 'date-time-local',
        description: "Default: `'2000-01-01 12:00:00'::timestamp without time zone`",
      }),
      ref: nullable('string', {
        format: 'uuid',
        description: "Default: `'00000000-0000-4000-8000-000000000000'::uuid`",
      }),
      tags: nullable('array', { items: { type: 'string' }, description: "Default: `'{}'::text[]`" }),
      docs: nullable('array', { items: {} }),
      meta: { description: `Default: \`'{"a": 1}'::json\`` },
      extra: {},
      span: nullable('string', { format: 'int4range' }),
      place: { format: 'api.spot' },
      colour: {},
      needed: { type: 'integer', format: 'int32' },
    },
  });
});

test('marks generated columns as read-only and omits them from payloads', () => {
  expect(at(schema('gauge'), 'properties', 'always_no')).toEqual({ type: 'integer', format: 'int32', readOnly: true });
  expect(at(schema('gauge'), 'properties', 'twice')).toMatchObject({ readOnly: true });
  for (const key of ['gauge.insert', 'gauge.update']) {
    expect(schema(key)['properties']).not.toHaveProperty('always_no');
    expect(schema(key)['properties']).not.toHaveProperty('twice');
  }
});

test('requires nothing and notes no defaults in an update', () => {
  expect(schema('gauge.update')).not.toHaveProperty('required');
  expect(at(schema('gauge.update'), 'properties', 'small_n')).toEqual({ type: ['integer', 'null'], format: 'int32' });
});

test('describes a filter with its column and a suitable operator', () => {
  const filter = (key: string) => at(harbor.document, 'components', 'parameters', key);
  expect(filter('berth.id')).toEqual({
    name: 'id',
    in: 'query',
    description: 'Number painted on the quay\n\nAn operator and a value: `gte.1`',
    schema: { type: 'string' },
  });
  const example = (key: string) => /`(.*)`/u.exec(String(at(filter(key), 'description')))?.[1];
  expect(['name', 's', 'open', 'tags', 'at', 'meta'].map((name) => example(`gauge.${name}`))).toEqual([
    undefined,
    'eq.free',
    'is.true',
    'cs.{}',
    'gte.2000-01-31T12:00:00Z',
    'not.is.null',
  ]);
});

test('B37 describes bodies that change many rows', () => {
  const document = harbor.describe({ extensions: enableExtensions(['bulk']) });
  const changes = ref('schemas', 'berth.update');
  expect(at(document, 'components', 'schemas', 'berth.updates')).toEqual({
    anyOf: [changes, { type: 'array', items: changes }],
  });
  expect(at(document, 'components', 'requestBodies', 'berth.updateBody', 'content', 'application/json')).toEqual({
    schema: ref('schemas', 'berth.updates'),
  });
  const names = (relation: string): unknown =>
    (at(document, 'paths', `/${relation}`, 'patch', 'parameters') as Json[]).map(({ name }) => name).filter(Boolean);
  expect(names('berth')).toEqual(['match']);
});

test('encodes odd names in paths, quotes them in filters and keeps them distinct in keys', async () => {
  const own = await createDatabase();
  await runSql(own.uri, ODD_SQL);
  const odd = parseDocument(buildOpenApi31(inputOf(await readCache(own.uri))));
  await own.drop();
  expect(Object.keys(at(odd, 'paths') as Json)).toContain('/a%20b%2Fc~d%25e%5Bf%5D%7Bg%7D');
  expect(Object.keys(at(odd, 'paths') as Json)).toContain('/rpc/f%20o%2Fo%3F');
  const dictionary = at(odd, 'components', 'parameters') as Record<string, Json>;
  const filters = Object.entries(dictionary).filter(([key]) => key.startsWith('a-20-'));
  expect(filters.map(([, { name }]) => name)).toEqual([
    '"x y"',
    String.raw`"q\"w"`,
    '"limit"',
    '"or"',
    '__proto__',
    '"select"',
    '"k.l"',
    'ü',
  ]);
  const keys = Object.keys(at(odd, 'components', 'schemas') as Json).filter((key) => key.startsWith('houses'));
  const insert = ['houses', 'houses-2e-insert', 'houses-2d-2e-2d-insert'];
  expect(keys.toSorted()).toEqual(insert.flatMap((key) => [key, `${key}.insert`, `${key}.update`]).toSorted());
});

test('no request body has the name of a schema, from which generators derive the same type', () => {
  const keys = (section: string): readonly string[] =>
    Object.keys(at(harbor.document, 'components', section) as object);
  const schemas = new Set(keys('schemas'));
  expect(keys('requestBodies').filter((key) => schemas.has(key))).toEqual([]);
  expect(keys('requestBodies').length).toBeGreaterThan(0);
});
