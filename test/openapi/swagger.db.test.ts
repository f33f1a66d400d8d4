// The parts of the Swagger 2.0 document of a real schema.
import { expect, test } from 'vitest';
import { buildSwagger } from '../../src/openapi/swagger/build-swagger.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { at, type Json, readVisibility } from './describe.ts';
import { CLERK, OWNER_MEMBER, OWNER, READER, STRANGER } from './harbor.ts';
import { useHarbor } from './use-harbor.ts';

const harbor = await useHarbor(buildSwagger);

async function pathsOf(role: string): Promise<readonly string[]> {
  const visibility = await readVisibility(harbor.database.uri, role);
  return Object.keys(at(harbor.describe({ visibility }), 'paths') as Json);
}

function ref(section: string, key: string): Json {
  return { $ref: `#/${section}/${key}` };
}

function parameters(...keys: readonly string[]): readonly Json[] {
  return keys.map((key) => ref('parameters', key));
}

test('O223 follow-privileges lists relations with any privilege and functions that may be executed', async () => {
  const reader = await pathsOf(READER);
  expect(reader).toContain('/berth');
  expect(reader).toContain('/half_seen');
  expect(reader).toContain('/rpc/codes');
  expect(reader).not.toContain('/ledger');
  expect(reader).not.toContain('/rpc/only_clerk');
  const clerk = await pathsOf(CLERK);
  expect(clerk).toContain('/ledger');
  expect(clerk).toContain('/rpc/only_clerk');
  expect(clerk).not.toContain('/half_seen');
});

test('O223 an owner without privileges and its members see its relation, a stranger sees none', async () => {
  const relations = (paths: readonly string[]) => paths.filter((path) => !path.startsWith('/rpc/'));
  expect(relations(await pathsOf(OWNER))).toEqual(['/', '/ledger']);
  expect(relations(await pathsOf(OWNER_MEMBER))).toEqual(['/', '/ledger']);
  expect(relations(await pathsOf(STRANGER))).toEqual(['/']);
});

test('O223 ignore-privileges lists everything except partitions and routines that requests cannot call', () => {
  const paths = Object.keys(at(harbor.describe({}), 'paths') as Json);
  expect(paths).toEqual(expect.arrayContaining(['/', '/ledger', '/half_seen', '/log', '/rpc/only_clerk', '/rpc/over']));
  for (const hidden of ['/log_low', '/spot', '/rpc/unnamed_int', '/rpc/on_change', '/rpc/tidy', '/rpc/names']) {
    expect(paths).not.toContain(hidden);
  }
});

test('O223 functions and the schema comment are read on each request', async () => {
  const own = await createDatabase({ template: harbor.database.name });
  await runSql(
    own.uri,
    `create function api.newer(n int) returns int language sql stable as 'select 1';
    drop function api.codes; comment on schema api is 'Renamed'; create table api.newer ();`,
  );
  const live = harbor.describe({ visibility: await readVisibility(own.uri, READER) });
  await own.drop();
  expect(at(live, 'paths', '/rpc/newer', 'get')).toBeDefined();
  expect(at(live, 'paths', '/rpc/codes')).toBeUndefined();
  expect(at(live, 'paths', '/newer')).toBeUndefined();
  expect(at(live, 'info', 'title')).toBe('Renamed');
});

test('O225 each schema has its own document', () => {
  const archive = harbor.describe({ schema: 'archive' });
  expect(Object.keys(at(archive, 'paths') as Json)).toEqual(['/', '/old_visit']);
  expect(Object.keys(at(archive, 'definitions') as Json)).toEqual(['old_visit']);
  expect(at(archive, 'info', 'title')).toBe('Old records');
});

test('O226 external documentation is the configured page, otherwise the API itself', () => {
  const url = 'https://example.com/docs';
  expect(at(harbor.describe({ externalDocs: url }), 'externalDocs', 'url')).toBe(url);
  const proxied = harbor.describe({ server: { host: '!4', port: 3000, proxyUri: 'https://api.port.example/v1' } });
  expect(at(proxied, 'externalDocs', 'url')).toBe('https://api.port.example:443/v1');
  expect(harbor.describe({ server: { host: '::1', port: 3000, proxyUri: undefined } })).not.toHaveProperty(
    'externalDocs',
  );
});

test('O226 the document has the required members', () => {
  const { paths, parameters: dictionary, definitions, ...rest } = harbor.document;
  const mediaTypes = [
    'application/json',
    'application/vnd.svc.object+json;nulls=stripped',
    'application/vnd.svc.object+json',
    'text/csv',
  ];
  expect(rest).toEqual({
    swagger: '2.0',
    info: { title: 'Harbor service', description: 'Berths, vessels and visits.\nSecond line.', version: '0.1' },
    host: '127.0.0.1:3000',
    basePath: '/',
    schemes: ['http'],
    consumes: mediaTypes,
    produces: mediaTypes,
    externalDocs: { description: 'rowhouse Documentation', url: 'http://127.0.0.1:3000/' },
  });
  expect(at(paths, '/')).toEqual({
    get: {
      tags: ['Introspection'],
      summary: 'OpenAPI description (this document)',
      produces: ['application/openapi+json', 'application/json'],
      responses: { 200: { description: 'OK' } },
    },
  });
  expect(dictionary).toBeDefined();
  expect(definitions).toBeDefined();
});

test('O227 a one-line comment gives an empty description, no comment gives the defaults', () => {
  expect(harbor.describe({ schema: 'archive' })['info']).toEqual({
    title: 'Old records',
    description: '',
    version: '0.1',
  });
  expect(harbor.describe({ schema: 'blank' })['info']).toEqual({
    title: 'rowhouse API',
    description: 'This is a dynamic API generated by rowhouse',
    version: '0.1',
  });
});

test.each([
  ['https://api.port.example/v1', 'https', 'api.port.example:443', '/v1'],
  ['http://api.port.example', 'http', 'api.port.example:80', '/'],
  ['HTTPS://api.port.example:8443/base/path', 'https', 'api.port.example:8443', '/base/path'],
])('O228 the proxy URI %s sets scheme, host and base path', (proxyUri, scheme, host, basePath) => {
  expect(harbor.describe({ server: { host: '!4', port: 3000, proxyUri } })).toMatchObject({
    schemes: [scheme],
    host,
    basePath,
  });
});

test.each(['*', '*4', '!4', '*6', '!6'])('O228 the special host %s is shown as 0.0.0.0', (host) => {
  expect(harbor.describe({ server: { host, port: 80, proxyUri: undefined } })['host']).toBe('0.0.0.0:80');
});

test('O228 the host is omitted for an IPv6 literal, which Swagger cannot express', () => {
  expect(harbor.describe({ server: { host: '::1', port: 80, proxyUri: undefined } })).not.toHaveProperty('host');
});

test('O229 security sections are present only when active', () => {
  expect(harbor.describe({ isSecurityActive: true })).toMatchObject({
    security: [{ JWT: [] }],
    securityDefinitions: {
      JWT: {
        description: 'Add the token prepending "Bearer " (without quotes) to it',
        in: 'header',
        name: 'Authorization',
        type: 'apiKey',
      },
    },
  });
  expect(harbor.document).not.toHaveProperty('security');
  expect(harbor.document).not.toHaveProperty('securityDefinitions');
});

test('O230 a relation has operations with parameters and responses', () => {
  const filters = parameters('rowFilter.visit.vessel_id', 'rowFilter.visit.berth_id', 'rowFilter.visit.at');
  const noContent = { 204: { description: 'No Content' } };
  expect(at(harbor.document, 'paths', '/visit')).toEqual({
    get: {
      tags: ['visit'],
      parameters: [
        ...filters,
        ...parameters('select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'),
      ],
      responses: {
        200: { description: 'OK', schema: { type: 'array', items: ref('definitions', 'visit') } },
        206: { description: 'Partial Content' },
      },
    },
    post: {
      tags: ['visit'],
      parameters: parameters('body.visit', 'select', 'preferPost'),
      responses: { 201: { description: 'Created' } },
    },
    patch: {
      tags: ['visit'],
      parameters: [...filters, ...parameters('body.visit', 'preferReturn')],
      responses: noContent,
    },
    delete: { tags: ['visit'], parameters: [...filters, ...parameters('preferReturn')], responses: noContent },
  });
});

test('O231 a read-only relation has only get; a relation that supports any write has all operations', () => {
  for (const path of ['/berth_list', '/berth_names']) {
    expect(Object.keys(at(harbor.document, 'paths', path) as Json)).toEqual(['get']);
  }
  expect(Object.keys(at(harbor.document, 'paths', '/berth_count') as Json)).toEqual(['get', 'post', 'patch', 'delete']);
});

test('O232 summary and description come from comments', () => {
  const long = { summary: 'A place for one vessel', description: 'Numbered from the sea.\nTwo lines.' };
  for (const method of ['get', 'post', 'patch', 'delete']) {
    expect(at(harbor.document, 'paths', '/berth', method)).toMatchObject(long);
  }
  expect(at(harbor.document, 'paths', '/vessel', 'get')).toMatchObject({ summary: 'Ships only' });
  expect(at(harbor.document, 'paths', '/vessel', 'get')).not.toHaveProperty('description');
  expect(at(harbor.document, 'paths', '/visit', 'get')).not.toHaveProperty('summary');
  expect(at(harbor.document, 'definitions', 'berth', 'description')).toBe(
    'A place for one vessel\n\nNumbered from the sea.\nTwo lines.',
  );
});

test('O233 functions have post, and get unless they are VOLATILE', () => {
  const methods = (name: string) => Object.keys(at(harbor.document, 'paths', `/rpc/${name}`) as Json);
  expect(methods('add_berth')).toEqual(['post']);
  expect(methods('forget')).toEqual(['post']);
  expect(methods('typed')).toEqual(['get', 'post']);
  expect(methods('one_inout')).toEqual(['get', 'post']);
});

test('O234 shared parameters are listed', () => {
  const text = { required: false, type: 'string' };
  const prefer = { ...text, name: 'Prefer', description: 'Preference', in: 'header' };
  const paging = { ...text, description: 'Limiting and Pagination' };
  const returns = ['return=representation', 'return=minimal', 'return=none'];
  const shared = Object.entries(harbor.document['parameters'] as Json).filter(([key]) => !key.includes('.'));
  expect(Object.fromEntries(shared)).toEqual({
    preferParams: prefer,
    preferReturn: { ...prefer, enum: returns },
    preferCount: { ...prefer, enum: ['count=none'] },
    preferPost: { ...prefer, enum: [...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'] },
    select: { ...text, name: 'select', description: 'Filtering Columns', in: 'query' },
    on_conflict: { ...text, name: 'on_conflict', description: 'On Conflict', in: 'query' },
    order: { ...text, name: 'order', description: 'Ordering', in: 'query' },
    range: { ...paging, name: 'Range', in: 'header' },
    rangeUnit: { ...paging, name: 'Range-Unit', in: 'header', default: 'items' },
    offset: { ...paging, name: 'offset', in: 'query' },
    limit: { ...paging, name: 'limit', in: 'query' },
  });
});

test('O234 the body and filters of a relation are listed', () => {
  const dictionary = harbor.document['parameters'] as Json;
  expect(Object.keys(dictionary).filter((key) => key.split('.')[1] === 'berth')).toEqual([
    'body.berth',
    'rowFilter.berth.id',
    'rowFilter.berth.name',
  ]);
  expect(dictionary['body.berth']).toEqual({
    name: 'berth',
    description: 'berth',
    required: false,
    in: 'body',
    schema: ref('definitions', 'berth'),
  });
  const filter = { required: false, in: 'query', type: 'string' };
  expect(dictionary['rowFilter.berth.id']).toEqual({
    ...filter,
    name: 'id',
    description: 'Number painted on the quay',
  });
  expect(dictionary['rowFilter.berth.name']).toEqual({ ...filter, name: 'name' });
});
