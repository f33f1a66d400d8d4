// `response.explain()`: names the privilege or the policy that hid or refused a row, in cases that were planted.
import { expect, test } from 'vitest';
import { openProject } from '../../../tools/testing/index.ts';
import type { TestClient, TestIdentity, TestResponse } from '../../../tools/testing/contract/types.ts';
import { useFolders } from '../project/folder.ts';
import { EXPLAINED } from './explained-project.ts';

const project = await openProject(useFolders()(EXPLAINED));
const ANN: TestIdentity = { role: 'web_user', sub: 'ann' };
const ANON: TestIdentity = { role: 'web_anon' };
const RETURNING = { headers: { Prefer: 'return=representation' } };
/** As PostgreSQL prints it. */
const SUB = `((current_setting('request.jwt.claims'::text, true))::json ->> 'sub'::text)`;

type Case = readonly [
  name: string,
  identity: TestIdentity,
  send: (client: TestClient) => Promise<TestResponse>,
  answer: readonly [status: number, code?: string],
  lines: readonly string[],
];

const CASES: readonly Case[] = [
  [
    'a read of a row that a policy hides',
    ANN,
    (c) => c.get('/orders?id=eq.2'),
    [200],
    [
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'a read of all rows, with a restrictive policy',
    ANN,
    (c) => c.get('/orders'),
    [200],
    [
      'USING of restrictive policy not_secret on orders hid 1 row (id=4): secret IS NULL',
      '  id=4: secret is "x"',
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'a read of which nothing is hidden',
    ANN,
    (c) => c.get('/orders?id=eq.1'),
    [200],
    ['No policy or privilege hid or refused a row: the request concerns 1 row (id=1).'],
  ],
  [
    'a read that no row matches',
    ANN,
    (c) => c.get('/orders?id=eq.99'),
    [200],
    ['No row of orders matches the request, whatever the policies are.'],
  ],
  [
    'a read to which no policy applies',
    ANON,
    (c) => c.get('/orders?select=id'),
    [200],
    [
      'No permissive policy on orders for SELECT applies to web_anon: row-level security hid 4 rows (id=1, id=2, id=3, id=4).',
    ],
  ],
  [
    'a read of a column without the privilege',
    ANON,
    (c) => c.get('/orders?select=id,secret'),
    [401, '42501'],
    ['web_anon lacks SELECT on the column secret of orders.'],
  ],
  [
    'a read of all columns without the privilege for some',
    ANON,
    (c) => c.get('/orders'),
    [401, '42501'],
    ['web_anon lacks SELECT on the columns owner, note, secret of orders.'],
  ],
  [
    'a filter by a column without the privilege',
    ANON,
    (c) => c.get('/orders?select=id&owner=eq.ann'),
    [401, '42501'],
    ['web_anon lacks SELECT on the column owner of orders.'],
  ],
  [
    'an insert without the privilege',
    ANON,
    (c) => c.post('/orders', { id: 9, owner: 'ann' }),
    [401, '42501'],
    ['web_anon lacks INSERT on orders.'],
  ],
  [
    'an insert that WITH CHECK refuses',
    ANN,
    (c) => c.post('/orders', { id: 9, owner: 'bob' }),
    [403, '42501'],
    [
      `WITH CHECK of policy add_own on orders refused 1 new row (id=9): owner = ${SUB}`,
      '  id=9: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'an insert of which two parts of the condition are false',
    ANN,
    (c) => c.post('/orders', { id: 9, owner: 'bob', status: 'void' }),
    [403, '42501'],
    [
      `WITH CHECK of policy add_own on orders refused 1 new row (id=9): owner = ${SUB}; status = 'open'::text`,
      '  id=9: owner is "bob", claim sub is "ann", status is "void"',
    ],
  ],
  [
    'an insert whose row could not be returned',
    ANN,
    (c) => c.post('/orders', { id: 9, owner: 'ann', secret: 'x' }, RETURNING),
    [403, '42501'],
    [
      'USING of restrictive policy not_secret on orders refused 1 new row (id=9): secret IS NULL',
      '  id=9: secret is "x"',
    ],
  ],
  [
    'an insert that succeeds',
    ANN,
    (c) => c.post('/orders', { id: 9, owner: 'ann' }),
    [201],
    ['No policy or privilege refused a row.'],
  ],
  [
    'an insert of several rows, one of which is refused',
    ANN,
    (c) =>
      c.post('/orders', [
        { id: 9, owner: 'ann' },
        { id: 10, owner: 'bob' },
      ]),
    [403, '42501'],
    [
      `WITH CHECK of policy add_own on orders refused 1 new row (id=10): owner = ${SUB}`,
      '  id=10: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'an insert that a constraint refuses',
    ANN,
    (c) => c.post('/orders', { id: 1, owner: 'ann' }),
    [409, '23505'],
    [
      'PostgreSQL reported 23505: duplicate key value violates unique constraint "orders_pkey". That is no refusal by a privilege or a policy.',
    ],
  ],
  [
    'an update of a row that is hidden',
    ANN,
    (c) => c.patch('/orders?id=eq.2', { note: 'x' }),
    [204],
    [
      'USING of policy change_open on orders hid 1 row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'an update of a row that can only be read',
    ANN,
    (c) => c.patch('/orders?id=eq.3', { note: 'x' }),
    [204],
    [`USING of policy change_open on orders hid 1 row (id=3): status = 'open'::text`, '  id=3: status is "sent"'],
  ],
  [
    'an update that WITH CHECK refuses, of one row of two',
    ANN,
    (c) => c.patch('/orders?id=in.(1,2)', { status: 'void' }),
    [403, '42501'],
    [
      'USING of policy change_open on orders hid 1 row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
      `WITH CHECK of policy change_open on orders refused 1 new row (id=1): status <> 'void'::text`,
      '  id=1: status is "void"',
    ],
  ],
  [
    'an update that loses its row',
    ANN,
    (c) => c.patch('/orders?id=eq.1', { owner: 'bob' }),
    [403, '42501'],
    [
      `USING of policy read_own on orders refused 1 new row (id=1): owner = ${SUB}`,
      '  id=1: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'an update of a column without the privilege',
    ANN,
    (c) => c.patch('/orders?id=eq.1', { secret: 'y' }),
    [403, '42501'],
    ['web_user lacks UPDATE on the column secret of orders.'],
  ],
  [
    'an update that no row matches',
    ANN,
    (c) => c.patch('/orders?id=eq.99', { note: 'y' }),
    [204],
    ['No row of orders matches the request any more, whatever the policies are.'],
  ],
  [
    'an update that succeeds',
    ANN,
    (c) => c.patch('/orders?id=eq.1', { note: 'y' }),
    [204],
    [
      'No policy or privilege hid or refused a row: the request concerns 1 row (id=1). If one is still as it was, a trigger or a rule has kept it so.',
    ],
  ],
  [
    'a delete that a policy for it hides a row from',
    ANN,
    (c) => c.delete('/orders?id=eq.3'),
    [204],
    [`USING of policy drop_open on orders hid 1 row (id=3): status = 'open'::text`, '  id=3: status is "sent"'],
  ],
  [
    'a delete of a row that cannot be read',
    ANN,
    (c) => c.delete('/orders?id=eq.2'),
    [204],
    [
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'a delete that succeeds',
    ANN,
    (c) => c.delete('/orders?id=eq.1'),
    [204],
    ['No row of orders matches the request any more, whatever the policies are.'],
  ],
  [
    'a delete without the privilege',
    ANON,
    (c) => c.delete('/orders?id=eq.1'),
    [401, '42501'],
    ['web_anon lacks DELETE on orders.'],
  ],
  [
    'an insert under a policy for all commands without WITH CHECK',
    ANN,
    (c) => c.post('/notes', { id: 9, owner: 'bob' }),
    [403, '42501'],
    [
      'USING of policy mine on notes refused 1 new row (id=9): owner = private.me()',
      '  id=9: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'an update under a policy for all commands',
    ANN,
    (c) => c.patch('/notes?id=eq.2', { body: 'x' }),
    [204],
    [
      'USING of policy mine on notes hid 1 row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'an update that loses its row to such a policy',
    ANN,
    (c) => c.patch('/notes?id=eq.1', { owner: 'bob' }),
    [403, '42501'],
    [
      'USING of policy mine on notes refused 1 new row (id=1): owner = private.me()',
      '  id=1: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a claim that is missing',
    { role: 'web_user' },
    (c) => c.get('/orders?id=eq.1'),
    [200],
    [
      `USING of policy read_own on orders hid 1 row (id=1): owner = ${SUB}`,
      '  id=1: owner is "ann", claim sub is null',
    ],
  ],
  [
    'a claim within another one, and a setting',
    { role: 'web_user', app: { team: 'blue' } },
    (c) => c.get('/claims'),
    [200],
    [
      `USING of policy deep on claims hid 1 row (id=1): (team = (((current_setting('request.jwt.claims'::text, true))::jsonb -> 'app'::text) ->> 'team'::text)) OR (team = current_setting('app.team'::text, true))`,
      '  id=1: team is "red", claim app.team is "blue", app.team is null',
    ],
  ],
  [
    'several permissive policies',
    ANN,
    (c) => c.get('/docs?id=lt.100'),
    [200],
    [
      'USING of policy open on docs hid 1 row (id=1): is_public',
      '  id=1: is_public is "false"',
      'USING of policy open on docs hid 1 row (id=2): COALESCE("odd name", 0) < 10',
      '  id=2: odd name is "50"',
      'USING of policy own on docs hid 2 rows (id=1, id=2): owner = private.me()',
      '  id=1: owner is "bob", private.me() is "ann"',
      '  id=2: owner is "bob", private.me() is "ann"',
      'One of these would have to allow a row: open, own.',
    ],
  ],
  [
    'restrictive policies alone',
    ANON,
    (c) => c.get('/docs'),
    [200],
    [
      'No permissive policy on docs for SELECT applies to web_anon: row-level security hid 3 rows (id=1, id=2, id=200).',
      'USING of restrictive policy only_small on docs hid 1 row (id=200): id < 100',
      '  id=200: id is "200"',
    ],
  ],
  [
    'a policy for a role that is inherited',
    { role: 'web_staff' },
    (c) => c.get('/plans'),
    [200],
    [`USING of policy of_team on plans hid 1 row (id=2): team = 'red'::text`, '  id=2: team is "blue"'],
  ],
  [
    'a policy for a role that is not inherited',
    { role: 'web_guest' },
    (c) => c.get('/plans'),
    [200],
    ['No permissive policy on plans for SELECT applies to web_guest: row-level security hid 2 rows (id=1, id=2).'],
  ],
  [
    'BYPASSRLS',
    { role: 'web_admin' },
    (c) => c.get('/plans'),
    [200],
    [
      'No policy or privilege hid or refused a row (web_admin has BYPASSRLS, so no policy restricts it): the request concerns 2 rows (id=1, id=2).',
    ],
  ],
  [
    'the owner of a table with FORCE ROW LEVEL SECURITY',
    { role: 'web_owner' },
    (c) => c.get('/ledgers'),
    [200],
    ['USING of policy small on ledgers hid 1 row (id=2): amount < 10', '  id=2: amount is "50"'],
  ],
  [
    'the owner of a table without it',
    { role: 'web_owner' },
    (c) => c.get('/drafts'),
    [200],
    [
      'No policy or privilege hid or refused a row (web_owner owns drafts, whose row-level security is not forced): the request concerns 1 row (id=1).',
    ],
  ],
  [
    'a table without row-level security',
    ANON,
    (c) => c.get('/tags'),
    [200],
    [
      'No policy or privilege hid or refused a row (row-level security of tags is off): the request concerns 1 row (id=1).',
    ],
  ],
  [
    'a read of a view with security_invoker',
    ANN,
    (c) => c.get('/open_orders?id=eq.2'),
    [200],
    [
      'The view open_orders reads orders as web_user (security_invoker).',
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'an insert into such a view',
    ANN,
    (c) => c.post('/open_orders', { id: 9, owner: 'bob' }),
    [403, '42501'],
    [
      'The view open_orders reads orders as web_user (security_invoker).',
      `WITH CHECK of policy add_own on orders refused 1 new row (id=9): owner = ${SUB}`,
      '  id=9: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'an update of such a view that WITH CHECK refuses',
    ANN,
    (c) => c.patch('/open_orders?id=eq.1', { status: 'void' }),
    [403, '42501'],
    [
      'The view open_orders reads orders as web_user (security_invoker).',
      `WITH CHECK of policy change_open on orders refused 1 new row (id=1): status <> 'void'::text`,
      '  id=1: status is "void"',
    ],
  ],
  [
    'an update of a row that such a view hides',
    ANN,
    (c) => c.patch('/open_orders?id=eq.2', { status: 'void' }),
    [204],
    [
      'The view open_orders reads orders as web_user (security_invoker).',
      'USING of policy change_open on orders hid 1 row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'a view with the rights of a superuser',
    ANN,
    (c) => c.get('/all_orders'),
    [200],
    [
      'The view all_orders reads orders as its owner, postgres: postgres is a superuser, whom no policy restricts.',
      'No policy hid or refused a row that is known.',
    ],
  ],
  [
    'a view with the rights of an owner whom policies restrict',
    ANN,
    (c) => c.get('/team_plans?number=eq.2'),
    [200],
    [
      'The view team_plans reads plans as its owner, view_owner.',
      `USING of policy of_team on plans hid 1 row (id=2): team = 'red'::text`,
      '  id=2: team is "blue"',
    ],
  ],
  [
    'a view without the key of its table',
    ANN,
    (c) => c.get('/order_counts'),
    [200],
    [
      'The view order_counts reads orders as web_user (security_invoker).',
      'Which rows of orders it hides is not known, as order_counts does not show its key.',
      'No policy hid or refused a row that is known.',
    ],
  ],
  [
    'a view of a table without the privilege',
    ANN,
    (c) => c.get('/hidden_lines'),
    [403, '42501'],
    ['web_user lacks SELECT on lines, which the view hidden_lines uses as web_user (security_invoker).'],
  ],
  [
    'a read of a partitioned table',
    ANN,
    (c) => c.get('/events'),
    [200],
    [
      'USING of policy own_events on events hid 1 row (id=1 year=2026): owner = private.me()',
      '  id=1 year=2026: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'an insert into a partitioned table',
    ANN,
    (c) => c.post('/events', { id: 2, year: 2026, owner: 'bob' }),
    [403, '42501'],
    [
      'USING of policy own_events on events refused 1 new row (id=2 year=2026): owner = private.me()',
      '  id=2 year=2026: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a read of a table that others inherit from',
    ANN,
    (c) => c.get('/animals'),
    [200],
    [
      'USING of policy kept_by on animals hid 1 row (id=2): keeper = private.me()',
      '  id=2: keeper is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a function with SECURITY DEFINER',
    ANN,
    (c) => c.rpc('total'),
    [200],
    [
      'The function total runs as its owner, postgres, whom no policy restricts (SECURITY DEFINER). The privileges and policies of web_user do not count within it.',
      'Which rows these statements found or refused is not known. Send requests to the tables themselves.',
    ],
  ],
  [
    'a function with SECURITY INVOKER',
    ANN,
    (c) => c.rpc('count_orders'),
    [200],
    [
      'The function count_orders runs as web_user (SECURITY INVOKER): its privileges and policies apply to each statement within it.',
      'They name orders, on whose rows policies decide for web_user. Which of them they found or refused was not examined. Send requests to the tables themselves.',
    ],
  ],
  [
    'a function without the privilege',
    ANN,
    (c) => c.rpc('wipe'),
    [403, '42501'],
    ['web_user lacks EXECUTE on the function wipe.'],
  ],
  [
    'a schema without USAGE',
    ANN,
    (c) => c.get('/papers', { headers: { 'Accept-Profile': 'closed' } }),
    [403, '42501'],
    ['web_user lacks USAGE on the schema closed.'],
  ],
  [
    'a policy that reads another table',
    ANN,
    (c) => c.get('/topics'),
    [200],
    [
      'USING of policy of_members on topics hid 1 row (id=2): EXISTS ( SELECT FROM api.members m WHERE (m.team = topics.team)). It reads members as web_user sees it.',
      '  id=2: team is "blue"',
    ],
  ],
  [
    'a policy that fails',
    ANN,
    (c) => c.get('/ratios'),
    [400, '22012'],
    ['PostgreSQL reported 22012: division by zero. That is no refusal by a privilege or a policy.'],
  ],
  [
    'an upsert of a row that may not be changed',
    ANN,
    (c) => c.post('/notes', { id: 2, owner: 'ann' }, { headers: { Prefer: 'resolution=merge-duplicates' } }),
    [403, '42501'],
    [
      'USING of policy mine on notes refused 1 existing row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a PUT of a row that may not be changed',
    ANN,
    (c) => c.put('/notes?id=eq.2', { id: 2, owner: 'ann', body: '' }),
    [403, '42501'],
    [
      'USING of policy mine on notes refused 1 existing row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a default that depends on the role',
    ANN,
    (c) => c.post('/logs', { line: 'x' }),
    [403, '42501'],
    [`WITH CHECK of policy by_boss on logs refused 1 new row (id=2): who = 'boss'::text`, '  id=2: who is "web_user"'],
  ],
  [
    'an update that a trigger skips',
    ANN,
    (c) => c.patch('/kept?id=eq.1', { n: 2 }),
    [204],
    ['The trigger keep on kept (BEFORE UPDATE OR DELETE, private.keep()) skipped 1 row (id=1).'],
  ],
  [
    'an embedded relation without the privilege',
    ANN,
    (c) => c.get('/orders?select=id,lines(*)'),
    [403, '42501'],
    ['web_user lacks SELECT on lines.'],
  ],
  [
    'a row that was expected and is hidden',
    ANN,
    (c) => c.get('/orders?id=eq.2', { headers: { Accept: 'application/vnd.pgrst.object+json' } }),
    [406, 'SVC116'],
    [
      `USING of policy read_own on orders hid 1 row (id=2): owner = ${SUB}`,
      '  id=2: owner is "bob", claim sub is "ann"',
    ],
  ],
  [
    'a relation that does not exist',
    ANN,
    (c) => c.get('/nothing'),
    [404, 'SVC205'],
    [
      `The server answered before it ran a statement: SVC205: Could not find the table 'api.nothing' in the schema cache.`,
    ],
  ],
  [
    'a request that runs no statement',
    ANN,
    (c) => c.request('OPTIONS', '/orders'),
    [200],
    ['The server answered before it ran a statement: status 200.'],
  ],
];

test.each(CASES)('P40 explains %s', async (_name, identity, send, [status, code], lines) => {
  await project.test(async (as) => {
    const response = await send(as(identity));
    expect([response.status, response.body?.code]).toEqual([status, code]);
    expect((await response.explain()).split('\n')).toEqual(lines);
  })();
});

test('P40 explaining changes nothing, and the session goes on', async () => {
  const session = await project.begin();
  const readState = () =>
    session.as.owner`
      select (select json_agg(o order by id) from api.orders as o) as orders, (select count(*) from pg_prepared_statements) as prepared,
        (select json_agg(rolname order by rolname) from pg_roles where rolsuper) as superusers`;
  const before = await readState();
  const ann = session.as(ANN);
  const responses = [
    await ann.post('/orders', { id: 9, owner: 'bob' }),
    await ann.patch('/orders?id=eq.1', { owner: 'bob' }),
    await ann.delete('/orders?id=eq.3'),
  ];
  for (const response of responses) expect(await response.explain()).toMatch(/^(?:USING|WITH CHECK) of policy/u);
  expect(await readState()).toEqual(before);
  const { rows } = await ann.get('/orders?select=id&order=id');
  expect(rows).toEqual([{ id: 1 }, { id: 3 }]);
  await session.end();
  await expect(responses[0]?.explain()).rejects.toThrow('The session of the test has ended.');
});

test('P40 sessions explain the writes of one role at once', async () => {
  const sessions = await Promise.all([project.begin(), project.begin(), project.begin()]);
  const texts = sessions.map(async (session, index) => {
    const response = await session.as(ANN).post('/notes', { id: 10 + index, owner: 'bob' });
    return response.explain();
  });
  for (const [index, text] of (await Promise.all(texts)).entries())
    expect(text).toContain(`refused 1 new row (id=${10 + index})`);
  for (const session of sessions) await session.end();
});

test('P40 rows are named up to the tenth, and looked at up to the hundredth', async () => {
  await project.test(async (as) => {
    await as.owner`insert into api.notes select n, 'bob' from generate_series(101, 250) as n`;
    const response = await as(ANN).get('/notes?id=gt.100&order=id');
    const [first, ...rest] = (await response.explain()).split('\n');
    expect(first).toMatch(
      /^USING of policy mine on notes hid at least 100 rows \((?:id=\d+, ){10}…\): owner = private\.me\(\)$/u,
    );
    expect(rest).toHaveLength(11);
    expect(rest.at(-1)).toBe('Only 100 of the matching rows were looked at.');
  })();
});

test('P40 requests that have been committed are explained too', async () => {
  const session = await project.commit();
  const response = await session.as(ANN).patch('/notes?id=eq.2', { body: 'x' });
  expect(await response.explain()).toBe(
    'USING of policy mine on notes hid 1 row (id=2): owner = private.me()\n  id=2: owner is "bob", private.me() is "ann"',
  );
  await session.end();
});
