// Changing values in place (`beyond.md` §2.6): merge patches and operations, their errors, and concurrent patches.
import { beforeEach, describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create domain api.tags as text[];
    create table api.thing (
      id int primary key, name varchar(5), small smallint, amount numeric(6,2), ratio real, total int,
      day date, since timestamp, seen timestamptz, span interval, flag boolean,
      labels text[], marks api.tags, codes character(2)[], data json, doc jsonb, list jsonb, owner text);
    create table api.write_only (id int primary key, total int, doc jsonb);
    grant select, insert, update on api.thing to ${harbor.anon};
    grant update, select (id) on api.write_only to ${harbor.anon};
  `);
const server = await use(startLocalServer(harbor, {}));
beforeEach(() => harbor.sql('truncate api.thing, api.write_only; insert into api.thing(id) values (1), (2)'));

const MERGE = 'application/merge-patch+json';
const OPERATIONS = 'application/vnd.svc.patch+json';

interface Sending {
  readonly type?: string;
  readonly prefer?: string;
  readonly to?: LocalServer;
}

function patch(path: string, body: unknown, { type = OPERATIONS, prefer, to }: Sending = {}): Promise<Answer> {
  const headers = { 'Content-Type': type, ...(prefer === undefined ? {} : { Prefer: prefer }) };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (to ?? server).get(path, { method: 'PATCH', headers, body: text });
}

async function stored(column: string): Promise<unknown> {
  const [row] = await harbor.query(`select ${column}::text from api.thing where id = 1`);
  return row?.[0];
}

async function store(column: string, value: string | null): Promise<void> {
  await harbor.sql(`update api.thing set ${column} = ${value === null ? 'null' : `'${value}'`} where id = 1`);
}

function errorOf({ status, text }: Answer): unknown {
  const { code, message } = JSON.parse(text) as Record<string, unknown>;
  return { status, code, message };
}

describe('merge patches', () => {
  // The examples of RFC 7396, appendix A, whose patch and target are objects.
  test.each([
    ['{"a":"b"}', '{"a":"c"}', { a: 'c' }],
    ['{"a":"b"}', '{"b":"c"}', { a: 'b', b: 'c' }],
    ['{"a":"b"}', '{"a":null}', {}],
    ['{"a":"b","b":"c"}', '{"a":null}', { b: 'c' }],
    ['{"a":["b"]}', '{"a":"c"}', { a: 'c' }],
    ['{"a":"c"}', '{"a":["b"]}', { a: ['b'] }],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', { a: { b: 'd' } }],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', { a: [1] }],
    ['[1,2]', '{"a":"b","c":null}', { a: 'b' }],
    ['{"e":null}', '{"a":1}', { e: null, a: 1 }],
    ['{}', '{"a":{"bb":{"ccc":null}}}', { a: { bb: {} } }],
    ['"text"', '{}', {}],
    [null, '{"a":{"b":[null]}}', { a: { b: [null] } }],
    ['null', '{"a":1}', { a: 1 }],
  ])('B64 %s merged with %s', async (before, change, after) => {
    for (const column of ['data', 'doc']) {
      await store(column, before);
      const answer = await patch('/thing?id=eq.1', `{ "${column}" : ${change} }`, { type: MERGE });
      expect(answer.status).toBe(204);
      expect(JSON.parse(String(await stored(column)))).toEqual(after);
    }
  });

  test('B64 other values replace, and null sets NULL', async () => {
    await harbor.sql(`update api.thing set doc = '{"a":1}', data = '[1]', name = 'x', labels = '{a}' where id = 1`);
    const body = { doc: [1], data: null, name: null, labels: ['b'] };
    expect((await patch('/thing?id=eq.1', body, { type: MERGE })).status).toBe(204);
    expect(await stored('(doc, data, name, labels)')).toBe('([1],,,{b})');
  });

  test('B64 only JSON columns merge', async () => {
    const answer = await patch('/thing?id=eq.1', { owner: { $add: 1 } }, { type: MERGE });
    expect(answer.status).toBe(204);
    expect(await stored('owner')).toBe('{"$add":1}');
  });

  test('B64 keeps numbers exactly, and the last of two equal keys', async () => {
    await patch('/thing?id=eq.1', '{"doc":{"x":1},"doc":{"n":12345678901234567890.50}}', { type: MERGE });
    expect(await stored('doc')).toBe('{"n": 12345678901234567890.50}');
  });

  test('B64 arrays and scalars are no patches', async () => {
    const refused = { status: 400, code: 'SVC102', message: 'A patch must be a JSON object' };
    for (const body of ['[]', '[{"name":"a"}]', '1', 'null'])
      expect(errorOf(await patch('/thing?id=eq.1', body, { type: MERGE }))).toEqual(refused);
    expect(errorOf(await patch('/thing', '{', { type: MERGE }))).toMatchObject({ code: 'SVC102', status: 400 });
    expect(await stored('name')).toBeNull();
  });

  test('B64 merges 32 levels and no more', async () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect((await patch('/thing?id=eq.1', `{"doc":${nested(32)}}`, { type: MERGE })).status).toBe(204);
    expect(JSON.parse(String(await stored('doc')))).toEqual(JSON.parse(nested(32)));
    expect(errorOf(await patch('/thing', `{"doc":${nested(33)}}`, { type: MERGE }))).toMatchObject({ code: 'SVC129' });
  });

  // Quadratic work would take minutes, which no time limit of PostgreSQL ends.
  test('B64 the work grows with the bytes of the patch and of the stored value, however they are nested', async () => {
    const count = 200_000;
    const members = Array.from({ length: count }, (_, index) => `"${index}":1`).join(',');
    expect((await patch('/thing?id=eq.1', `{"doc":{"a":{${members}}}}`, { type: MERGE })).status).toBe(204);
    expect((await patch('/thing?id=eq.1', { doc: { b: 1 } }, { type: MERGE })).status).toBe(204);
    expect(await stored(`(doc['b'], (select count(*) from jsonb_object_keys(doc['a'])))`)).toBe(`(1,${count})`);
  });
});

describe('operations', () => {
  test('B65 $remove does work that grows with the bytes of the stored value', async () => {
    const count = 300_000;
    await harbor.sql(`update api.thing set list = jsonb_build_array(1, array_fill('x'::text, array[${count}]))`);
    expect((await patch('/thing?id=eq.1', { list: { $remove: 1 } })).status).toBe(204);
    expect(await stored('(jsonb_array_length(list), jsonb_array_length(list[0]))')).toBe(`(1,${count})`);
  });

  test.each([
    ['small', '7', '{"$add": 5}', '12'],
    ['total', '7', '{"$add": -9}', '-2'],
    ['total', '7', '{"$add": 0.6}', '8'],
    ['total', null, '{"$add": 5}', null],
    ['amount', '1.25', '{ "$add" : 0.1 }', '1.35'],
    ['ratio', '0.5', '{"$add": 1}', '1.5'],
    ['span', '1 day', '{"$add": "2 hours"}', '1 day 02:00:00'],
    ['day', '2026-01-31', '{"$add": "1 month"}', '2026-02-28'],
    ['since', '2026-01-31 10:00', '{"\\u0024add": "1 day"}', '2026-02-01 10:00:00'],
    ['labels', '{a}', '{"$append": ["b", null]}', '{a,b,NULL}'],
    ['labels', null, '{"$append": ["b"]}', '{b}'],
    ['marks', '{a}', '{"$append": ["b"]}', '{a,b}'],
    ['codes', '{ab}', '{"$append": ["cd"]}', '{ab,cd}'],
    ['list', '[1]', '{"$append": [2, {"a": 1}]}', '[1, 2, {"a": 1}]'],
    ['list', null, '{"$append": [2]}', '[2]'],
    ['labels', '{a,b,a,NULL}', '{"$remove": "a"}', '{b,NULL}'],
    ['labels', '{a,NULL}', '{"$remove": null}', '{a}'],
    ['marks', '{a,b}', '{"$remove": "a"}', '{b}'],
    ['codes', '{ab,cd}', '{"$remove": "cd"}', '{ab}'],
    ['labels', null, '{"$remove": "a"}', null],
    ['list', '[1, "1", 1.0, [1], null]', '{"$remove": 1}', '["1", [1], null]'],
    ['list', '[{"a":1,"b":2}]', '{"$remove": {"b":2,"a":1}}', '[]'],
    ['list', '[1, null]', '{"$remove": null}', '[1]'],
    ['list', null, '{"$remove": 1}', null],
    ['doc', '{"a":1,"b":{"c":2}}', '{"$merge": {"a":null,"b":{"d":3}}}', '{"b": {"c": 2, "d": 3}}'],
    ['doc', '{"a":1}', '{"$set": {"$add": 1}}', '{"$add": 1}'],
    ['doc', '{"a":1}', '{"b": 1}', '{"b": 1}'],
    ['doc', '{"a":1}', '{"$add": 1, "$append": 2}', '{"$add": 1, "$append": 2}'],
    ['name', 'a', '{"$set": "b"}', 'b'],
    ['total', '7', '{"$set": null}', null],
    ['total', '7', '9', '9'],
  ])('B65 %s %s %s', async (column, before, change, after) => {
    await store(column, before);
    const answer = await patch('/thing?id=eq.1', `{"${column}": ${change}}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await stored(column)).toBe(after);
  });

  test.each([
    ['total', '{"$mul": 2}', "The column 'total' (integer) takes $add, $set, not $mul"],
    ['name', '{"$add": 2}', "The column 'name' (character varying(5)) takes $set, not $add"],
    ['flag', '{"$append": [1]}', "The column 'flag' (boolean) takes $set, not $append"],
    ['data', '{"$append": [1]}', "The column 'data' (json) takes $merge, $set, not $append"],
    [
      'labels',
      '{"$append": "a"}',
      "The column 'labels' (text[]) takes $append, $remove, $set, and $append needs an array",
    ],
    ['total', '{"$add": null}', "The column 'total' (integer) takes $add, $set, and $add needs a number"],
    ['day', '{ "$add" : null }', "The column 'day' (date) takes $add, $set, and $add needs an interval"],
    [
      'list',
      '{"$append": null}',
      "The column 'list' (jsonb) takes $append, $remove, $merge, $set, and $append needs an array",
    ],
    [
      'doc',
      '{"$merge": []}',
      "The column 'doc' (jsonb) takes $append, $remove, $merge, $set, and $merge needs an object",
    ],
  ])('B65 %s does not take %s', async (column, change, message) => {
    const answer = await patch('/thing?id=eq.1', `{"owner": "changed", "${column}": ${change}}`);
    expect(errorOf(answer)).toEqual({ status: 400, code: 'SVC102', message });
    expect(await stored('owner')).toBeNull();
  });

  test.each([
    ['{"total":{"$add":1},"total":7}', '7'],
    ['{"total":7,"total":{"$add":1}}', '6'],
    ['{"total":{"$add":1},"total":{"$set":7}}', '7'],
  ])('B65 the last of two equal keys counts: %s', async (body, expected) => {
    await store('total', '5');
    expect((await patch('/thing?id=eq.1', body)).status).toBe(204);
    expect(await stored('total')).toBe(expected);
  });

  test('B65 elements do not add null, not even one of them', async () => {
    await harbor.sql('update api.thing set total = 7');
    const message = "The column 'total' (integer) takes $add, $set, and $add needs a number";
    const bodies = [
      [{ id: 1, total: { $add: null } }],
      [
        { id: 1, total: { $add: 1 } },
        { id: 2, total: { $add: null } },
      ],
    ];
    for (const body of bodies)
      expect(errorOf(await patch('/thing?match=id', body))).toEqual({ status: 400, code: 'SVC102', message });
    expect(await stored('total')).toBe('7');
  });

  test.each(['{"a":1}', '1', 'null'])('B65 the stored value %s is no array', async (value) => {
    await harbor.sql(`update api.thing set list = case id when 1 then '[1]'::jsonb else '${value}' end`);
    const message = "The column 'list' takes $append and $remove only where it contains an array";
    for (const change of [{ $append: [1] }, { $remove: 1 }])
      expect(errorOf(await patch('/thing?id=gt.0', { list: change, owner: 'x' }))).toEqual({
        status: 400,
        code: 'SVC102',
        message,
      });
    expect(await stored('(list, owner)')).toBe('([1],)');
  });

  test('B65 errors of PostgreSQL pass through', async () => {
    await store('small', '32767');
    expect(errorOf(await patch('/thing?id=eq.1', { small: { $add: 1 } }))).toMatchObject({ code: '22003' });
    expect(errorOf(await patch('/thing?id=eq.1', { day: { $add: 'soon' } }))).toMatchObject({ code: '22007' });
    expect(errorOf(await patch('/thing?id=eq.1', { nothing: { $add: 1 } }))).toMatchObject({ code: 'SVC204' });
  });

  test('B65 works with columns, filters, return and max-affected', async () => {
    const prefer = 'return=representation';
    await harbor.sql('update api.thing set total = id');
    const shown = await patch(
      '/thing?id=eq.2&columns=total&select=total,name',
      { total: { $add: 5 }, name: 1 },
      { prefer },
    );
    expect([shown.status, shown.text]).toEqual([200, '[{"total":7,"name":null}]']);
    const limited = await patch(
      '/thing?id=gt.0',
      { total: { $add: 5 } },
      { prefer: 'handling=strict, max-affected=1' },
    );
    expect(errorOf(limited)).toMatchObject({ code: 'SVC124' });
    expect(await stored('total')).toBe('1');
  });

  test('B65 operations share a plan by their shape, not by their values', async () => {
    await store('total', '0');
    for (const value of [1, 2, 3]) await patch('/thing?id=eq.1', { total: { $add: value } });
    await patch('/thing?id=eq.1', { total: { $set: 10 }, doc: { $merge: { a: 1 } } });
    await patch('/thing?id=eq.1', { total: { $add: 1 }, doc: { $merge: { b: { c: 1 } } } });
    await patch('/thing?id=eq.1', { total: { $add: 1 }, doc: { $merge: { b: { d: 2 } } } });
    expect(await stored('(total, doc)')).toBe('(12,"{""a"": 1, ""b"": {""c"": 1, ""d"": 2}}")');
  });

  test('B65 operations need SELECT on their columns, plain values do not', async () => {
    await harbor.sql(`insert into api.write_only values (1, 1, '{}')`);
    expect((await patch('/write_only?id=eq.1', { total: 5, doc: { $set: {} } })).status).toBe(204);
    expect((await patch('/write_only?id=eq.1', { total: 5, doc: [] }, { type: MERGE })).status).toBe(204);
    const refused = await patch('/write_only?id=eq.1', { total: { $add: 5 } });
    expect(errorOf(refused)).toMatchObject({ code: '42501' });
    const merged = await patch('/write_only?id=eq.1', { doc: { a: 1 } }, { type: MERGE });
    expect(errorOf(merged)).toMatchObject({ code: '42501' });
  });
});

describe('concurrency', () => {
  test('B66 concurrent patches of different keys and additions do not overwrite each other', async () => {
    await harbor.sql(`update api.thing set total = 0, list = '[]' where id = 1`);
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.flatMap((number) => [
        patch('/thing?id=eq.1', { doc: { nested: { [`k${number}`]: number } } }, { type: MERGE }),
        patch('/thing?id=eq.1', { total: { $add: 1 }, list: { $append: [number] } }),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const nested = Object.fromEntries(numbers.map((number) => [`k${number}`, number]));
    expect(JSON.parse(String(await stored('doc')))).toEqual({ nested });
    expect(await stored('total')).toBe('40');
    const list = JSON.parse(String(await stored('list'))) as number[];
    expect(list.toSorted((left, right) => left - right)).toEqual(numbers);
  });
});

/** RFC 7396 §2, written by hand. */
function mergePatch(target: unknown, change: unknown): unknown {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result = new Map<string, unknown>(isObject ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(change)) {
    if (value === null) result.delete(key);
    else result.set(key, mergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}

describe('oracle', () => {
  test('B64 B66 random merges agree with the algorithm of the RFC', async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const value = (depth: number): unknown => {
      const kind = random(depth > 3 ? 4 : 8);
      if (kind === 0) return null;
      if (kind === 1) return random(100);
      if (kind === 2) return [random(3), null, { a: null }];
      if (kind === 3) return ['', '"', '\\', '{', 'ä'][random(5)];
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => ['abc $"'.charAt(random(6)), value(depth + 1)]),
      );
    };
    for (let round = 0; round < 150; round += 1) {
      const [before, change] = [value(0), { a: value(1), [`b${random(2)}`]: value(1) }];
      await store('doc', JSON.stringify(before).replaceAll("'", "''"));
      const type = round % 2 === 0 ? MERGE : OPERATIONS;
      const body = { doc: type === MERGE ? change : { $merge: change } };
      expect((await patch('/thing?id=eq.1', body, { type })).status).toBe(204);
      expect(JSON.parse(String(await stored('doc')))).toEqual(mergePatch(before, change));
    }
  });
});

describe('dialects', () => {
  test('B54 without the extension, both types are unknown', async () => {
    const off = await startLocalServer(harbor, { extensions: 'stream,ingest' });
    for (const type of [MERGE, OPERATIONS]) {
      expect(errorOf(await patch('/thing?id=eq.1', { name: 'a' }, { type, to: off }))).toEqual({
        status: 415,
        code: 'SVC107',
        message: `Content-Type not acceptable: ${type}`,
      });
    }
    expect((await patch('/thing?id=eq.1', { doc: { $add: 1 } }, { type: 'application/json', to: off })).status).toBe(
      204,
    );
    expect(await stored('doc')).toBe('{"$add": 1}');
    await off.stop();
  });

  test('B65 OpenAPI describes both types, unless the extension is off', async () => {
    const typesOf = async (options: { extensions: string }): Promise<readonly string[]> => {
      const local = await startLocalServer(harbor, options);
      const { text } = await local.get('/', { headers: { Accept: 'application/vnd.oai.openapi+json' } });
      await local.stop();
      const { components } = JSON.parse(text) as {
        components: { requestBodies: Record<string, { content: Record<string, unknown> }> };
      };
      return Object.keys(components.requestBodies['thing.updateBody']?.content ?? {});
    };
    const plain = ['application/json', 'application/x-www-form-urlencoded', 'text/csv'];
    expect(await typesOf({ extensions: 'none' })).toEqual(plain);
    expect(await typesOf({ extensions: 'all' })).toEqual([...plain, MERGE, OPERATIONS]);
  });

  test('B54 other methods do not know the types', async () => {
    for (const method of ['POST', 'PUT']) {
      const headers = { 'Content-Type': MERGE };
      const answer = await server.get('/thing?id=eq.9', { method, headers, body: '{"id":9}' });
      expect(errorOf(answer)).toMatchObject({ status: 415, code: 'SVC107' });
    }
  });

  test('B65 the dialect postgrest has its own name for the type', async () => {
    const other = await startLocalServer(harbor, { dialect: 'postgrest', extensions: 'patch' });
    await store('total', '1');
    const type = 'application/vnd.pgrst.patch+json';
    expect((await patch('/thing?id=eq.1', { total: { $add: 1 } }, { type, to: other })).status).toBe(204);
    expect(await stored('total')).toBe('2');
    const refused = await patch('/thing?id=eq.1', { total: { $add: 1 } }, { type: OPERATIONS, to: other });
    expect(errorOf(refused)).toMatchObject({ status: 400, code: 'PGRST102' });
    await store('list', '{}');
    const stray = await patch('/thing?id=eq.1', { list: { $remove: 1 } }, { type, to: other });
    expect(errorOf(stray)).toMatchObject({ status: 400, code: 'PGRST102' });
    await other.stop();
  });
});
