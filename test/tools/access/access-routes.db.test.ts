// Who may do what, and why a role sees a row or not: the routes of `rowhouse dev`, with a superuser as login role unless
// a test says otherwise.
import { beforeAll, describe, expect, test } from 'vitest';
import type { AccessDocument, RowExplanation } from '../../../src/contract/access-document.ts';
import { serverVersion } from '../../support/database.ts';
import { type Harbor, useHarbor } from '../../support/harbor.ts';
import { accessToken, type Asked, type Asking, createAsking, now } from './support.ts';

let harbor: Harbor;
let ask: Asking;

beforeAll(async () => {
  harbor = await useHarbor();
  const { anon, user, login } = harbor;
  await harbor.sql(`
    create schema shed;
    create function shed.captain() returns text language sql stable
      as $$ select current_setting('request.jwt.claims', true)::json ->> 'captain' $$;
    create table api.cargo (
      number int primary key, captain text, crates int, "odd ""name" text default 'back\\slash ''quote''');
    alter table api.cargo enable row level security;
    insert into api.cargo values (1, 'ann', 5), (2, 'bob', null), (3, 'ann', -1);
    create policy own on api.cargo for select to ${user} using (captain = shed.captain());
    create policy full_ones on api.cargo as restrictive using (crates > 0);
    create policy load on api.cargo for insert to ${user} with check (captain = shed.captain());
    grant select, update (crates) on api.cargo to ${user};
    grant select (number, captain) on api.cargo to ${anon};
    create table api.locked (number int primary key);
    alter table api.locked enable row level security;
    alter table api.locked force row level security;
    insert into api.locked values (1);
    grant select on api.locked to ${user};
    create table api.open_water (number int primary key);
    insert into api.open_water values (1);
    grant select on api.open_water to ${user}, ${login};
    create policy peeking on api.locked using (exists (select from api.open_water o where o.number = locked.number));
  `);
  ask = createAsking({ 'db-uri': harbor.adminUri, 'db-schemas': 'api', 'db-anon-role': harbor.anon });
});

async function explain(
  relation: string,
  number: number | string,
  { role = harbor.user, claims = {}, asking = ask }: { role?: string; claims?: object; asking?: Asking } = {},
): Promise<RowExplanation> {
  const key = { number: String(number) };
  const answer = await asking({ body: { schema: 'api', relation, key, role, claims } });
  if (!('body' in answer)) throw new Error(JSON.stringify(answer));
  return answer.body as RowExplanation;
}

const resultsOf = ({ policies, outcome }: RowExplanation): unknown => [
  ...policies.map(({ name, result }) => [name, result.kind]),
  outcome.kind,
];

describe('the matrix', () => {
  test('contains rights by role, columns, policies and functions', async () => {
    const answer = await ask({ path: 'matrix', body: { schema: 'api' } });
    const { roles, relations, functions, schema } = ('body' in answer ? answer.body : answer) as AccessDocument;
    expect(schema).toBe('api');
    expect(roles[0]).toEqual({
      name: harbor.anon,
      isAnonymous: true,
      isSuperuser: false,
      bypassesRowSecurity: false,
      hasUsage: true,
      isLogin: false,
    });
    const place = roles.findIndex(({ name }) => name === harbor.user);
    const cargo = relations.find(({ name }) => name === 'cargo');
    expect(cargo?.rights[0]).toEqual({
      select: ['number', 'captain'],
      insert: false,
      update: false,
      delete: false,
      isOwner: false,
      limits: [],
    });
    expect(cargo?.rights[place]).toMatchObject({ select: true, update: ['crates'] });
    expect(cargo).toMatchObject({ kind: 'table', rowSecurity: 'on', key: ['number'] });
    expect(cargo?.policies).toMatchObject([
      { name: 'full_ones', command: 'all', isPermissive: false, roles: ['public'], using: 'crates > 0', check: null },
      { name: 'load', command: 'insert', roles: [harbor.user], using: null, check: 'captain = shed.captain()' },
      { name: 'own', command: 'select', isPermissive: true, using: 'captain = shed.captain()' },
    ]);
    expect(cargo?.policies[0]?.appliesTo).toContain(harbor.anon);
    expect(cargo?.policies[2]?.appliesTo).not.toContain(harbor.anon);
    expect(relations.find(({ name }) => name === 'locked')).toMatchObject({ rowSecurity: 'forced' });
    expect(functions.find(({ name }) => name === 'who')?.roles).toContain(harbor.user);
  });

  test('says which tables limit a view, for the role that reads each of them', async () => {
    if ((await serverVersion()) < 15) return;
    const { user, anon } = harbor;
    await harbor.sql(`
      create view api.own_cargo with (security_invoker) as select number, crates from api.cargo;
      create view api.all_cargo as select number, crates from api.cargo;
      create view api.outer_cargo as select o.number from api.own_cargo o join api.open_water using (number);
      grant select on api.own_cargo, api.all_cargo, api.outer_cargo to ${user}, ${anon};
    `);
    const answer = await ask({ path: 'matrix', body: { schema: 'api' } });
    await harbor.sql('drop view api.outer_cargo, api.all_cargo, api.own_cargo');
    const { roles, relations } = ('body' in answer ? answer.body : answer) as AccessDocument;
    const limitsOf = (name: string, role: string): unknown =>
      relations.find((one) => one.name === name)?.rights[roles.findIndex((one) => one.name === role)]?.limits;
    const restricted = ['select', 'insert', 'update', 'delete'];
    const own = { table: 'api.cargo', reader: user, isReadable: true, restricted };
    expect(limitsOf('own_cargo', user)).toEqual([own]);
    expect(limitsOf('outer_cargo', user)).toEqual([own]);
    expect(limitsOf('all_cargo', user)).toEqual([]);
    expect(limitsOf('cargo', user)).toEqual([]);
    expect(limitsOf('own_cargo', anon)).toEqual([{ ...own, reader: anon }]);
  });

  test('knows the roles of servers: its own, and those that may become the anonymous role', async () => {
    const clerk = `${harbor.user}_clerk`;
    const gate = `${harbor.user}_gate`;
    await harbor.sql(`create role ${clerk} login in role ${harbor.user};
      create role ${gate} login noinherit in role ${harbor.anon}, ${harbor.user}`);
    const answer = await ask({ path: 'matrix', body: { schema: 'api' } });
    await harbor.sql(`drop role ${clerk}, ${gate}`);
    const { roles, login } = ('body' in answer ? answer.body : answer) as AccessDocument;
    const isLogin = Object.fromEntries(roles.map((role) => [role.name, role.isLogin]));
    expect(isLogin).toMatchObject({
      [login]: true,
      [gate]: true,
      [clerk]: false,
      [harbor.anon]: false,
      [harbor.user]: false,
    });
  });

  test('lists only roles that the login role may assume', async () => {
    const asking = createAsking({ 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon });
    const answer = await asking({ path: 'matrix', body: { schema: 'api' } });
    const { roles, login } = ('body' in answer ? answer.body : answer) as AccessDocument;
    expect(login).toBe(harbor.login);
    expect(roles.map(({ name }) => name)).toEqual([harbor.anon, harbor.user, harbor.login]);
  });
});

describe('a row', () => {
  test('is evaluated for each policy as the role, with its claims', async () => {
    const claims = { captain: 'ann' };
    const seen = await explain('cargo', 1, { claims });
    expect(resultsOf(seen)).toEqual([['full_ones', 'true'], ['own', 'true'], 'visible']);
    expect(seen).toMatchObject({ row: { kind: 'found' }, hiddenColumns: [], relation: { name: 'cargo' } });
    expect(JSON.stringify(seen)).not.toContain('slash');
    expect(resultsOf(await explain('cargo', 2, { claims }))).toEqual([
      ['full_ones', 'null'],
      ['own', 'false'],
      'hidden',
    ]);
    expect(resultsOf(await explain('cargo', 3, { claims }))).toEqual([
      ['full_ones', 'false'],
      ['own', 'true'],
      'hidden',
    ]);
    expect(resultsOf(await explain('cargo', 1))).toEqual([['full_ones', 'true'], ['own', 'null'], 'hidden']);
  });

  test('is described for a role with few columns and only a restrictive policy', async () => {
    const { hiddenColumns, ...answer } = await explain('cargo', 1, { role: harbor.anon });
    expect(resultsOf({ hiddenColumns, ...answer })).toEqual([['full_ones', 'true'], 'hidden']);
    expect(hiddenColumns).toEqual(['crates', 'odd "name']);
  });

  test('is evaluated with the privileges of the role, not those of the login role', async () => {
    await harbor.sql('revoke execute on function shed.captain from public');
    const { policies } = await explain('cargo', 1);
    expect(policies[1]?.result).toEqual({ kind: 'failed', reason: 'permission denied for function captain' });
    await harbor.sql('grant execute on function shed.captain to public');
    expect(resultsOf(await explain('locked', 1))).toEqual([['peeking', 'true'], 'visible']);
    await harbor.sql(`revoke select on api.open_water from ${harbor.user}`);
    expect((await explain('locked', 1)).policies[0]?.result).toMatchObject({ kind: 'failed' });
    await harbor.sql(`grant select on api.open_water to ${harbor.user}`);
  });

  test('needs no policy where row security is off, or for superusers', async () => {
    expect(resultsOf(await explain('open_water', 1))).toEqual(['visible']);
    expect(resultsOf(await explain('cargo', 2, { role: 'postgres' }))).toEqual(['visible']);
  });

  test('may be missing, and a value of the key may be anything', async () => {
    expect(await explain('cargo', 99)).toMatchObject({ row: { kind: 'missing' }, outcome: { kind: 'hidden' } });
    expect(await explain('cargo', "1' or true --")).toMatchObject({
      row: { kind: 'unreadable', reason: `invalid input syntax for type integer: "1' or true --"` },
    });
  });

  test('stays unread if the login role may not read the table either', async () => {
    const asking = createAsking({ 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon });
    expect(await explain('cargo', 1, { asking })).toMatchObject({
      row: { kind: 'unreadable', reason: 'permission denied for schema api' },
      policies: [{ result: { kind: 'skipped' } }, { result: { kind: 'skipped' } }],
    });
  });

  test('is read with the connection of an owner, and checked by what the role gets through the login role', async () => {
    const options = { 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon };
    const asking = createAsking(options, harbor.adminUri);
    const claims = { captain: 'ann' };
    const seen = await explain('cargo', 1, { asking, claims });
    expect(seen).toMatchObject({ row: { kind: 'found' }, inspector: { isLogin: false }, outcome: { kind: 'visible' } });
    expect(resultsOf(await explain('cargo', 3, { asking, claims }))).toEqual([
      ['full_ones', 'false'],
      ['own', 'true'],
      'hidden',
    ]);
    expect(await explain('cargo', 99, { asking })).toMatchObject({ row: { kind: 'missing' } });
    const answer = await asking({ path: 'matrix', body: { schema: 'api' } });
    const { roles } = ('body' in answer ? answer.body : answer) as AccessDocument;
    expect(roles.map(({ name }) => name)).toEqual([harbor.anon, harbor.user, harbor.login]);
  });

  test('is unseen, not missing, if policies restrict the role that looks for it', async () => {
    await harbor.sql(`grant usage on schema api to ${harbor.login}; grant select on api.locked to ${harbor.login}`);
    const asking = createAsking({ 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon });
    const unseen = await explain('locked', 99, { asking });
    expect(unseen).toMatchObject({ row: { kind: 'unseen' }, inspector: { name: harbor.login, isLogin: true } });
    expect(await explain('open_water', 99, { asking })).toMatchObject({ row: { kind: 'missing' } });
    await harbor.sql(`revoke usage on schema api from ${harbor.login}`);
  });

  test('without USAGE on the schema is not looked at', async () => {
    await harbor.sql(`revoke usage on schema api from ${harbor.anon}`);
    const answer = await explain('cargo', 1, { role: harbor.anon });
    expect(answer).toMatchObject({ role: { hasUsage: false }, policies: [{ result: { kind: 'skipped' } }] });
    expect(answer.outcome).toEqual({ kind: 'failed', reason: 'permission denied for schema api' });
    await harbor.sql(`grant usage on schema api to ${harbor.anon}`);
  });

  test('cannot be changed by a policy', async () => {
    await harbor.sql(`
      create function shed.note(int) returns boolean language sql as 'insert into api.open_water values ($1 + 100); select true';
      create table api.noted (number int primary key);
      alter table api.noted enable row level security;
      insert into api.noted values (1);
      create policy noting on api.noted using (shed.note(number));
      grant select on api.noted to ${harbor.user}`);
    const { policies } = await explain('noted', 1);
    expect(policies[0]?.result).toMatchObject({ kind: 'failed' });
    expect(await harbor.query('select from api.open_water where number > 100')).toEqual([]);
  });
});

describe('a row to insert', () => {
  beforeAll(() =>
    harbor.sql(`
      create table api.manifest (
        number serial primary key, captain text default shed.captain(), crates int default 5, weight int,
        "odd ""tags""" text[] default '{"a b"}', data jsonb default '{"a":1}', twice int generated always as (1) stored);
      alter table api.manifest enable row level security;
      create policy own on api.manifest to ${harbor.user} using (captain = shed.captain()) with check (crates > 0);
      create policy complete on api.manifest as restrictive for insert
        with check ("odd ""tags""" = '{"a b"}' and data ->> 'a' = '1');
      create policy light on api.manifest as restrictive for insert with check (weight < 100);
      grant select, insert on api.manifest to ${harbor.user};`),
  );

  async function explainInsert(proposed: object, asking: Asking = ask): Promise<RowExplanation> {
    const claims = { captain: 'ann' };
    const body = { schema: 'api', relation: 'manifest', role: harbor.user, claims, action: 'insert', proposed };
    const answer = await asking({ body });
    if (!('body' in answer)) throw new Error(JSON.stringify(answer));
    return answer.body as RowExplanation;
  }

  test('P41 is checked with the defaults of the role, by the policies for INSERT and those for returning it', async () => {
    const refused = await explainInsert({ crates: 0, weight: 7, captain: 'bob' });
    expect(refused.policies).toMatchObject([
      { name: 'complete', result: { kind: 'true' } },
      { name: 'light', command: 'insert', using: 'weight < 100', result: { kind: 'true' } },
      {
        name: 'own',
        command: 'insert',
        using: 'crates > 0',
        result: { kind: 'false' },
        parts: [{ expression: 'crates > 0', values: [{ name: 'crates', value: '0' }] }],
      },
      { name: 'own', command: 'select', using: 'captain = shed.captain()', result: { kind: 'false' } },
    ]);
    expect(refused).toMatchObject({
      action: 'insert',
      row: { kind: 'proposed', columns: ['crates', 'weight', 'captain'], unknown: ['number'] },
      outcome: { kind: 'untried' },
    });
    expect(resultsOf(await explainInsert({ weight: 7 }))).toEqual([
      ['complete', 'true'],
      ['light', 'true'],
      ['own', 'true'],
      ['own', 'true'],
      'untried',
    ]);
    expect(resultsOf(await explainInsert({}))).toContainEqual(['light', 'null']);
    expect(await harbor.query('select from api.manifest')).toEqual([]);
    expect(await harbor.query('select is_called from api.manifest_number_seq')).toEqual([[false]]);
  });

  test('P41 is refused by policies that cannot be evaluated, of a partitioned table with an odd name', async () => {
    await harbor.sql(`
      create table api."part's "" table" (id int default 1, kind text) partition by list (id);
      create table api.part_one partition of api."part's "" table" for values in (1);
      alter table api."part's "" table" enable row level security;
      create policy "round "" '" on api."part's "" table" to ${harbor.user}
        using (exists (select from api."part's "" table")) with check (kind = E'a\\'b');
      create policy broken on api."part's "" table" as restrictive for insert with check (1 / (length(kind) - 1) > 0);
      grant select, insert on api."part's "" table" to ${harbor.user};`);
    const ask1 = async (kind: string): Promise<unknown> => {
      const body = {
        schema: 'api',
        relation: `part's " table`,
        role: harbor.user,
        action: 'insert',
        proposed: { kind },
      };
      const answer = await ask({ body });
      return 'body' in answer ? resultsOf(answer.body as RowExplanation) : answer;
    };
    expect(await ask1("a'b")).toEqual([
      ['broken', 'false'],
      ['round " \'', 'true'],
      ['round " \'', 'failed'],
      'untried',
    ]);
    expect(await ask1('x')).toEqual([
      ['broken', 'failed'],
      ['round " \'', 'false'],
      ['round " \'', 'failed'],
      'untried',
    ]);
  });

  test('P41 that is none of the table says why', async () => {
    expect(await explainInsert({ weight: 'heavy' })).toMatchObject({
      row: { kind: 'unreadable', reason: 'invalid input syntax for type integer: "heavy"' },
    });
  });

  test('P41 is prepared with the connection of an owner, and needs no right of its own to read policies', async () => {
    const asking = createAsking({ 'db-uri': harbor.uri, 'db-schemas': 'api' }, harbor.adminUri);
    expect(resultsOf(await explainInsert({ weight: 500 }, asking))).toEqual([
      ['complete', 'true'],
      ['light', 'false'],
      ['own', 'true'],
      ['own', 'true'],
      'untried',
    ]);
  });
});

describe('a question is rejected', () => {
  const question = { schema: 'api', relation: 'cargo', key: { number: '1' }, role: 'postgres', claims: {} };
  test.each<readonly [string, Asked, object]>([
    ['another host name', { headers: { host: 'evil.example:3000' } }, { kind: 'sourceNotAllowed', header: 'Host' }],
    ['another site', { headers: { origin: 'https://evil.example' } }, { kind: 'sourceNotAllowed', header: 'Origin' }],
    ['another port', { headers: { origin: 'http://localhost:5173' } }, { kind: 'sourceNotAllowed', header: 'Origin' }],
    ['a link', { headers: { 'sec-fetch-site': 'same-site' } }, { kind: 'sourceNotAllowed', header: 'Sec-Fetch-Site' }],
    ['another machine', { address: '192.0.2.7' }, { kind: 'sourceNotAllowed', header: 'Client' }],
    ['GET', { method: 'GET' }, { kind: 'methodUnsupported' }],
    ['no token', { headers: { authorization: '' } }, { kind: 'tokenInvalid' }],
    ['the key itself', { headers: { authorization: 'Bearer key' } }, { kind: 'tokenInvalid' }],
    [
      'another key',
      { headers: { authorization: `Bearer ${accessToken({}, 'x'.repeat(40))}` } },
      { kind: 'tokenInvalid' },
    ],
    [
      'a token to view as a role',
      { headers: { authorization: `Bearer ${accessToken({ purpose: undefined })}` } },
      { kind: 'claimsInvalid' },
    ],
    [
      'an old token',
      { headers: { authorization: `Bearer ${accessToken({ exp: now() - 60 })}` } },
      { kind: 'claimsInvalid' },
    ],
    [
      'a lasting token',
      { headers: { authorization: `Bearer ${accessToken({ exp: now() + 3600 })}` } },
      { kind: 'claimsInvalid' },
    ],
    [
      'a token without exp',
      { headers: { authorization: `Bearer ${accessToken({ exp: undefined })}` } },
      { kind: 'claimsInvalid' },
    ],
    ['another schema', { body: { ...question, schema: 'shed' } }, { kind: 'schemaNotExposed' }],
    ['an unknown table', { body: { ...question, relation: 'crane' } }, { kind: 'relationNotFound' }],
    ['an unknown column', { body: { ...question, key: { 'number" or true --': '1' } } }, { kind: 'columnNotFound' }],
    ['an unknown role', { body: { ...question, role: 'nobody' } }, { kind: 'invalidBody' }],
    ['no key', { body: { ...question, key: {} } }, { kind: 'invalidBody' }],
    [
      'an unknown column to insert',
      { body: { ...question, action: 'insert', proposed: { '"': 1 } } },
      { kind: 'columnNotFound' },
    ],
    ['no row to insert', { body: { ...question, action: 'insert', proposed: [] } }, { kind: 'invalidBody' }],
    ['no JSON', { body: 'text' }, { kind: 'invalidBody' }],
  ])('%s', async (_name, asked, error) => {
    expect(await ask({ body: question, ...asked })).toMatchObject(error);
  });

  test('unless everything is right', async () => {
    const headers = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
    expect(await ask({ body: question, headers, address: '::ffff:127.0.0.1' })).toMatchObject({ status: 200 });
  });
});
