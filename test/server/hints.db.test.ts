// Hints that suggest what to write instead, in the svc dialect only.
import { beforeAll, expect, test } from 'vitest';
import { useHarbor } from './support/harbor.ts';
import { bearer, type LocalServer, type Options, post, type RequestParts } from './support/local-server.ts';
import { useServers } from './support/use-servers.ts';

const harbor = await useHarbor();
const start = useServers(harbor, 'file');
let server: LocalServer;
let reference: LocalServer;

beforeAll(async () => {
  await harbor.sql(`
    create table api."user" (id int primary key);
    create function api.secret() returns int language sql stable as 'select 1';
    revoke execute on function api.secret() from public;
    create function api.peek() returns int language sql stable as 'select max(id) from api.ledger';
    create schema shut;
    create table shut.box (id int primary key);`);
  [server, reference] = await Promise.all([
    start({ 'log-level': 'warn', 'db-schemas': 'api,shut' }),
    start({ dialect: 'postgrest', 'log-level': 'warn', 'db-schemas': 'api,shut' }),
  ]);
});

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
])('a query that cannot be parsed: %s', async (query, hint) => {
  expect(await hintOf(`/berth?${query}`)).toBe(hint);
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

test.each<[string, RequestParts, string]>([
  ['/ledger', {}, 'GRANT SELECT ON api.ledger'],
  ['/user', {}, 'GRANT SELECT ON api."user"'],
  ['/ledger', post({ id: 1 }), 'GRANT INSERT ON api.ledger'],
  ['/berth?id=eq.1', { ...post({ name: 'x' }), method: 'PATCH' }, 'GRANT SELECT, UPDATE ON api.berth'],
  ['/berth?id=eq.1', { method: 'DELETE' }, 'GRANT SELECT, DELETE ON api.berth'],
  ['/rpc/secret', {}, 'GRANT EXECUTE ON FUNCTION api.secret'],
  ['/box', { headers: { 'Accept-Profile': 'shut' } }, 'GRANT USAGE ON SCHEMA shut'],
])('a missing privilege on %s: %j', async (target, parts, grant) => {
  expect(await hintOf(target, parts)).toBe(`${grant} TO ${harbor.anon}`);
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
      hint: null,
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
