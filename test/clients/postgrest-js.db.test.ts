// Tests every builder method of `@supabase/postgrest-js` against a running server.
import { fileURLToPath } from 'node:url';
import { PostgrestClient, PostgrestError } from '@supabase/postgrest-js';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/contract/dialect.ts';
import { useServedFixture } from '../support/served-fixture.ts';

describe.each(Object.values(DIALECTS))('in the $name dialect', (dialect) => {
  const served = useServedFixture([fileURLToPath(new URL('harbour.sql', import.meta.url))], {
    'db-schemas': 'api,archive',
    'db-plan-enabled': true,
    'db-tx-end': 'commit-allow-override',
    dialect: dialect.name,
  });

  function connect(headers: Readonly<Record<string, string>> = {}) {
    return new PostgrestClient(served.url, { headers });
  }

  function boats() {
    return connect().from('boats').select('id');
  }

  describe('filters', () => {
    test.each<[string, () => ReturnType<typeof boats>, readonly number[]]>([
      ['eq', () => boats().eq('name', 'Bounty'), [2]],
      ['eq of a value with brackets', () => boats().eq('name', 'dory (small)'), [4]],
      ['eq of a JSON path', () => boats().eq('papers->>flag', 'FR'), [3]],
      ['neq', () => boats().neq('id', 2), [1, 3, 4]],
      ['gt', () => boats().gt('metres', 30), [3]],
      ['gte', () => boats().gte('metres', 30), [2, 3]],
      ['lt', () => boats().lt('metres', 30), [1]],
      ['lte', () => boats().lte('metres', 30), [1, 2]],
      ['like', () => boats().like('name', '%a%s%'), [1, 3]],
      ['likeAllOf', () => boats().likeAllOf('name', ['%a%', '%s%']), [1, 3, 4]],
      ['likeAnyOf', () => boats().likeAnyOf('name', ['A%', 'd%']), [1, 4]],
      ['ilike', () => boats().ilike('name', 'D%'), [4]],
      ['ilikeAllOf', () => boats().ilikeAllOf('name', ['C%', '%SO']), [3]],
      ['ilikeAnyOf', () => boats().ilikeAnyOf('name', ['B%', 'D%']), [2, 4]],
      ['regexMatch', () => boats().regexMatch('name', '^[A-C]'), [1, 2, 3]],
      ['regexIMatch', () => boats().regexIMatch('name', '^[a-b]'), [1, 2]],
      ['is null', () => boats().is('port_id', null), [4]],
      ['is true', () => boats().is('is_sold', true), [1]],
      ['isDistinct', () => boats().isDistinct('is_sold', true), [2, 3, 4]],
      ['in', () => boats().in('id', [1, 3, 3, 9]), [1, 3]],
      ['in with reserved characters', () => boats().in('name', ['dory (small)', 'Bounty']), [2, 4]],
      ['notIn', () => boats().notIn('id', [1, 3]), [2, 4]],
      ['contains of an array', () => boats().contains('tags', ['sail', 'wood']), [1]],
      ['contains of JSON', () => boats().contains('papers', { crew: 20 }), [3]],
      ['contains of a range', () => boats().contains('moored', '[2024-02-05,2024-02-06)'), [2]],
      ['containedBy of an array', () => boats().containedBy('tags', ['sail', 'rope']), [2, 4]],
      ['containedBy of JSON', () => boats().containedBy('papers', { flag: 'UK', crew: 1 }), [2, 4]],
      ['containedBy of a range', () => boats().containedBy('moored', '[2024-01-01,2024-03-01)'), [1, 2]],
      ['rangeGt', () => boats().rangeGt('moored', '[2024-01-15,2024-02-01)'), [2, 3]],
      ['rangeGte', () => boats().rangeGte('moored', '[2024-02-01,2024-02-02)'), [2, 3]],
      ['rangeLt', () => boats().rangeLt('moored', '[2024-02-01,2024-02-02)'), [1]],
      ['rangeLte', () => boats().rangeLte('moored', '[2024-02-01,2024-03-01)'), [1, 2]],
      ['rangeAdjacent', () => boats().rangeAdjacent('moored', '[2024-02-01,2024-03-01)'), [1, 3]],
      ['overlaps of an array', () => boats().overlaps('tags', ['wood', 'steel']), [1, 3]],
      ['overlaps of a range', () => boats().overlaps('moored', '[2024-01-31,2024-02-02)'), [1, 2]],
      ['textSearch', () => boats().textSearch('words', "'quick' & 'brown'"), [1]],
      ['textSearch plain', () => boats().textSearch('words', 'quick brown', { type: 'plain' }), [1]],
      ['textSearch phrase', () => boats().textSearch('words', 'heavy and brown', { type: 'phrase' }), [2]],
      ['textSearch websearch', () => boats().textSearch('words', 'quick -sloop', { type: 'websearch' }), [3]],
      [
        'textSearch of text in a language',
        () => boats().textSearch('about', 'diving', { config: 'english', type: 'plain' }),
        [3],
      ],
      ['match', () => boats().match({ port_id: 1, is_sold: false }), [2]],
      ['not', () => boats().not('is_sold', 'is', null), [1, 2]],
      ['not in', () => boats().not('id', 'in', '(1,2)'), [3, 4]],
      ['or', () => boats().or('id.eq.4,and(metres.gt.20,is_sold.is.false)'), [2, 4]],
      ['filter', () => boats().filter('metres', 'gte', 30), [2, 3]],
      ['filter negated', () => boats().filter('tags', 'not.cs', '{sail}'), [3, 4]],
      ['two filters on one column', () => boats().gt('id', 1).lt('id', 4), [2, 3]],
    ])('%s', async (_, build, ids) => {
      const { data, error, status } = await build().order('id');
      expect({ data, error, status }).toEqual({ data: ids.map((id) => ({ id })), error: null, status: 200 });
    });

    test('or, and filters within an embed', async () => {
      const { data } = await connect()
        .from('ports')
        .select('name, boats!inner(id)')
        .or('metres.lt.20,metres.gt.40', { referencedTable: 'boats' })
        .eq('boats.is_sold', true);
      expect(data).toEqual([{ name: 'Haven', boats: [{ id: 1 }] }]);
    });
  });

  describe('modifiers', () => {
    test('order by several columns, nulls first or last, and within an embed', async () => {
      const sorted = await boats().order('is_sold', { nullsFirst: true }).order('id', { ascending: false });
      expect(sorted.data).toEqual([{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }]);
      const last = await boats().order('metres', { ascending: false, nullsFirst: false }).limit(2);
      expect(last.data).toEqual([{ id: 3 }, { id: 2 }]);
      const embedded = await connect()
        .from('ports')
        .select('id, boats(id)')
        .order('id')
        .order('id', { referencedTable: 'boats', ascending: false });
      expect(embedded.data).toEqual([
        { id: 1, boats: [{ id: 2 }, { id: 1 }] },
        { id: 2, boats: [{ id: 3 }] },
      ]);
      const byParent = await boats().order('ports(name)', { ascending: false }).order('id').select('id, ports()');
      expect(byParent.data).toEqual([{ id: 4 }, { id: 3 }, { id: 1 }, { id: 2 }]);
    });

    test('limit and range, also within an embed', async () => {
      expect((await boats().order('id').limit(1)).data).toEqual([{ id: 1 }]);
      expect((await boats().order('id').range(1, 2)).data).toEqual([{ id: 2 }, { id: 3 }]);
      const embedded = await connect()
        .from('ports')
        .select('id, boats(id)')
        .order('id')
        .order('id', { referencedTable: 'boats' })
        .range(1, 1, { referencedTable: 'boats' });
      expect(embedded.data).toEqual([
        { id: 1, boats: [{ id: 2 }] },
        { id: 2, boats: [] },
      ]);
    });

    test('single: one row, or an error', async () => {
      expect((await boats().eq('id', 1).single()).data).toEqual({ id: 1 });
      const none = await boats().eq('id', 9).single();
      expect(none).toMatchObject({
        status: 406,
        data: null,
        error: {
          code: `${dialect.errorPrefix}116`,
          details: 'The result contains 0 rows',
          hint: null,
          message: 'Cannot coerce the result to a single JSON object',
        },
      });
      expect((await boats().single()).error?.details).toBe('The result contains 4 rows');
    });

    test('maybeSingle: one row, none, or an error of the client', async () => {
      expect((await boats().eq('id', 1).maybeSingle()).data).toEqual({ id: 1 });
      expect(await boats().eq('id', 9).maybeSingle()).toMatchObject({ status: 200, data: null, error: null });
      expect((await boats().maybeSingle()).error?.code).toBe('PGRST116');
    });

    test('csv', async () => {
      const { data } = await connect().from('ports').select().order('id').csv();
      expect(data).toBe('id,name,depth\n1,Haven,12\n2,"Quay, east",');
    });

    test('geojson fails in a database without PostGIS', async () => {
      const { error, status } = await boats().geojson();
      expect([status, error?.code]).toEqual(dialect.name === 'postgrest' ? [404, '42883'] : [415, 'SVC107']);
    });

    test('explain as text and as JSON, for one row and with options', async () => {
      const text = await boats().eq('id', 1).explain();
      expect(text.data).toMatch(/^Aggregate .*cost=/);
      const json = await boats().explain({
        format: 'json',
        analyze: true,
        verbose: true,
        settings: true,
        buffers: true,
      });
      expect(json.data).toEqual([
        expect.objectContaining({ 'Execution Time': expect.any(Number), Plan: expect.anything() }),
      ]);
      const single = await boats().eq('id', 1).limit(1).explain({ wal: true, analyze: true });
      expect(single.data).toContain('Execution Time');
    });

    test('stripNulls for lists and for one row', async () => {
      const ports = () => connect().from('ports').select('id, depth').order('id');
      expect((await ports().stripNulls()).data).toEqual([{ id: 1, depth: 12 }, { id: 2 }]);
      expect((await ports().eq('id', 2).single().stripNulls()).data).toEqual({ id: 2 });
    });

    test('returns and overrideTypes do not change the request', async () => {
      expect((await boats().eq('id', 1).returns<{ id: number }[]>()).data).toEqual([{ id: 1 }]);
      expect((await boats().eq('id', 1).overrideTypes<{ id: number }[]>()).data).toEqual([{ id: 1 }]);
    });

    test('throwOnError throws the error of the server', async () => {
      const failed = connect().from('boats').select('colour').throwOnError();
      await expect(failed).rejects.toBeInstanceOf(PostgrestError);
      await expect(failed).rejects.toMatchObject({ code: '42703', message: 'column boats.colour does not exist' });
    });

    test('abortSignal aborts the request, and the server keeps running', async () => {
      const nap = connect().rpc('nap', { seconds: 20 }).abortSignal(AbortSignal.timeout(100));
      expect((await nap).error?.message).toMatch(/TimeoutError|AbortError/);
      expect((await boats().eq('id', 1)).data).toEqual([{ id: 1 }]);
    });
  });

  describe('counts', () => {
    test.each(['exact', 'planned', 'estimated'] as const)('%s, with and without rows', async (count) => {
      const rows = await connect().from('boats').select('id', { count }).limit(1);
      expect(rows).toMatchObject({ data: [{ id: expect.any(Number) }], count: expect.any(Number), error: null });
      const head = await connect().from('boats').select('*', { count, head: true });
      expect(head).toMatchObject({ data: null, error: null, count: expect.any(Number) });
      if (count === 'exact') expect([rows.count, head.count, rows.status, head.status]).toEqual([4, 4, 206, 200]);
    });

    test('of written rows', async () => {
      const deleted = await connect().from('boats').delete({ count: 'exact' }).gt('id', 2).rollback();
      expect(deleted).toMatchObject({ count: 2, status: 204, error: null });
      const updated = await connect()
        .from('boats')
        .update({ is_sold: true }, { count: 'exact' })
        .lt('id', 3)
        .rollback();
      expect(updated).toMatchObject({ count: 2, status: 204, error: null });
    });

    test('head of an unknown relation: the client treats the 404 as an empty response', async () => {
      const head = await connect().from('novels').select('*', { head: true });
      expect(head).toMatchObject({ status: 204, data: null, count: null, error: null });
    });
  });

  describe('writes', () => {
    test('insert one row and several, with a selection and with an exact count', async () => {
      const one = await connect().from('boats').insert({ name: 'Erebus' }).rollback();
      expect(one).toMatchObject({ status: 201, data: null, error: null });
      const many = await connect()
        .from('boats')
        .insert([{ name: 'Erebus', metres: 32 }, { name: 'Terror' }], { count: 'exact' })
        .select('name, metres, tags')
        .rollback();
      expect(many).toMatchObject({
        status: 201,
        count: 2,
        data: [
          { name: 'Erebus', metres: 32, tags: [] },
          { name: 'Terror', metres: null, tags: [] },
        ],
      });
      expect((await boats()).data).toHaveLength(4);
    });

    test('insert with null or the default where a row lacks a column', async () => {
      const rows = [{ name: 'Erebus', tags: ['ice'] }, { name: 'Terror' }];
      const nulls = await connect().from('boats').insert(rows).rollback();
      expect(nulls.error?.code).toBe('23502');
      const defaults = await connect().from('boats').insert(rows, { defaultToNull: false }).select('tags').rollback();
      expect(defaults.data).toEqual([{ tags: ['ice'] }, { tags: [] }]);
    });

    test('upsert merges, ignores, and uses another key', async () => {
      const merged = await connect()
        .from('ports')
        .upsert([
          { id: 1, name: 'Port', depth: 1 },
          { id: 3, name: 'New', depth: 2 },
        ])
        .select('id, name')
        .rollback();
      expect(merged).toMatchObject({
        status: 201,
        data: [
          { id: 1, name: 'Port' },
          { id: 3, name: 'New' },
        ],
      });
      const ignored = await connect()
        .from('ports')
        .upsert({ id: 1, name: 'Port' }, { ignoreDuplicates: true })
        .select()
        .rollback();
      expect(ignored.data).toEqual([]);
      const byName = await connect()
        .from('boats')
        .upsert({ name: 'Bounty', metres: 31 }, { onConflict: 'name', defaultToNull: false, count: 'exact' })
        .select('id, metres')
        .rollback();
      expect(byName).toMatchObject({ count: 1, data: [{ id: 2, metres: 31 }] });
    });

    test('update and delete by filters return the affected rows', async () => {
      const updated = await connect()
        .from('boats')
        .update({ metres: null })
        .eq('id', 1)
        .select('id, metres')
        .rollback()
        .single();
      expect(updated.data).toEqual({ id: 1, metres: null });
      const deleted = await connect()
        .from('boats')
        .delete()
        .in('id', [2, 3])
        .select('id, ports(name)')
        .order('id')
        .rollback();
      expect(deleted.data).toEqual([
        { id: 2, ports: { name: 'Haven' } },
        { id: 3, ports: { name: 'Quay, east' } },
      ]);
      const nothing = await connect().from('boats').delete().eq('id', 99);
      expect(nothing).toMatchObject({ status: 204, error: null });
      expect((await boats()).data).toHaveLength(4);
    });

    test('changes that are not rolled back persist', async () => {
      await connect().from('ports').insert({ id: 7, name: 'Jetty' }).throwOnError();
      expect((await connect().from('ports').select('name').eq('id', 7)).data).toEqual([{ name: 'Jetty' }]);
      await connect().from('ports').delete().eq('id', 7).throwOnError();
      expect((await connect().from('ports').select('name').eq('id', 7)).data).toEqual([]);
    });

    test('violated constraints', async () => {
      const { error, status } = await connect().from('boats').insert({ name: 'Bounty' });
      expect([status, error?.code, error?.message]).toEqual([
        409,
        '23505',
        'duplicate key value violates unique constraint "boats_name_key"',
      ]);
    });
  });

  describe('functions', () => {
    test('by POST, GET and HEAD', async () => {
      expect((await connect().rpc('add', { a: 1, b: 2 })).data).toBe(3);
      expect((await connect().rpc('add', { a: 1 }, { get: true })).data).toBe(11);
      expect(await connect().rpc('add', { a: 1 }, { head: true })).toMatchObject({
        status: 200,
        data: null,
        error: null,
      });
      expect(await connect().rpc('papers_of', { papers: { flag: 'NO' } }, { head: true })).toMatchObject({
        error: null,
      });
    });

    test('arguments with arrays, JSON and undefined', async () => {
      expect((await connect().rpc('count_of', { ids: [1, 2, 3] }, { get: true })).data).toBe(3);
      expect((await connect().rpc('count_of', { ids: [1, 2] })).data).toBe(2);
      expect((await connect().rpc('papers_of', { papers: { flag: ['NO'] } })).data).toEqual(['NO']);
      expect((await connect().rpc('add', { a: 1, b: undefined }, { get: true })).data).toBe(11);
    });

    test('rows of a function can be selected, filtered, ordered, limited and counted', async () => {
      const { data, count } = await connect()
        .rpc('boats_in', { port: 1 }, { count: 'exact' })
        .select('id, ports(name)')
        .gt('metres', 1)
        .order('id', { ascending: false })
        .limit(1);
      expect([data, count]).toEqual([[{ id: 2, ports: { name: 'Haven' } }], 2]);
      expect((await connect().rpc('boats_in', { port: 2 }).select('id').single()).data).toEqual({ id: 3 });
      expect((await connect().rpc('boats_in', { port: 1 }, { head: true, count: 'exact' })).count).toBe(2);
    });

    test('calls can be rolled back and are rejected if they do not fit', async () => {
      expect((await connect().rpc('sell_all').select('is_sold').rollback()).data).toHaveLength(4);
      expect((await boats().is('is_sold', true)).data).toEqual([{ id: 1 }]);
      expect(await connect().rpc('sell_all', {}, { get: true })).toMatchObject({
        status: 405,
        error: { code: '25006' },
      });
      expect(await connect().rpc('add', { c: 1 })).toMatchObject({
        status: 404,
        error: { code: `${dialect.errorPrefix}202` },
      });
    });
  });

  describe('clients', () => {
    test('schema switches the schema of reads, writes and functions', async () => {
      expect((await connect().schema('archive').from('boats').select()).data).toEqual([{ id: 1, name: 'Argo' }]);
      const inserted = await connect()
        .schema('archive')
        .from('boats')
        .insert({ id: 2, name: 'Beagle' })
        .select()
        .rollback();
      expect(inserted.data).toEqual([{ id: 2, name: 'Beagle' }]);
      const missing = await connect().schema('archive').rpc('add', { a: 1 });
      expect(missing.error?.code).toBe(`${dialect.errorPrefix}202`);
      const named = new PostgrestClient(served.url, { schema: 'archive' as never });
      expect((await named.from('boats').select('name')).data).toEqual([{ name: 'Argo' }]);
      expect((await connect().schema('nowhere').from('boats').select()).error?.code).toBe(`${dialect.errorPrefix}106`);
    });

    test('headers of the client and of one request', async () => {
      const client = connect({ 'x-crew': 'Ahab' });
      expect((await client.rpc('header', { name: 'x-crew' })).data).toBe('Ahab');
      expect((await client.rpc('header', { name: 'x-mate' }).setHeader('x-mate', 'Starbuck')).data).toBe('Starbuck');
    });

    test('a custom fetch sees the response with the requested media type', async () => {
      const types: (string | null)[] = [];
      const client = new PostgrestClient(served.url, {
        fetch: async (...request) => {
          const response = await fetch(...request);
          types.push(response.headers.get('content-type'));
          return response;
        },
      });
      await client.from('ports').select('id').eq('id', 1).single();
      await client.from('ports').select('id').stripNulls();
      await client.from('ports').select('id').explain({ format: 'json' });
      await client.from('ports').insert({ id: 8, name: 'Jetty' }).select().rollback().single();
      expect(types).toEqual([
        'application/vnd.pgrst.object+json; charset=utf-8',
        'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
        'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8',
        'application/vnd.pgrst.object+json; charset=utf-8',
      ]);
    });

    test('W224 an unavailable media type is reported by its requested name', async () => {
      const response = await fetch(`${served.url}/ports`, {
        headers: { Accept: 'application/vnd.pgrst.plan+json; for="image/png"' },
      });
      expect([response.status, await response.json()]).toEqual([
        dialect.unavailableMediaTypeStatus,
        {
          code: `${dialect.errorPrefix}107`,
          details: null,
          hint: null,
          message: 'None of these media types are available: application/vnd.pgrst.plan+json; for="image/png"',
        },
      ]);
    });
  });
});
