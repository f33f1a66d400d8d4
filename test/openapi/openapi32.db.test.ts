// What OpenAPI 3.2 describes beyond 3.1: QUERY operations, and the items of streams.
import { expect, test } from 'vitest';
import { EXTENSION_NAMES, enableExtensions } from '../../src/contract/extensions.ts';
import { buildOpenApi31 } from '../../src/extensions/openapi3/build-openapi31.ts';
import { useHarbor as useServedHarbor } from '../support/harbor.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { runSql } from '../support/database.ts';
import { at, inputOf, type Json, parseDocument, readCache } from './describe.ts';
import { WRITER } from './harbor.ts';
import { useHarbor } from './use-harbor.ts';
import { validate3 } from './validate.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor(buildOpenApi31, WRITER);
const ALL = { version: '3.2', extensions: enableExtensions(EXTENSION_NAMES) } as const;
const FORM = 'application/x-www-form-urlencoded';
const LINES = 'application/x-ndjson';
const TEXT = { type: 'string' };
const ROW_FIELDS = { and: TEXT, or: TEXT, select: TEXT, order: TEXT, limit: TEXT, offset: TEXT };

const served = await useServedHarbor();
let server: LocalServer | undefined;
function ref(section: string, key: string): Json {
  return { $ref: `#/components/${section}/${key}` };
}

test('B85 describes QUERY of a relation, with the query string as its body', () => {
  const document = harbor.describe(ALL);
  expect(document['openapi']).toBe('3.2.0');
  expect(at(document, 'paths', '/visit', 'query')).toEqual({
    tags: ['visit'],
    operationId: 'query_visit',
    parameters: [ref('parameters', 'range'), ref('parameters', 'preferRead')],
    requestBody: {
      required: true,
      content: {
        [FORM]: {
          schema: { type: 'object', properties: { vessel_id: TEXT, berth_id: TEXT, at: TEXT, ...ROW_FIELDS } },
        },
      },
    },
    responses: at(document, 'paths', '/visit', 'get', 'responses'),
  });
});

test('B85 describes QUERY of a function that GET can call', () => {
  const document = harbor.describe({ ...ALL, exposedSchemas: ['api', 'archive'] });
  const query = at(document, 'paths', '/rpc/berths_near', 'query') as Json;
  expect(query).toMatchObject({
    tags: ['Functions'],
    operationId: 'rpc_query_berths_near',
    parameters: ['range', 'preferCall', 'acceptProfile'].map((key) => ref('parameters', key)),
    responses: at(document, 'paths', '/rpc/berths_near', 'get', 'responses'),
  });
  expect(at(query, 'requestBody', 'content', FORM, 'schema', 'properties')).toMatchObject(ROW_FIELDS);
  expect(at(document, 'paths', '/rpc/over', 'query', 'requestBody', 'content', FORM, 'schema', 'properties')).toEqual({
    a: { type: 'integer', format: 'int32' },
    b: TEXT,
  });
  expect(at(document, 'paths', '/rpc/add_berth')).not.toHaveProperty('query');
});

test('B85 describes the rows of NDJSON with itemSchema, in responses and in bodies', () => {
  const document = harbor.describe(ALL);
  const content = (...path: string[]) => at(document, ...path, 'content', LINES);
  const result = (name: string) => content('paths', `/rpc/${name}`, 'post', 'responses', '200');
  expect(content('components', 'responses', 'berth.rows')).toEqual({ itemSchema: ref('schemas', 'berth') });
  expect(result('berths_near')).toEqual({ itemSchema: ref('schemas', 'berth') });
  expect(result('codes')).toEqual({ itemSchema: { type: 'integer', format: 'int32' } });
  expect(result('add_berth')).toBeUndefined();
  expect(content('components', 'requestBodies', 'berth.insertBody')).toEqual({
    itemSchema: ref('schemas', 'berth.insert'),
  });
});

test('B85 describes server-sent events with itemSchema', async () => {
  const { uri } = harbor.database;
  await runSql(
    uri,
    `create domain "text/event-stream" as text;
     create function api.arrivals() returns "text/event-stream" language sql stable as $$ select 'berth' $$`,
  );
  const input = inputOf(await readCache(uri), ALL);
  const content = (version: '3.1' | '3.2') =>
    at(
      parseDocument(buildOpenApi31({ ...input, version })),
      'paths',
      '/rpc/arrivals',
      'get',
      'responses',
      '200',
      'content',
    );
  expect(at(content('3.2'), 'text/event-stream')).toEqual({
    itemSchema: { type: 'object', properties: { event: TEXT, data: TEXT, id: TEXT } },
  });
  expect(at(content('3.1'), 'text/event-stream')).toEqual({ schema: TEXT });
  expect(await validate3(parseDocument(buildOpenApi31(input)))).toEqual([]);
});

test('B71 describes that reads can be watched', () => {
  const content = (version: '3.1' | '3.2', isWatchable: boolean, method: string) =>
    at(harbor.describe({ ...ALL, version, isWatchable }), 'paths', '/berth', method, 'responses', '200');
  expect(content('3.1', false, 'get')).toEqual(ref('responses', 'berth.rows'));
  expect(at(content('3.1', true, 'get'), 'content', 'text/event-stream')).toEqual({ schema: TEXT });
  expect(at(content('3.2', true, 'get'), 'content', 'text/event-stream')).toHaveProperty('itemSchema');
  expect(content('3.1', true, 'patch')).toEqual(content('3.1', false, 'patch'));
});

test('B85 is the 3.1 document in everything else', () => {
  const extensions = { ...enableExtensions(EXTENSION_NAMES), query: false, stream: false, ingest: false };
  const [older, newer] = (['3.1', '3.2'] as const).map((version) => harbor.describe({ version, extensions }));
  expect(newer).toEqual({ ...older, openapi: '3.2.0' });
  expect(JSON.stringify(harbor.describe({ ...ALL, version: '3.1' }))).not.toMatch(/itemSchema|"query":/u);
});

test.each([
  [{}, '3.2.0'],
  [{ extensions: 'openapi32' }, '3.2.0'],
  [{ extensions: 'query,stream' }, '3.1.0'],
  [{ dialect: 'postgrest' }, '3.1.0'],
  [{ dialect: 'postgrest', extensions: 'all' }, '3.2.0'],
] as const)('B85 B54 serves openapi-version 3.2 with %o as %s', async (options, version) => {
  server = await use(startLocalServer(served, { 'openapi-version': '3.2', ...options }));
  const { status, headers, text } = await server.get('/', { headers: { Accept: 'application/json' } });
  expect([status, headers['content-type']]).toEqual([200, 'application/openapi+json; charset=utf-8']);
  const document = JSON.parse(text) as Json;
  expect(document['openapi']).toBe(version);
  expect(document['servers']).toEqual([{ url: `http://127.0.0.1:${server.port}` }]);
  expect(await validate3(document)).toEqual([]);
});
