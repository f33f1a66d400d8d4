// Tests the PostgREST data provider of react-admin against a running server: pages of lists, single records, and
// writes.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { useServedFixture } from '../support/served-fixture.ts';

interface Provided {
  readonly data: unknown;
  readonly total?: number;
}
type Method = (resource: string, parameters: object) => Promise<Provided>;
type DataProvider = Readonly<
  Record<
    | 'getList'
    | 'getOne'
    | 'getMany'
    | 'getManyReference'
    | 'create'
    | 'update'
    | 'updateMany'
    | 'delete'
    | 'deleteMany',
    Method
  >
>;

const require = createRequire(import.meta.url);
const postgrest = require('@raphiniert/ra-data-postgrest') as {
  readonly default: (config: object) => DataProvider;
};

/** Does what react-admin's own `fetchJson` does. */
async function fetchJson(url: string, options: RequestInit): Promise<object> {
  const response = await fetch(url, options);
  const body = await response.text();
  const json: unknown = body === '' ? undefined : JSON.parse(body);
  if (!response.ok) throw Object.assign(new Error(response.statusText), { status: response.status, body: json });
  return { status: response.status, headers: response.headers, body, json };
}

function page(number: number, perPage: number): object {
  return { pagination: { page: number, perPage } };
}

const BY_NAME = { sort: { field: 'name', order: 'ASC' } };
const SELECT_ID = { meta: { columns: ['id'] } };

describe.each(Object.values(DIALECTS))('in the $name dialect', (dialect) => {
  const served = useServedFixture([fileURLToPath(new URL('harbour.sql', import.meta.url))], {
    'db-schemas': 'api,archive',
    dialect: dialect.name,
  });
  let provider: DataProvider;

  beforeAll(() => {
    provider = postgrest.default({
      apiUrl: served.url,
      httpClient: fetchJson,
      defaultListOp: 'eq',
      primaryKeys: new Map([['tides', ['port', 'day']]]),
      schema: () => 'api',
    });
  });

  describe('reading', () => {
    test('pages of a sorted list, with the total', async () => {
      const first = await provider.getList('boats', { ...page(1, 3), ...BY_NAME, ...SELECT_ID, filter: {} });
      expect(first).toMatchObject({ data: [{ id: 1 }, { id: 2 }, { id: 3 }], total: 4 });
      const second = await provider.getList('boats', { ...page(2, 3), ...BY_NAME, ...SELECT_ID, filter: {} });
      expect(second).toMatchObject({ data: [{ id: 4 }], total: 4 });
      const sort = { field: 'metres', order: 'DESC' };
      const descending = await provider.getList('boats', { ...page(1, 9), sort, ...SELECT_ID, filter: {} });
      expect(descending.data).toEqual([{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }]);
    });

    test.each([
      ['the default operator', { port_id: 1 }, [1, 2]],
      ['an operator', { 'metres@gte': 30 }, [2, 3]],
      ['a word', { 'name@ilike': 'CALYP' }, [3]],
      ['two words', { 'name@ilike': 'CALYP SO' }, [3]],
      ['alternatives', { '@or': { 'id@eq': 4, 'metres@lt': 20 } }, [1, 4]],
      ['no match', { id: 99 }, []],
    ])('a list filtered by %s', async (_, filter, ids) => {
      const list = await provider.getList('boats', { ...page(1, 9), ...BY_NAME, ...SELECT_ID, filter });
      expect(list).toMatchObject({ data: ids.map((id) => ({ id })), total: ids.length });
    });

    test('one record, several, and those that refer to one', async () => {
      expect((await provider.getOne('ports', { id: 1 })).data).toEqual({ id: 1, name: 'Haven', depth: 12 });
      await expect(provider.getOne('ports', { id: 99 })).rejects.toMatchObject({
        status: 406,
        body: { code: `${dialect.errorPrefix}116` },
      });
      const many = await provider.getMany('ports', { ids: [1, 2] });
      expect(many.data).toEqual([
        { id: 1, name: 'Haven', depth: 12 },
        { id: 2, name: 'Quay, east', depth: null },
      ]);
      const parameters = { target: 'port_id', id: 1, ...page(1, 1), ...BY_NAME, ...SELECT_ID, filter: {} };
      expect(await provider.getManyReference('boats', parameters)).toMatchObject({ data: [{ id: 1 }], total: 2 });
    });

    test('a related record with each record', async () => {
      const meta = { embed: ['ports'], prefetch: ['ports'] };
      const list = await provider.getList('boats', { ...page(1, 1), ...BY_NAME, filter: {}, meta });
      expect(list).toMatchObject({ data: [{ id: 1 }], meta: { prefetched: { ports: [{ id: 1, name: 'Haven' }] } } });
    });

    test('records of another schema', async () => {
      const meta = { schema: 'archive' };
      expect((await provider.getOne('boats', { id: 1, meta })).data).toEqual({ id: 1, name: 'Argo' });
    });
  });

  describe('writing', () => {
    test('create, update and delete one record', async () => {
      const created = await provider.create('ports', { data: { id: 10, name: 'Jetty' } });
      expect(created.data).toEqual({ id: 10, name: 'Jetty', depth: null });
      const updated = await provider.update('ports', {
        id: 10,
        data: { id: 10, name: 'Jetty', depth: 4 },
        previousData: { id: 10, name: 'Jetty', depth: null },
      });
      expect(updated.data).toEqual({ id: 10, name: 'Jetty', depth: 4 });
      const deleted = await provider.delete('ports', { id: 10 });
      expect(deleted.data).toEqual({ id: 10, name: 'Jetty', depth: 4 });
      await expect(provider.delete('ports', { id: 10 })).rejects.toMatchObject({ status: 406 });
    });

    test('update and delete many records', async () => {
      await provider.create('ports', { data: { id: 11, name: 'North' } });
      await provider.create('ports', { data: { id: 12, name: 'South' } });
      const updated = await provider.updateMany('ports', { ids: [11, 12], data: { depth: 7 } });
      expect(updated.data).toEqual([11, 12]);
      const depths = await provider.getMany('ports', { ids: [11, 12] });
      expect(depths.data).toMatchObject([{ depth: 7 }, { depth: 7 }]);
      const deleted = await provider.deleteMany('ports', { ids: [11, 12] });
      expect(deleted.data).toEqual([11, 12]);
      expect((await provider.getMany('ports', { ids: [11, 12] })).data).toEqual([]);
    });

    test('records with a composite key', async () => {
      const data = { port: 1, day: '2024-05-01', height: 2.5 };
      const created = await provider.create('tides', { data });
      expect(created.data).toEqual({ id: '[1,"2024-05-01"]', ...data });
      const updated = await provider.update('tides', {
        id: '[1,"2024-05-01"]',
        data: { ...data, height: 3 },
        previousData: data,
      });
      expect(updated.data).toEqual({ id: '[1,"2024-05-01"]', ...data, height: 3 });
      const deleted = await provider.delete('tides', { id: '[1,"2024-05-01"]' });
      expect(deleted.data).toMatchObject({ height: 3 });
    });

    test('a violated constraint is an error with its text', async () => {
      const duplicate = provider.create('boats', { data: { name: 'Bounty' } });
      await expect(duplicate).rejects.toMatchObject({ status: 409, body: { code: '23505' } });
    });
  });
});
