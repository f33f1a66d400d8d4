// Errors name only what the role of the request may use. Each hidden name has a visible one that resembles it, and a
// second role sees both.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useHarbor, type Harbor } from '../support/harbor.ts';
import { bearer, type LocalServer, startLocalServer, type RequestParts } from '../support/local-server.ts';
import { type MessageProxy, startMessageProxy } from '../support/message-proxy.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(renderNames(harbor));
const server = await use(startLocalServer(harbor, { 'db-channel-enabled': false }));

function renderNames({ anon, user }: Harbor): string {
  return `
    create table api.payroll (id int primary key, salary int);
    create table archive.payroll (id int primary key);
    grant select on archive.payroll to ${anon};
    create table api.payroles (id int primary key);
    create table api.clerk (id int primary key, name text);
    create view api.shown as select 1 as id;
    create table api.crew (id int primary key, berth_id int references api.berth);
    create table api.wage (id int primary key, crew_id int references api.crew);
    create table api.page (id int primary key, crew_id int references api.crew);
    create table api.skill (id int primary key);
    create table api.crew_skill (crew_id int references api.crew, skill_id int references api.skill, primary key (crew_id, skill_id));
    create table api.guild (id int primary key);
    create table api.enrolment (crew_id int references api.crew, guild_id int references api.guild, primary key (crew_id, guild_id));
    create table api.bonus (id int primary key);
    create function api.bonuses(api.crew) returns setof api.bonus language sql stable as 'select * from api.bonus';
    create table api.trip (id int primary key, from_id int references api.berth, to_id int references api.berth);
    create table api.haul (id int primary key, from_id int references api.berth, to_id int references api.berth);
    create table api.purser (id int primary key, berth_id int references api.berth);
    create table api.pursers (id int primary key);
    create function api.secret_total(amount int) returns int language sql stable as 'select 1';
    create function api.secret_totals() returns int language sql stable as 'select 1';
    create function api.mixed(first int) returns int language sql stable as 'select 1';
    create function api.mixed(first int, hidden_flag int) returns int language sql stable as 'select 1';
    create function api.price(item int) returns int language sql stable as 'select 1';
    create function api.price(item text) returns int language sql stable as 'select 1';
    create function api.cost(item int) returns int language sql stable as 'select 1';
    create function api.cost(item text) returns int language sql stable as 'select 1';
    create table api.tip (id int primary key, payroll_id int references api.payroll);
    create function api.pay_list() returns setof api.payroll language sql stable security definer as 'select * from api.payroll';
    revoke execute on function api.secret_total, api.mixed(int, int), api.price(text), api.cost(int), api.cost(text),
      api.bonuses from public;
    grant select on api.payroles, api.crew, api.page, api.skill, api.bonus, api.shown, api.pursers, api.tip, api.guild to ${anon}, ${user};
    grant select (crew_id) on api.enrolment to ${anon};
    grant select (name) on api.clerk to ${anon};
    grant select (id, from_id) on api.trip to ${anon};
    grant select (id) on api.haul to ${anon};
    grant select on api.payroll, api.wage, api.crew_skill, api.trip, api.haul, api.purser, api.ledger, api.enrolment to ${user};
    grant execute on function api.secret_total, api.mixed(int, int), api.price(text), api.cost(int), api.cost(text),
      api.bonuses to ${user};
  `;
}

const USER = (): RequestParts => ({ headers: bearer({ role: harbor.user }) });

interface Refusal {
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly message: string;
}

async function refusal(target: string, parts?: RequestParts): Promise<Refusal & { readonly status: number }> {
  const { status, text } = await server.get(target, parts);
  return { status, ...(JSON.parse(text) as Refusal) };
}

const TABLE = (name: string): string => `Perhaps you meant the table 'api.${name}'`;
const FUNCTION = (name: string): string => `Perhaps you meant to call the function api.${name}`;
const INSTEAD = (name: string, of: string): string => `Perhaps you meant '${name}' instead of '${of}'.`;

const NO_HINT = { hint: null };

/** The hint for the anonymous role, which may not use the hidden name, and for the user role, which may. */
const HINTS: readonly (readonly [what: string, target: string, hidden: string | null, shown: string | null])[] = [
  ['a table', '/ledgr', null, TABLE('ledger')],
  ['a table with a visible neighbor that is less similar', '/payrollz', TABLE('payroles'), TABLE('payroll')],
  ['a table in capital letters', '/PAYROLL', TABLE('payroles'), TABLE('payroll')],
  ['a view that both may use', '/shwn', TABLE('shown'), TABLE('shown')],
  ['a table with one column that the role may use', '/clark', TABLE('clerk'), null],
  ['a function', '/rpc/secrettotal?amount=1', FUNCTION('secret_totals'), FUNCTION('secret_total')],
  [
    'the parameters of a function',
    '/rpc/secret_total?amt=1',
    FUNCTION('secret_totals'),
    FUNCTION('secret_total(amount)'),
  ],
  ['the parameters of an overload', '/rpc/mixed?hidden_flg=1', null, FUNCTION('mixed(first, hidden_flag)')],
  ['a relationship', '/crew?select=id,wagee(*)', INSTEAD('page', 'wagee'), INSTEAD('wage', 'wagee')],
  ['a relationship through a hidden junction', '/crew?select=id,skil(*)', null, INSTEAD('skill', 'skil')],
  [
    'a relationship through a junction of which one column is hidden',
    '/crew?select=id,gild(*)',
    null,
    INSTEAD('guild', 'gild'),
  ],
  ['a relationship through a hidden function', '/crew?select=id,bonos(*)', null, INSTEAD('bonus', 'bonos')],
  ['a relationship through a hidden column', '/haul?select=id,bertt(*)', null, INSTEAD('berth', 'bertt')],
  ['a relationship that starts from another table', '/pursers?select=id,x(*)', null, null],
];

describe.each(['looked up first', 'known already'])('with names that are %s', (state) => {
  test.each(HINTS)('the hint for %s depends on the privileges of the role (%s)', async (_, target, hidden, shown) => {
    if (state === 'looked up first') await server.reload();
    expect(await refusal(target)).toMatchObject({ hint: hidden });
    expect(await refusal(target, USER())).toMatchObject({ hint: shown });
  });

  test('the order of the two roles does not matter', async () => {
    if (state === 'looked up first') await server.reload();
    expect(await refusal('/ledgr', USER())).toMatchObject({ status: 404, code: 'SVC205', hint: TABLE('ledger') });
    expect(await refusal('/ledgr')).toEqual({
      status: 404,
      code: 'SVC205',
      details: null,
      hint: null,
      message: "Could not find the table 'api.ledgr' in the schema cache",
    });
  });
});

test.each([
  ['OPTIONS', '/ledgr', null, TABLE('ledger')],
  ['POST', '/ledgr', null, TABLE('ledger')],
  ['PATCH', '/ledgr?id=eq.1', null, TABLE('ledger')],
  ['DELETE', '/ledgr?id=eq.1', null, TABLE('ledger')],
  ['POST', '/crew?select=id,skil(*)', null, INSTEAD('skill', 'skil')],
  ['POST', '/rpc/secrettotal', FUNCTION('secret_totals'), FUNCTION('secret_total')],
  ['OPTIONS', '/rpc/secrettotal', FUNCTION('secret_totals'), FUNCTION('secret_total')],
])('%s %s suggests no hidden name', async (method, target, hidden, shown) => {
  const headers = { 'Content-Type': 'application/json' };
  const parts = { method, ...(method.startsWith('P') && { body: '{"id":1}' }) };
  expect(await refusal(target, { ...parts, headers })).toMatchObject({ hint: hidden });
  const user = { ...headers, ...USER().headers };
  expect(await refusal(target, { ...parts, headers: user })).toMatchObject({ hint: shown });
});

test('each schema has its own hidden names', async () => {
  const several = await startLocalServer(harbor, { 'db-schemas': 'api,archive', 'db-channel-enabled': false });
  const hintOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<string | null> =>
    ((await several.json(path, { headers })) as Refusal).hint;
  const profile = { 'Accept-Profile': 'archive' };
  const hints = [
    await hintOf('/payrol', profile),
    await hintOf('/payrol', { ...profile, ...USER().headers }),
    await hintOf('/payrolz', {}),
    await hintOf('/old_visi', profile),
  ];
  await several.stop();
  const archived = "Perhaps you meant the table 'archive.";
  expect(hints).toEqual([`${archived}payroll'`, null, TABLE('payroles'), `${archived}old_visit'`]);
});

describe('what is ambiguous stays ambiguous, and the error lists only what the role may use', () => {
  const FROM = {
    cardinality: 'many-to-one',
    embedding: 'trip with berth',
    relationship: 'trip_from_id_fkey using trip(from_id) and berth(id)',
  };
  const TO = { ...FROM, relationship: 'trip_to_id_fkey using trip(to_id) and berth(id)' };
  const choose = (...choices: readonly string[]): string =>
    `Try changing 'berth' to one of the following: ${choices.map((choice) => `'berth!${choice}'`).join(', ')}. ` +
    "Find the desired relationship in the 'details' key.";

  test('of two relationships, the error lists those with visible columns', async () => {
    const both = await refusal('/trip?select=id,berth(*)', USER());
    expect(both).toMatchObject({ status: 300, code: 'SVC201', details: [FROM, TO] });
    expect(both.hint).toBe(choose('trip_from_id_fkey', 'trip_to_id_fkey'));
    expect(await refusal('/trip?select=id,berth(*)')).toEqual({
      status: 300,
      code: 'SVC201',
      details: [FROM],
      hint: choose('trip_from_id_fkey'),
      message: "Could not embed because more than one relationship was found for 'trip' and 'berth'",
    });
  });

  test('of two relationships through hidden columns, the error lists none', async () => {
    expect(await refusal('/haul?select=id,berth(*)')).toEqual({
      status: 300,
      code: 'SVC201',
      details: [],
      hint: null,
      message: "Could not embed because more than one relationship was found for 'haul' and 'berth'",
    });
  });

  test('of two functions, the error lists the visible ones, or the requested name', async () => {
    const between = (list: string): object => ({
      status: 300,
      code: 'SVC203',
      message: `Could not choose the best candidate function between: ${list}`,
    });
    const price = 'api.price(item => integer), api.price(item => text)';
    expect(await refusal('/rpc/price?item=1', USER())).toMatchObject(between(price));
    expect(await refusal('/rpc/price?item=1')).toMatchObject(between('api.price(item => integer)'));
    expect(await refusal('/rpc/cost?item=1', USER())).toMatchObject(between(price.replaceAll('price', 'cost')));
    expect(await refusal('/rpc/cost?item=1')).toMatchObject(between('api.cost'));
  });
});

describe('a relation that the request does not name is reported by the name that the request uses', () => {
  test.each([
    ['a function that returns its rows', '/rpc/pay_list?select=id,qqqqq(*)', 'pay_list'],
    ['a column that refers to it', '/tip?select=id,payroll_id(qqqqq(*))', 'payroll_id'],
  ])('%s', async (_, target, name) => {
    const message = (origin: string): string =>
      `Could not find a relationship between '${origin}' and 'qqqqq' in the schema cache`;
    expect(await refusal(target)).toMatchObject({ status: 400, code: 'SVC200', message: message(name) });
    expect(await refusal(target, USER())).toMatchObject({ status: 400, code: 'SVC200', message: message('payroll') });
  });

  test('the error for a related order uses the name in the request', async () => {
    const target = '/rpc/pay_list?select=id,tip(*)&order=tip(id)';
    const details = (origin: string): string =>
      `'${origin}' and 'tip' do not form a many-to-one or one-to-one relationship`;
    expect(await refusal(target)).toMatchObject({ status: 400, code: 'SVC118', details: details('pay_list') });
    expect(await refusal(target, USER())).toMatchObject({ status: 400, code: 'SVC118', details: details('payroll') });
  });
});

test('a role that does not exist, or that the server may not switch to, learns no names', async () => {
  const parts = { headers: bearer({ role: 'pg_read_all_data' }) };
  expect(await refusal('/bert', parts)).toMatchObject({ status: 404, ...NO_HINT });
  expect(await refusal('/bert', { headers: bearer({ role: `${harbor.anon}_x` }) })).toMatchObject(NO_HINT);
  expect(await refusal('/bert')).toMatchObject({ hint: TABLE('berth') });
});

test('a request without a role is rejected before any lookup', async () => {
  const closed = await startLocalServer(harbor, { 'db-anon-role': null, 'db-channel-enabled': false });
  const answer = await closed.get('/ledgr');
  await closed.stop();
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'SVC302', ...NO_HINT });
});

test('the postgrest dialect hides the same names', async () => {
  const other = await startLocalServer(harbor, { dialect: 'postgrest', 'db-channel-enabled': false });
  const answers = await Promise.all(HINTS.map(([, target]) => other.json(target)));
  await other.stop();
  expect(answers).toMatchObject(HINTS.map(([, , hint]) => ({ hint })));
});

test('a name is suggested after GRANT and no longer after REVOKE, once the schema cache is reloaded', async () => {
  const readHint = async (): Promise<unknown> => (await refusal('/payrollz')).hint;
  await server.reload();
  expect(await readHint()).toBe(TABLE('payroles'));
  await harbor.sql(`grant insert on api.payroll to ${harbor.anon}`);
  await server.reload();
  expect(await readHint()).toBe(TABLE('payroll'));
  await harbor.sql(`revoke insert on api.payroll from ${harbor.anon}; revoke usage on schema api from ${harbor.user}`);
  await server.reload();
  expect(await readHint()).toBe(TABLE('payroles'));
  expect(await refusal('/payrollz', USER())).toMatchObject(NO_HINT);
  await harbor.sql(`grant usage on schema api to ${harbor.user}`);
  await server.reload();
});

test('PostgreSQL itself reveals that a hidden table exists and which columns it has', async () => {
  expect(await refusal('/payroll')).toEqual({
    status: 401,
    code: '42501',
    details: null,
    hint: `Send a token with the header Authorization: Bearer TOKEN. To allow this without a token: GRANT SELECT ON api.payroll TO ${harbor.anon}`,
    message: 'permission denied for table payroll',
  });
  expect(await refusal('/payroll?select=salry')).toMatchObject({
    status: 400,
    code: '42703',
    hint: 'Perhaps you meant to reference the column "payroll.salary".',
  });
});

describe('statements', () => {
  let proxy: MessageProxy;
  let behind: LocalServer;
  let binds = 0;

  beforeAll(async () => {
    const { hostname, port } = new URL(harbor.uri);
    proxy = await startMessageProxy({ host: hostname, port: Number(port) });
    const uri = Object.assign(new URL(harbor.uri), { host: `127.0.0.1:${proxy.port}`, search: 'sslmode=disable' }).href;
    behind = await startLocalServer(harbor, { 'db-uri': uri, 'db-pool': 2, 'db-channel-enabled': false });
    proxy.watch(({ from, type }) => {
      if (from === 'client' && type === 'B') binds += 1;
    });
  });

  afterAll(async () => {
    await behind.stop();
    await proxy.close();
  });

  const count = async (requests: readonly (readonly [target: string, parts?: RequestParts])[]): Promise<number> => {
    const before = binds;
    await Promise.all(requests.map(([target, parts]) => behind.get(target, parts)));
    return binds - before;
  };

  test('a successful request sends two statements, and an error without a hidden candidate sends none', async () => {
    expect(await count([['/berth?id=eq.1']])).toBe(2);
    expect(await count([['/berth?id=eq.2']])).toBe(2);
    expect(await count([['/berth?select=id,visit(*)&or=(id.eq.1,id.eq.2)']])).toBe(2);
    expect(await count([['/qqqqq'], ['/rpc/qqqqq'], ['/berth?select=qqqqq(*)'], ['/berth?id=1']])).toBe(0);
  });

  test('a role looks its names up once, however many misspelled names it requests', async () => {
    const misspelled = Array.from({ length: 30 }, (_, index) => [`/bert${index % 7}`] as const);
    expect(await count(misspelled)).toBe(2);
    expect(await count(misspelled.map(([target]) => [target, USER()]))).toBe(2);
  });

  test('a cached plan of one role reveals nothing to another', async () => {
    const target = '/payrollz?id=eq.1';
    const hints = [];
    for (const parts of [USER(), {}, USER(), {}])
      hints.push((JSON.parse((await behind.get(target, parts)).text) as Refusal).hint);
    expect(hints).toEqual([TABLE('payroll'), TABLE('payroles'), TABLE('payroll'), TABLE('payroles')]);
  });

  test('if the database does not answer, the error has no hint', async () => {
    await behind.reload();
    let cuts = 0;
    proxy.watch(({ from, content }, cut) => {
      if (from !== 'client' || !content.includes('has_function_privilege')) return;
      cuts += 1;
      cut();
    });
    expect(await behind.json('/bert')).toMatchObject({ code: 'SVC205', hint: null });
    expect(cuts).toBe(1);
  });
});
