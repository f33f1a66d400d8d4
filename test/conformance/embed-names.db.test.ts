// Names of embeds in errors and keys, in both dialects: how PostgreSQL names their columns, and two embeds with one
// name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS, type DialectName } from '../../src/contract/dialect.ts';
import { describeResponse } from './answer.ts';
import { serveWriting, type Service } from './serve.ts';

/** 32 characters in 62 bytes: with the number of a level, it exceeds the maximum length of a PostgreSQL identifier. */
const LONG = `${'é'.repeat(30)}xy`;

const FIXTURE = `
  create table api.crews (id int primary key, name text);
  create table api.crew (id int primary key);
  create table api.messages_1 (id int primary key);
  create table api.messages (
    id int primary key, text text, crew_id int references api.crews, answers int references api.messages,
    list_id int references api.messages_1);
  create table api.trips (
    id int primary key,
    from_id int constraint trips_from references api.crews,
    to_id int constraint trips_to references api.crews);
  create table api.topics (id int primary key);
  create table api.message_topics (
    message_id int references api.messages, topic_id int references api.topics, primary key (message_id, topic_id));
  create table api."${LONG}" (id int primary key, above int references api."${LONG}");
  create function api.all_crews() returns setof api.crews language sql stable as 'select * from api.crews';
  create function api.newest(api.crews) returns setof api.messages rows 1 language sql stable
    as 'select * from api.messages where crew_id = $1.id order by id desc limit 1';
  insert into api.crews values (1, 'a'), (2, 'b');
  insert into api.messages_1 values (1), (2);
  insert into api.messages values (1, 'hello', 1, null, 1), (2, 'answer', 1, 1, 2);
  insert into api.trips values (1, 1, 2);
  insert into api."${LONG}" values (1, null), (2, 1), (3, 1);
  create domain "text/x-types" as text;
  create function api.add_type(text, anyelement) returns "text/x-types" language plpgsql as $$
    declare r record := $2;
    begin return $1 || pg_typeof(r.messages)::text || ' ' || pg_typeof(r.newest)::text || ';'; end $$;
  create aggregate api.types(anyelement) (sfunc = api.add_type, stype = "text/x-types", initcond = '');
  grant all on all tables in schema api to web_anon;`;

const ROWS = { Prefer: 'return=representation' };

describe.each<DialectName>(['svc', 'postgrest'])('%s', (dialect) => {
  const { errorPrefix } = DIALECTS[dialect];
  let service: Service;
  beforeAll(async () => {
    service = await serveWriting(
      { dialect, 'db-tx-end': 'rollback', 'db-plan-enabled': true, 'db-aggregates-enabled': true },
      FIXTURE,
    );
  });
  afterAll(() => service?.stop());

  type Sent = Partial<Parameters<Service['send']>[0]>;

  async function rows(path: string): Promise<unknown> {
    const { status, body } = await service.send({ method: 'GET', path });
    return [status, JSON.parse(body.toString())];
  }

  async function expectError(path: string, body: Readonly<Record<string, unknown>>, sent: Sent = {}): Promise<void> {
    const error = { details: null, hint: null, ...body };
    const answer = await service.send({ method: 'GET', path, ...sent });
    expect(describeResponse(answer)).toEqual({
      status: 400,
      headers: {
        server: expect.stringMatching(/^rowhouse\/\d+\.\d+$/u),
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(answer.body.length),
        'proxy-status': `rowhouse; error=${String(body['code'])}`,
      },
      body: error,
    });
  }

  test.each<[what: string, path: string, parent: string, alias: string, sent?: Sent]>([
    ['a relation twice', '/crews?select=id,messages(id),messages(text)', 'crews', 'messages_1'],
    ['a relation by two keys', '/trips?select=id,crews!trips_from(name),crews!trips_to(name)', 'trips', 'crews_1'],
    ['an alias twice', '/crews?select=a:messages(id),a:newest(id)', 'crews', 'a_1'],
    ['an alias equal to the name of another', '/crews?select=messages:newest(id),messages(id)', 'crews', 'messages_1'],
    [
      'an embed with nothing but nested embeds',
      '/crews?select=messages(id),messages(messages(id))',
      'crews',
      'messages_1',
    ],
    ['nested in another', '/crews?select=id,messages(topics(id),topics(id))', 'messages', 'topics_2'],
    ['nested in a spread', '/messages?select=id,...crews(newest(id),newest(id))', 'crews', 'newest_2'],
    ['in the rows of a function', '/rpc/all_crews?select=newest(id),newest(id)', 'crews', 'newest_1'],
    [
      'names equal in their first 63 bytes',
      `/crews?select=${'k'.repeat(63)}a:newest(id),${'k'.repeat(63)}b:newest(id)`,
      'crews',
      `${'k'.repeat(63)}_1`,
    ],
    [
      'in inserted rows',
      '/crews?select=newest(id),newest(id)',
      'crews',
      'newest_1',
      { method: 'POST', headers: ROWS, body: { id: 9 } },
    ],
    [
      'in updated rows',
      '/crews?id=eq.1&select=newest(id),newest(id)',
      'crews',
      'newest_1',
      { method: 'PATCH', headers: ROWS, body: { name: 'x' } },
    ],
  ])('two embeds with the same key are rejected: %s', async (_, path, parent, alias, sent) => {
    const name = dialect === 'svc' ? alias : `${parent}_${alias}`;
    await expectError(path, { code: '42712', message: `table name "${name}" specified more than once` }, sent);
  });

  test.each<[what: string, path: string, rows: readonly unknown[]]>([
    ['an alias distinguishes them', '/crews?select=messages(id),b:messages(text)&id=eq.2', [{ messages: [], b: [] }]],
    [
      'spreads have no key',
      '/trips?select=...crews!trips_from(a:name),...crews!trips_to(b:name)',
      [{ a: 'a', b: 'b' }],
    ],
    [
      'an empty embed has no key',
      '/crews?select=id,messages(id),messages()&messages=not.is.null',
      [{ id: 1, messages: [{ id: 1 }, { id: 2 }] }],
    ],
    [
      'they are on different levels',
      '/trips?select=crews!trips_from(trips!trips_from(id))',
      [{ crews: { trips: [{ id: 1 }] } }],
    ],
  ])('embeds with the same name are accepted if %s', async (_, path, expected) => {
    expect(await rows(path)).toEqual([200, expected]);
  });

  test.each<[what: string, path: string, column: string, sent?: Sent]>([
    ['to many', '/crews?select=id,messages(sum)', 'messages_1.sum'],
    ['to one', '/messages?select=id,crews(bogus)', 'crews_1.bogus'],
    ['with an alias', '/crews?select=id,letters:messages(bogus)', 'messages_1.bogus'],
    ['through a junction', '/messages?select=id,topics(bogus)', 'topics_1.bogus'],
    ['through a function', '/crews?select=id,newest(bogus)', 'newest_1.bogus'],
    ['through a column', '/messages?select=id,answers(bogus)', 'messages_1.bogus'],
    ['of a function', '/rpc/all_crews?select=id,bogus', 'all_crews.bogus'],
    ['of a function, in a filter', '/rpc/all_crews?select=id&bogus=eq.1', 'all_crews.bogus'],
    ['of a function, in an order', '/rpc/all_crews?select=id&order=bogus', 'all_crews.bogus'],
    ['nested in another', '/crews?select=id,messages(id,messages(bogus))', 'messages_2.bogus'],
    ['the second of a relation', '/crews?select=id,messages(id),b:messages(bogus)', 'messages_1.bogus'],
    ['a spread', '/messages?select=id,...crews(bogus)', 'crews_1.bogus'],
    ['a filter', '/crews?select=id,messages(id)&messages.bogus=eq.1', 'messages_1.bogus'],
    ['an order', '/crews?select=id,messages(id)&messages.order=bogus', 'messages_1.bogus'],
    ['an empty embed', '/crews?select=id,messages()&messages.bogus=eq.1', 'messages_1.bogus'],
    ['an order by a column of the embed', '/messages?select=id,crews(id)&order=crews(bogus)', 'messages_crews_1.bogus'],
    ['an order by its alias', '/messages?select=id,c:crews(id)&order=c(bogus)', 'messages_c_1.bogus'],
    ['in the rows of a function', '/rpc/all_crews?select=id,messages(bogus)', 'messages_1.bogus'],
    [
      'with a count',
      '/crews?select=id,messages!inner()&messages.bogus=eq.1',
      'messages_1.bogus',
      { headers: { Prefer: 'count=exact' } },
    ],
    [
      'in inserted rows',
      '/crews?select=id,messages(bogus)',
      'messages_1.bogus',
      { method: 'POST', headers: ROWS, body: { id: 9 } },
    ],
  ])('an error on a column names its embed: %s', async (_, path, column, sent) => {
    await expectError(path, { code: '42703', message: `column ${column} does not exist` }, sent);
  });

  test('a relation with the generated name of an embed does not collide with it', async () => {
    expect(await rows('/messages_1?select=id,messages(id)&order=id')).toEqual([
      200,
      [
        { id: 1, messages: [{ id: 1 }] },
        { id: 2, messages: [{ id: 2 }] },
      ],
    ]);
    await expectError('/messages_1?select=id,messages(bogus)', {
      code: '42703',
      message: 'column messages~1.bogus does not exist',
    });
  });

  test('a name too long for a level number does not collide', async () => {
    const name = encodeURIComponent(`"${LONG}"`);
    const path = `/${encodeURIComponent(LONG)}?id=eq.1&select=id,${name}(id,${name}(id))&${name}.order=id`;
    expect(await rows(path)).toEqual([
      200,
      [
        {
          id: 1,
          [LONG]: [
            { id: 2, [LONG]: [] },
            { id: 3, [LONG]: [] },
          ],
        },
      ],
    ]);
    const message = `column ${'é'.repeat(25)}~1.bogus does not exist`;
    await expectError(`/${encodeURIComponent(LONG)}?select=id,${name}(bogus)`, { code: '42703', message });
  });

  test('a media type handler receives embeds as jsonb', async () => {
    const headers = { Accept: 'text/x-types' };
    const path = '/crews?select=id,messages(id),newest(id)';
    const { status, headers: sent, body } = await service.send({ method: 'GET', path, headers });
    expect([status, sent.get('content-type'), body.toString()]).toEqual([
      200,
      ['text/x-types'],
      'jsonb jsonb;jsonb jsonb;',
    ]);
  });

  const relationshipError = (origin: string, target: string): Readonly<Record<string, unknown>> => ({
    code: `${errorPrefix}200`,
    message: `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${origin}' and '${target}' in the schema 'api', but no matches were found.`,
  });

  test('no relation is suggested in place of an existing one', async () => {
    await expectError('/messages?select=id,crew(id)', relationshipError('messages', 'crew'));
    await expectError('/crew?select=id,messages(id)', relationshipError('crew', 'messages'));
    await expectError('/messages?select=id,crewz(id)', {
      ...relationshipError('messages', 'crewz'),
      hint: "Perhaps you meant 'crews' instead of 'crewz'.",
    });
  });
});
