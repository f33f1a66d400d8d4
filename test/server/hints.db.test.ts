// Hints that suggest what to write instead, in the svc dialect only.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type Options, post, type RequestParts, useServers } from '../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

await harbor.sql(`
    create table api."user" (id int primary key);
    create function api.secret() returns int language sql stable as 'select 1';
    revoke execute on function api.secret() from public;
    create function api.peek() returns int language sql stable as 'select max(id) from api.ledger';
    create function api.berths() returns setof api.berth language sql stable as 'table api.berth';
    create function api.renumber() returns int language sql volatile as 'select 1';
    revoke execute on function api.renumber() from public;
    create table api.staff (id int primary key, title text, salary int);
    grant select (id, title), insert (title) on api.staff to ${harbor.user};
    create table api.fleet (id int primary key);
    create table api.ship (id int primary key, fleet_id int references api.fleet);
    create table api.deck (id int primary key, ship_id int references api.ship);
    create table api.hull (id int primary key);
    create table api.plate (id int primary key, ship_id int references api.ship, hull_id int references api.hull);
    grant select on api.fleet, api.ship, api.deck, api.hull to ${harbor.anon};
    create table api.track (track_id int primary key, name text);
    create table api.hidden_track (hidden_id int primary key);
    create table api.trip (day int, number int, primary key (day, number));
    grant select on api.track, api.trip to ${harbor.anon};
    create type api.mood as enum ('calm', 'rough');
    create table api.log (id int primary key, ship int references api.ship, sea api.mood, waves int, gusts int);
    grant all on api.log to ${harbor.anon};
    create table api.trip_day (day date);
    grant all on api.trip_day to ${harbor.anon};
    create schema shut;
    create table shut.box (id int primary key);`);
const [server, reference] = await Promise.all([
  start({ 'log-level': 'warn', 'db-schemas': 'api,shut' }),
  start({ dialect: 'postgrest', 'log-level': 'warn', 'db-schemas': 'api,shut' }),
]);

async function hintOf(target: string, parts: RequestParts = {}): Promise<unknown> {
  const error = (await server.json(target, parts)) as Record<string, unknown>;
  const other = (await reference.json(target, parts)) as Record<string, unknown>;
  expect(other).toEqual({ ...error, code: String(error['code']).replace('SVC', 'PGRST'), hint: null });
  return error['hint'];
}

test('a filter without an operator: the whole response', async () => {
  const { status, text, headers } = await server.get('/berth?name=Emma');
  expect(status).toBe(400);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['proxy-status']).toBe('rowhouse; error=SVC100');
  expect(text).toBe(
    String.raw`{"code":"SVC100","details":"unexpected \"E\" expecting \"not\" or operator (eq, gt, ...)","hint":"write name=eq.Emma","message":"\"failed to parse filter (Emma)\" (line 1, column 1)"}`,
  );
});

test.each([
  ['name=equal', 'write name=eq.equal'],
  ['name=greater.5', 'greater is not an operator. To compare with the whole text, write name=eq.greater.5'],
  ['name=not.greater.5', 'greater is not an operator. To compare with the whole text, write name=not.eq.greater.5'],
  ['name=not.Emma', 'write name=not.eq.Emma'],
  ['visit.name=1', 'write visit.name=eq.1'],
  ['name=a%26b%20%22%0D%0A<', 'write name=eq.a%26b%20%22%0D%0A%3C'],
  [`name=${'a'.repeat(101)}`, null],
  [`${'n'.repeat(101)}=a`, null],
  ['name=', null],
  ['name=in.(1', null],
  ['order=name.up', null],
  ['order=name.descending', 'write order=name.desc'],
  ['order=name.DESC', null],
  ['order=-name', 'write order=name.desc'],
  ['name=eq', 'eq needs a value: write name=eq.VALUE'],
  ['name=not.in', 'not.in needs a value: write name=not.in.VALUE'],
  ['sort=name', 'To sort, write order=name. To filter by a column of that name, write sort=eq.name'],
  ['sort_by=-name', 'To sort, write order=name.desc. To filter by a column of that name, write sort_by=eq.-name'],
  [
    'page=2',
    'To get the second page of 25 rows, write limit=25&offset=25. To filter by a column of that name, write page=eq.2',
  ],
  ['per_page=10', 'To limit the rows, write limit=10. To filter by a column of that name, write per_page=eq.10'],
  ['skip=10', 'To skip rows, write offset=10. To filter by a column of that name, write skip=eq.10'],
  [
    'fields=id,name',
    'To choose columns and embeds, write select=id,name. To filter by a column of that name, write fields=eq.id,name',
  ],
  [
    'filter=x',
    'To filter, write COLUMN=OPERATOR.VALUE, such as id=eq.1. To filter by a column of that name, write filter=eq.x',
  ],
])('a query that cannot be parsed: %s', async (query, hint) => {
  expect(await hintOf(`/berth?${query}`)).toBe(hint);
});

test.each([
  ['/berth?limit=abc', 'write limit=25, with a whole number of rows'],
  ['/berth?limit=1.5', 'write limit=25, with a whole number of rows'],
  ['/berth?select=id,visit(id)&visit.limit=x', 'write limit=25, with a whole number of rows'],
  ['/berth?offset=x', 'write offset=25, with the whole number of rows to skip'],
  ['/rpc/berths?limit=x', 'write limit=25, with a whole number of rows'],
])('R116c a bound that is not an integer: %s', async (target, hint) => {
  const { status, text } = await server.get(target);
  expect([status, JSON.parse(text)]).toEqual([
    400,
    {
      code: 'SVC100',
      details: 'expecting a whole number',
      hint,
      message: expect.stringMatching(/^"failed to parse (?:limit|offset) \(.+\)" \(line 1, column 1\)$/u) as string,
    },
  ]);
  expect((await reference.get(target)).status).toBe(200);
});

test.each([
  ['/berth/', 'write /berth, without the slash at the end'],
  ['/berth/1', 'To get one row, filter by its key: write /berth?id=eq.1'],
  ['/track/1/', 'To get one row, filter by its key: write /track?track_id=eq.1'],
  ['/tracks/1', "Perhaps you meant the table 'track'. To get one row of it, write /track?track_id=eq.1"],
  ['/staff/1', 'To get one row, filter by its key: write /staff?id=eq.1 if the key is called id'],
  ['/trip/1', 'To get one row, filter by its key: write /trip?id=eq.1 if the key is called id'],
  ['/hidden_track/1', 'To get one row, filter by its key: write /hidden_track?id=eq.1 if the key is called id'],
  ['/rpc/berths/', 'write /rpc/berths'],
  ['/berth/1/visits', null],
  ['/rpc/', null],
  ['/%3Cb%3E/1', null],
])('a path that names nothing: %s', async (target, hint) => {
  expect(await hintOf(target)).toBe(hint);
});

test('a role that the server cannot take says what to grant', async () => {
  const stranger = `${harbor.user}_stranger`;
  await harbor.sql(`create role ${stranger}`);
  const as = (role: string): RequestParts => ({ headers: bearer({ role }) });
  expect(await hintOf('/berth', as(stranger))).toBe(
    `The token names a role that the server may not assume. Allow it: GRANT ${stranger} TO LOGIN_ROLE, the role in db-uri`,
  );
  await harbor.sql(`drop role ${stranger}`);
  for (const path of ['/berth', '/']) expect(await hintOf(path, as('No one'))).toBeNull();
  expect(await hintOf('/berth', as('n'.repeat(64)))).toBeNull();
});

test('a token without Bearer, where anonymous access is disabled', async () => {
  const closed = await start({ 'db-anon-role': null, 'log-level': 'crit' });
  const ask = (headers: Record<string, string>): Promise<unknown> => closed.json('/berth', { headers });
  const { Authorization: header = '' } = bearer({ role: harbor.user });
  expect(await ask({ Authorization: header.replace('Bearer ', '') })).toEqual({
    code: 'SVC302',
    details: null,
    hint: 'Write Bearer before the token: Authorization: Bearer TOKEN',
    message: 'Anonymous access is disabled',
  });
  expect(await ask({})).toMatchObject({ code: 'SVC302', hint: null });
});

test('JSON sent without its Content-Type, as curl does', async () => {
  const hint = 'The body was read as a form. To send JSON, add the header Content-Type: application/json';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const target of ['/berth', '/rpc/berths']) {
    expect(await hintOf(target, { method: 'POST', headers, body: '{"name":"x"}' })).toBe(hint);
    expect(await hintOf(target, { method: 'POST', headers, body: ' [{"name":"a=b"}]' })).toBe(hint);
  }
});

test('a misspelled column of a body, if the role may read the column', async () => {
  expect(await hintOf('/berth', post({ nmae: 'x' }))).toBeNull();
  expect(await hintOf('/berth', post({ nam: 'x' }))).toBe("Perhaps you meant the column 'name'");
  expect(await hintOf('/staff', post({ salry: 1 }))).toBeNull();
  const asUser = (value: unknown): RequestParts => {
    const { headers, ...parts } = post(value);
    return { ...parts, headers: { ...headers, ...bearer({ role: harbor.user }) } };
  };
  expect(await hintOf('/staff', asUser({ titl: 'x' }))).toBe("Perhaps you meant the column 'title'");
  expect(await hintOf('/staff', asUser({ salry: 1 }))).toBeNull();
});

test('a relation that is related only through another one', async () => {
  expect(await hintOf('/deck?select=id,fleet(id)')).toBe(
    "There is no direct relationship. Embed through 'ship': select=ship(fleet(*))",
  );
  expect(await hintOf('/deck?select=id,hull(id)')).toBeNull();
});

test('aggregates that are off', async () => {
  expect(await hintOf('/berth?select=count()')).toBe(
    'The operator allows aggregate functions with db-aggregates-enabled',
  );
});

test.each([
  ['/berth?order=name%20desc', 'write order=name.desc'],
  ['/berth?order=name+DESC,id+asc+nulls+last', 'write order=name.desc,id.asc.nullslast'],
  ['/berth?select=id,visit(id)&visit.order=id%20asc', 'write visit.order=id.asc'],
  ['/berth?order=name%20desc%20now', null],
  ['/berth?order=descent', null],
  ['/berth?descent=eq.1&order=id', null],
  [`/berth?order=name${'%20'.repeat(101)}desc`, null],
])('an order in SQL syntax: %s', async (target, hint) => {
  expect(await hintOf(target)).toBe(hint);
});

test.each([
  ['', 1, 1],
  ['{"id": 1,}', 1, 10],
  ['{"id": 1', 1, 9],
  ['[{"id": 1},\n {"näme": tru}]', 2, 11],
  ['[{"id" 1}]', 1, 8],
  ['[1, 01]', 1, 6],
  ['{"id": 1} x', 1, 11],
  ['[[[{}]], "a\\q"]', 1, 10],
])('a body that is not JSON: %s fails at line %i, column %i', async (body, line, column) => {
  const headers = { 'Content-Type': 'application/json' };
  expect(await hintOf('/berth', { method: 'POST', headers, body })).toBe(
    `The JSON goes wrong at line ${line}, column ${column}`,
  );
});

test('a wrong signature has a hint, other token errors have none', async () => {
  const wrong = bearer({ role: harbor.user }, 'another-secret-of-thirty-two-bytes-or-more');
  expect(await hintOf('/berth', { headers: wrong })).toBe(
    'The signature is wrong: the token was signed with another secret or key',
  );
  expect(await hintOf('/berth', { headers: { Authorization: 'Bearer a.b' } })).toBeNull();
});

test('a token without Bearer is logged from level warn on, without the token', async () => {
  const token = bearer({ role: harbor.user })['Authorization']?.slice('Bearer '.length) ?? '';
  const line = 'The token of GET /berth?limit=0 was ignored. Send "Authorization: Bearer TOKEN"';
  const headers = { Authorization: token };
  expect((await server.get('/berth?limit=0', { headers })).status).toBe(200);
  expect(server.err.filter((each) => each === line)).toHaveLength(1);
  expect(server.err.join('\n')).not.toContain(token);
  await server.get('/berth?limit=0', { headers: { Authorization: 'Basic YTpi' } });
  await reference.get('/berth?limit=0', { headers });
  expect([server, reference].map((each) => each.count(/was ignored/u))).toEqual([1, 0]);
  const silent = await start({ 'log-level': 'error' });
  await silent.get('/berth?limit=0', { headers });
  expect(silent.count(/was ignored/u)).toBe(0);
});

const TOKEN = 'Send a token with the header Authorization: Bearer TOKEN';

function as(role: string, parts: RequestParts = {}): RequestParts {
  return { ...parts, headers: { ...parts.headers, ...bearer({ role }) } };
}

function patch(value: unknown): RequestParts {
  return { ...post(value), method: 'PATCH' };
}

test.each<[string, string]>([
  ['/ledger', 'GRANT SELECT ON api.ledger'],
  ['/user', 'GRANT SELECT ON api."user"'],
  ['/staff?select=salary', 'GRANT SELECT ON api.staff'],
  ['/rpc/secret', 'GRANT EXECUTE ON FUNCTION api.secret'],
])('a read without a token: %s', async (target, grant) => {
  expect(await hintOf(target)).toBe(`${TOKEN}. To allow this without a token: ${grant} TO ${harbor.anon}`);
  expect(await hintOf(target, as(harbor.anon))).toBe(`${grant} TO ${harbor.anon}`);
});

test('a schema that nobody without a token may use', async () => {
  expect(await hintOf('/box', { headers: { 'Accept-Profile': 'shut' } })).toBe(
    `${TOKEN}. To allow this without a token: GRANT USAGE ON SCHEMA shut TO ${harbor.anon}`,
  );
});

test.each<[string, RequestParts]>([
  ['/ledger', post({ id: 1 })],
  ['/berth?id=eq.1', patch({ name: 'x' })],
  ['/berth?id=eq.1', { method: 'DELETE' }],
  ['/rpc/renumber', post({})],
])('no write is granted to everybody: %s %j', async (target, parts) => {
  expect(await hintOf(target, parts)).toBe(TOKEN);
  const token = bearer({ role: harbor.user })['Authorization']?.slice('Bearer '.length) ?? '';
  const withHeader = (Authorization: string): RequestParts => ({
    ...parts,
    headers: { ...parts.headers, Authorization },
  });
  expect(await hintOf(target, withHeader(token))).toBe('Write Bearer before the token: Authorization: Bearer TOKEN');
  expect(await hintOf(target, withHeader('Basic YTpi'))).toBe(
    'The server reads tokens only from the header Authorization: Bearer TOKEN',
  );
  expect(await hintOf(target, as(harbor.anon, parts))).toBe(
    'The role of this token is the one for requests without a token. Send a token with another role',
  );
});

test.each<[string, RequestParts, string]>([
  ['/ledger', {}, 'GRANT SELECT ON api.ledger'],
  ['/ledger', post({ id: 1 }), 'GRANT INSERT (id) ON api.ledger'],
  ['/deck?id=eq.1', patch({ ship_id: 1 }), 'GRANT SELECT, UPDATE (ship_id) ON api.deck'],
  ['/deck?id=eq.1', { method: 'DELETE' }, 'GRANT SELECT, DELETE ON api.deck'],
  ['/rpc/renumber', post({}), 'GRANT EXECUTE ON FUNCTION api.renumber'],
  ['/staff?select=id,salary', {}, 'GRANT SELECT (salary) ON api.staff'],
  ['/staff?salary=gt.1&select=id', {}, 'GRANT SELECT (salary) ON api.staff'],
  ['/staff?select=id&order=salary.desc', {}, 'GRANT SELECT (salary) ON api.staff'],
  ['/staff', post({ title: 'x', salary: 1 }), 'GRANT INSERT (salary, title) ON api.staff'],
])('a token whose role lacks a privilege on %s: %j', async (target, parts, grant) => {
  expect(await hintOf(target, as(harbor.user, parts))).toBe(`${grant} TO ${harbor.user}`);
});

test('every column, if the role may read only some', async () => {
  expect(await hintOf('/staff', as(harbor.user))).toBe('Select only columns that the role may read: select=id,title');
});

test('a server without a key for tokens', async () => {
  const keyless = await start({ 'jwt-secret': null });
  expect(await keyless.json('/ledger')).toMatchObject({ hint: `GRANT SELECT ON api.ledger TO ${harbor.anon}` });
  expect(await keyless.json('/ledger', post({ id: 1 }))).toMatchObject({
    hint: 'Writing needs a token. The operator sets the key for tokens with jwt-secret',
  });
});

test('a missing privilege inside a function has no hint', async () => {
  expect(await hintOf('/rpc/peek')).toBeNull();
});

test.each<Options>([{ 'openapi-mode': 'disabled' }, { 'db-root-spec': 'api.who' }])(
  'no grant is suggested if the description is not public: %j',
  async (options) => {
    const closed = await start(options);
    expect(await closed.json('/ledger')).toEqual({
      code: '42501',
      details: null,
      hint: TOKEN,
      message: 'permission denied for table ledger',
    });
  },
);

test('db-safe-update rejects PATCH and DELETE without a filter, and nothing else', async () => {
  await harbor.sql(`
    create table api.crate (id int primary key, note text);
    insert into api.crate values (1), (2);
    grant all on api.crate to ${harbor.anon};`);
  const safe = await start({ 'db-safe-update': true });
  const patch = { ...post({ note: 'x' }), method: 'PATCH' };
  const refused = await safe.get('/crate?order=id&limit=1', patch);
  expect(refused.status).toBe(400);
  expect(refused.headers['proxy-status']).toBe('rowhouse; error=SVC137');
  expect(refused.text).toBe(
    '{"code":"SVC137","details":"Without one it takes every row","hint":"Add a filter; to mean every row, one that is always true, such as id=not.is.null","message":"PATCH needs a filter"}',
  );
  expect(await safe.json('/crate', { method: 'DELETE' })).toMatchObject({
    code: 'SVC137',
    message: 'DELETE needs a filter',
  });
  expect(await harbor.query('select count(*)::int from api.crate where note is null')).toEqual([[2]]);
  expect((await safe.get('/crate?id=not.is.null', patch)).status).toBe(204);
  expect((await safe.get('/crate?or=(id.eq.1,id.eq.9)', { method: 'DELETE' })).status).toBe(204);
  expect((await safe.get('/crate', post({ id: 3 }))).status).toBe(201);
  expect(await harbor.query('select id, note from api.crate order by id')).toEqual([
    [2, 'x'],
    [3, null],
  ]);
});

test('db-safe-update is off by default and can be enabled in any dialect', async () => {
  await harbor.sql(`create table api.cask (id int); grant all on api.cask to ${harbor.anon}`);
  const safe = await start({ dialect: 'postgrest', 'db-safe-update': true });
  expect(await safe.json('/cask', { method: 'DELETE' })).toMatchObject({ code: 'PGRST137' });
  await server.reload();
  expect((await server.get('/cask', { method: 'DELETE' })).status).toBe(204);
});

/** Returns 2,000 rows, one of them changed. */
function withRow(at: number, changed: object): readonly object[] {
  return Array.from({ length: 2000 }, (_, id) => ({ id, sea: 'calm', waves: 3, ...(id === at ? changed : {}) }));
}

function csv(body: string): RequestParts {
  return { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body };
}

test.each<[string, string, RequestParts, string | null]>([
  [
    'related rows without the preference',
    '/ship',
    post({ id: 1, deck: [{ id: 1 }] }),
    "'deck' is a relation. To write its rows too, add the header Prefer: nested=write",
  ],
  ['a key that is neither', '/ship', post({ id: 1, oars: [{ id: 1 }] }), null],
  [
    'different keys',
    '/log',
    post([{ id: 1 }, { id: 2, waves: 3 }]),
    'List all keys in the URL: columns=KEY,KEY. Where a key is absent, the column becomes null, or its default with the header Prefer: missing=default',
  ],
  ['a label that does not exist', '/log', post({ id: 1, sea: 'wild' }), "'sea' accepts 'calm', 'rough'"],
  ['a label that does not exist, in a filter', '/log?sea=eq.wild', {}, "'sea' accepts 'calm', 'rough'"],
  [
    'a number out of range',
    '/log',
    post({ waves: 99_999_999_999 }),
    "'waves' accepts numbers from -2147483648 to 2147483647",
  ],
  [
    'a number out of range in one of several columns',
    '/log',
    post({ waves: 99_999_999_999, gusts: 1 }),
    "'waves', 'gusts' accept numbers from -2147483648 to 2147483647",
  ],
  [
    'a name with special characters',
    '/log?select=id,sea@level',
    {},
    'A name with special characters has to be quoted: write select=%22sea@level%22',
  ],
  ['a name with a dot', '/log?select=ship.id', {}, "To embed 'ship', write select=ship(id)"],
  [
    'a wrong value in one of many rows',
    '/log',
    post(withRow(1499, { waves: 'high' })),
    "Row 1500 of the body (index 1499), column 'waves'",
  ],
  [
    'the same value in another column first',
    '/log',
    post([
      { id: 1, sea: 'calm', waves: 1 },
      { id: 2, sea: 'rough', waves: 'calm' },
    ]),
    "Row 2 of the body (index 1), column 'waves'",
  ],
  [
    'a wrong label in the last row',
    '/log',
    post([
      { id: 1, sea: 'calm' },
      { id: 2, sea: 'wild' },
    ]),
    "Row 2 of the body (index 1), column 'sea'. 'sea' accepts 'calm', 'rough'",
  ],
  [
    'a number out of range in a row',
    '/log',
    post([
      { id: 1, waves: 1 },
      { id: 2, waves: 99_999_999_999 },
    ]),
    "Row 2 of the body (index 1), column 'waves'. 'id', 'waves' accept numbers from -2147483648 to 2147483647",
  ],
  [
    'a date that does not exist',
    '/trip_day',
    post([{ day: '2026-02-28' }, { day: '2026-02-30' }]),
    "Row 2 of the body (index 1), column 'day'",
  ],
  [
    'a wrong value in a row of CSV',
    '/log',
    csv(`id,sea,waves\n1,calm,1\n\n2,"rough",2\n${'3,calm,7\n'.repeat(2000)}4,calm,"very ""high"""\n`),
    "Line 2005 of the body, column 'waves'",
  ],
  ['a wrong value in the only row', '/log', post([{ id: 1, waves: 'high' }]), null],
])('%s', async (_name, target, parts, hint) => {
  expect(await hintOf(target, parts)).toBe(hint);
});

test('R69 a number out of range in a filter has no hint', async () => {
  expect(await hintOf('/log?waves=eq.99999999999', {})).toBeNull();
});

test('an order by the key of an aggregate', async () => {
  const allowed = await start({ 'db-aggregates-enabled': true });
  expect(await allowed.json('/log?select=ship,waves.sum()&order=sum.desc')).toMatchObject({
    code: '42703',
    hint: 'Order by the aggregate itself: write order=waves.sum().desc',
  });
  // An alias needs no hint: it is a term of the order.
  expect(await allowed.json('/log?select=ship,most:waves.max()&order=ship,most')).toEqual(
    await allowed.json('/log?select=ship,most:waves.max()&order=ship,waves.max()'),
  );
  expect(await allowed.json('/log?select=ship,most:waves.max()&order=most&most=gt.1')).toMatchObject({
    code: '42703',
    hint: null,
  });
});

test('GeoJSON without PostGIS is not available, and listed where PostGIS is', async () => {
  const headers = { Accept: 'application/geo+json' };
  const { status, text } = await server.get('/track', { headers });
  expect([status, JSON.parse(text)]).toEqual([
    415,
    {
      code: 'SVC107',
      details: null,
      hint: 'application/geo+json needs the extension PostGIS in the database',
      message: 'None of these media types are available: application/geo+json',
    },
  ]);
  const listed = async (): Promise<boolean> => {
    const document = await server.get('/', { headers: { Accept: 'application/vnd.oai.openapi+json;version=3.1' } });
    return document.text.includes('application/geo+json');
  };
  expect(await listed()).toBe(false);
  await harbor.sql(
    `create function api.st_asgeojson(record) returns text language plpgsql as 'begin return null; end'`,
  );
  await server.reload();
  expect(await listed()).toBe(true);
  expect((await server.get('/track', { headers })).status).toBe(200);
});
