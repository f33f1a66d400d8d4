// `response.explain()` of requests whose result triggers, functions, related rows or other requests decide on.
import { expect, test } from 'vitest';
import { openProject } from '../../../tools/testing/index.ts';
import type { TestClient, TestResponse } from '../../../tools/testing/contract/types.ts';
import { useFolders } from '../project/folder.ts';
import { EFFECTS } from './effects-project.ts';

const project = await openProject(useFolders()(EFFECTS));

const BATCH = { headers: { 'Content-Type': 'application/vnd.svc.batch+json' } };
const MERGE = { headers: { Prefer: 'resolution=merge-duplicates' } };
const RETURNING = { Prefer: 'return=representation' };
const NESTED = { headers: { Prefer: 'nested=write' } };

type Case = readonly [
  name: string,
  send: (ann: TestClient) => Promise<TestResponse>,
  answer: readonly [status: number, code?: string],
  lines: readonly string[],
];

const CASES: readonly Case[] = [
  [
    'a trigger that raises',
    (c) => c.patch('/guarded?id=eq.1', { n: 11 }),
    [400, 'P0001'],
    [
      'PostgreSQL reported P0001: n is too large. That is no refusal by a privilege or a policy.',
      '  in PL/pgSQL function private.guard() line 3 at RAISE',
      'private.guard() runs as the trigger check_n on guarded (BEFORE INSERT OR UPDATE).',
    ],
  ],
  [
    'a trigger whose insert a policy refuses',
    (c) => c.patch('/guarded?id=eq.1', { n: 9 }),
    [403, '42501'],
    [
      `WITH CHECK of policy closed on audit refused 1 new row ((closed)): line <> 'closed'::text`,
      '  (closed): line is "closed"',
      `  in SQL statement "insert into private.audit values ('closed')"`,
      '  in PL/pgSQL function private.guard() line 4 at SQL statement',
      'private.guard() runs as the trigger check_n on guarded (BEFORE INSERT OR UPDATE).',
    ],
  ],
  [
    'a trigger whose insert lacks a privilege',
    (c) => c.patch('/guarded?id=eq.1', { n: 8 }),
    [403, '42501'],
    [
      'PostgreSQL reported 42501: permission denied for table vault.',
      'The privileges of web_user on the tables of the request suffice, so it concerns something that they use.',
      `  in SQL statement "insert into private.vault values ('x')"`,
      '  in PL/pgSQL function private.guard() line 5 at SQL statement',
      'private.guard() runs as the trigger check_n on guarded (BEFORE INSERT OR UPDATE).',
    ],
  ],
  [
    'a trigger that skips an update',
    (c) => c.patch('/guarded', { n: 7 }),
    [204],
    ['The trigger check_n on guarded (BEFORE INSERT OR UPDATE, private.guard()) skipped 2 rows (id=1, id=2).'],
  ],
  [
    'a trigger that changes an update',
    (c) => c.patch('/guarded?id=eq.1', { n: -3 }),
    [204],
    [
      'The trigger check_n on guarded (BEFORE INSERT OR UPDATE, private.guard()) changed 1 row (id=1):',
      '  id=1: n becomes "3" instead of "-3"',
    ],
  ],
  [
    'a trigger that skips a delete',
    (c) => c.delete('/guarded'),
    [204],
    ['The trigger keep_one on guarded (BEFORE DELETE, private.keep_one()) skipped 1 row (id=1).'],
  ],
  [
    'a trigger that skips an insert',
    (c) => c.post('/guarded', { id: 5, n: 7 }),
    [201],
    ['The trigger check_n on guarded (BEFORE INSERT OR UPDATE, private.guard()) skipped 1 row (id=5).'],
  ],
  [
    'a trigger that changes an insert',
    (c) => c.post('/guarded', { id: 5, n: -7 }),
    [201],
    ['The trigger check_n on guarded (BEFORE INSERT OR UPDATE, private.guard()) may have skipped or changed rows.'],
  ],
  [
    'a function whose insert a policy refuses',
    (c) => c.rpc('give', { title: "it's" }),
    [403, '42501'],
    [
      'PostgreSQL or the server reported 42501: new row violates row-level security policy for table "tasks".',
      `  in SQL statement "insert into api.tasks (id, owner, title) values (50, 'bob', give.title)"`,
      '  in PL/pgSQL function give(text) line 1 at SQL statement',
      'The function give runs as web_user (SECURITY INVOKER): its privileges and policies apply to each statement within it.',
      'USING of policy own on tasks refused 1 new row (id=50): owner = private.me()',
      '  id=50: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a function whose owner a policy refuses an insert',
    (c) => c.rpc('hand_over'),
    [403, '42501'],
    [
      'PostgreSQL or the server reported 42501: new row violates row-level security policy for table "steps".',
      '  in SQL function "hand_over" statement 1',
      'The function hand_over runs as its owner, task_owner (SECURITY DEFINER). The privileges and policies of web_user do not count within it.',
      'No permissive policy on steps for INSERT applies to task_owner: row-level security refused 1 new row (id=60).',
    ],
  ],
  [
    'a function that reads a column without the privilege',
    (c) => c.rpc('count_secrets'),
    [403, '42501'],
    [
      'PostgreSQL or the server reported 42501: permission denied for table tasks.',
      '  in SQL function "count_secrets" statement 1',
      'The function count_secrets runs as web_user (SECURITY INVOKER): its privileges and policies apply to each statement within it.',
    ],
  ],
  [
    'an insert whose later trigger a policy refuses',
    (c) => c.post('/steps', { id: 99, task_id: 1, owner: 'ann' }),
    [403, '42501'],
    [
      `WITH CHECK of policy closed on audit refused 1 new row ((closed)): line <> 'closed'::text`,
      '  (closed): line is "closed"',
      `  in SQL statement "insert into private.audit values (case new.id when 99 then 'closed' else 'open' end)"`,
      '  in PL/pgSQL function private.note_step() line 1 at SQL statement',
      'private.note_step() runs as the trigger note_step on steps (AFTER INSERT).',
    ],
  ],
  [
    'nested rows of which a policy refuses one',
    (c) =>
      c.post(
        '/tasks',
        {
          id: 20,
          owner: 'ann',
          title: 'new',
          steps: [
            { id: 20, owner: 'ann' },
            { id: 21, owner: 'bob' },
          ],
        },
        NESTED,
      ),
    [403, '42501'],
    [
      'WITH CHECK of policy shown on steps refused 1 new row (id=21): owner = private.me()',
      '  id=21: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'nested rows whose parent a policy refuses',
    (c) => c.post('/tasks', { id: 20, owner: 'bob', title: 'new', steps: [{ id: 20, owner: 'ann' }] }, NESTED),
    [403, '42501'],
    [
      'USING of policy own on tasks refused 1 new row (id=20): owner = private.me()',
      '  id=20: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'nested rows without the privilege',
    (c) => c.post('/tasks', { id: 20, owner: 'ann', title: 'new', tags: [{ id: 5, name: 'x' }] }, NESTED),
    [403, '42501'],
    ['web_user lacks INSERT on tags.', 'web_user lacks INSERT on task_tags.'],
  ],
  [
    'embedded rows that a policy hides',
    (c) => c.get('/tasks?select=id,steps(id)&id=eq.1'),
    [200],
    [
      'No policy or privilege hid or refused a row of tasks: the request concerns 1 row (id=1).',
      'USING of policy shown on steps hid 1 row (id=2): NOT is_hidden',
      '  id=2: is_hidden is "true"',
    ],
  ],
  [
    'an inner embed that leaves its row out',
    (c) => c.get('/tasks?select=id,steps!inner(id)&id=eq.3'),
    [200],
    [
      'No policy or privilege hid or refused a row of tasks: the request concerns 1 row (id=3).',
      'USING of policy shown on steps hid 1 row (id=4): NOT is_hidden',
      '  id=4: is_hidden is "true"',
      'Rows of tasks are shown or left out depending on their rows of steps.',
    ],
  ],
  [
    'a condition that an embed has rows',
    (c) => c.get('/tasks?select=id,steps()&id=eq.3&steps=not.is.null'),
    [200],
    [
      'No policy or privilege hid or refused a row of tasks: the request concerns 1 row (id=3).',
      'USING of policy shown on steps hid 1 row (id=4): NOT is_hidden',
      '  id=4: is_hidden is "true"',
      'Rows of tasks are shown or left out depending on their rows of steps.',
    ],
  ],
  [
    'embedded rows through a junction',
    (c) => c.get('/tasks?select=id,tags(name)&id=eq.1'),
    [200],
    [
      'No policy or privilege hid or refused a row of tasks: the request concerns 1 row (id=1).',
      'USING of policy low on task_tags hid 1 row (task_id=1 tag_id=10): tag_id < 10',
      '  task_id=1 tag_id=10: tag_id is "10"',
      'No policy hid a row of tags: they have 1 row (id=1).',
    ],
  ],
  [
    'the row below one that was inserted',
    (c) => c.post('/steps?select=id,tasks(id)', { id: 30, task_id: 2, owner: 'ann' }, { headers: RETURNING }),
    [201],
    [
      'No policy or privilege refused a row.',
      'USING of policy own on tasks hid 1 row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'the row below one that was inserted and is not shown with its key',
    (c) => c.post('/steps?select=owner,tasks(id)', { id: 30, task_id: 2, owner: 'ann' }, { headers: RETURNING }),
    [201],
    [
      'No policy or privilege refused a row.',
      'The rows of embedded relations were not looked at, because the response does not contain the key of steps. Select id too, as JSON.',
    ],
  ],
  [
    'the rows below one that was deleted',
    (c) => c.delete('/steps?id=eq.5&select=id,tasks(id)', { headers: RETURNING }),
    [200],
    [
      'No row of steps matches the request any more, whatever the policies are.',
      'The rows of embedded relations were not looked at: steps has lost its own.',
    ],
  ],
  [
    'the rows below those of a function',
    (c) => c.get('/rpc/open_tasks?select=key:id,steps(id)&id=eq.1'),
    [200],
    [
      'The function open_tasks runs as web_user (SECURITY INVOKER): its privileges and policies apply to each statement within it.',
      'They name tasks, on whose rows policies decide for web_user. Which of them they found or refused was not examined. Send requests to the tables themselves.',
      'USING of policy shown on steps hid 1 row (id=2): NOT is_hidden',
      '  id=2: is_hidden is "true"',
    ],
  ],
  [
    'the tables that a function in standard SQL reads',
    (c) => c.get('/rpc/step_ids'),
    [200],
    [
      'The function step_ids runs as web_user (SECURITY INVOKER): its privileges and policies apply to each statement within it.',
      'They name steps, on whose rows policies decide for web_user. Which of them they found or refused was not examined. Send requests to the tables themselves.',
    ],
  ],
  [
    'a policy with a function that reads hidden rows',
    (c) => c.get('/rooms'),
    [200],
    [
      'USING of policy member on rooms hid 1 row (id=1): private.in_room(id). It may read team members through in_room as web_user sees it, which was not examined.',
      '  id=1: id is "1"',
    ],
  ],
  [
    'more rows than are looked at',
    (c) => c.get('/many'),
    [200],
    [
      'USING of policy few on many hid at least 98 rows (id=3, id=4, id=5, id=6, id=7, id=8, id=9, id=10, id=11, id=12, …): id < 3',
      ...Array.from({ length: 10 }, (_, index) => `  id=${index + 3}: id is "${index + 3}"`),
      'Only 100 of the matching rows were looked at.',
    ],
  ],
  [
    'embedded rows of which none is hidden',
    (c) => c.get('/tasks?select=id,tags(name)&id=eq.3'),
    [200],
    [
      'No policy or privilege hid or refused a row of tasks: the request concerns 1 row (id=3).',
      'No policy hid a row of task_tags: they have 1 row (task_id=3 tag_id=1).',
      'No policy hid a row of tags: they have 1 row (id=1).',
    ],
  ],
  [
    'an embedded row below another one',
    (c) => c.get('/steps?select=id,tasks(id,tags(name))&id=eq.1&tasks.tags.id=eq.99'),
    [200],
    [
      'No policy or privilege hid or refused a row of steps: the request concerns 1 row (id=1).',
      'No policy hid a row of tasks: they have 1 row (id=1).',
      'USING of policy low on task_tags hid 1 row (task_id=1 tag_id=10): tag_id < 10',
      '  task_id=1 tag_id=10: tag_id is "10"',
      'No row of tags belongs to them, whatever the policies are.',
    ],
  ],
  [
    'the embedded parent of a row',
    (c) => c.get('/steps?select=id,tasks(id)&id=eq.5'),
    [200],
    [
      'No policy or privilege hid or refused a row of steps: the request concerns 1 row (id=5).',
      'USING of policy own on tasks hid 1 row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a filter by a function that depends on the role',
    (c) => c.get('/steps?mine=is.true&id=eq.2'),
    [200],
    ['USING of policy shown on steps hid 1 row (id=2): NOT is_hidden', '  id=2: is_hidden is "true"'],
  ],
  [
    'a filter by a function that reads hidden rows',
    (c) => c.get('/steps?task_title=eq.two&id=eq.5'),
    [200],
    ['The filters find 1 row (id=5) only if no policy restricts web_user, since they read task_title.'],
  ],
  [
    'a condition on related rows that are hidden',
    (c) => c.get('/tasks?select=id&id=eq.3&or=(steps.id.eq.4,title.eq.x)'),
    [200],
    [
      'The filters find 1 row (id=3) only if no policy restricts web_user, since they read steps.',
      'USING of policy shown on steps hid 1 row (id=4): NOT is_hidden',
      '  id=4: is_hidden is "true"',
    ],
  ],
  [
    'a computed column that takes a column without the privilege',
    (c) => c.get('/tasks?select=id,label'),
    [403, '42501'],
    ['web_user lacks SELECT on the column secret of tasks.'],
  ],
  [
    'a delete by such a filter',
    (c) => c.delete('/steps?task_title=eq.two&id=eq.5'),
    [204],
    ['The filters find 1 row (id=5) only if no policy restricts web_user, since they read task_title.'],
  ],
  [
    'an upsert by another key of a row that may not be changed',
    (c) => c.post('/tasks?on_conflict=title', { id: 9, owner: 'ann', title: 'two' }, MERGE),
    [403, '42501'],
    [
      'USING of policy own on tasks refused 1 existing row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'an upsert whose new row is refused',
    (c) => c.post('/tasks?on_conflict=title', { id: 1, owner: 'bob', title: 'one' }, MERGE),
    [403, '42501'],
    [
      'USING of policy own on tasks refused 1 new row (id=1): owner = private.me()',
      '  id=1: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'an upsert of two rows, one of which may not be changed',
    (c) =>
      c.post(
        '/tasks?on_conflict=title',
        [
          { id: 11, owner: 'ann', title: 'eleven' },
          { id: 9, owner: 'ann', title: 'two' },
        ],
        MERGE,
      ),
    [403, '42501'],
    [
      'USING of policy own on tasks refused 1 existing row (id=2): owner = private.me()',
      '  id=2: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'the refused request of a batch',
    (c) =>
      c.post(
        '/',
        [
          { method: 'POST', path: '/tasks', body: { id: 30, owner: 'ann', title: 'new' } },
          { id: 'step', method: 'POST', path: '/steps', body: { id: 30, task_id: 30, owner: 'bob' } },
        ],
        BATCH,
      ),
    [403, '42501'],
    [
      'Request 1 of the batch (step), POST /steps:',
      '  WITH CHECK of policy shown on steps refused 1 new row (id=30): owner = private.me()',
      '    id=30: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'a request of a batch that refers to another one',
    (c) =>
      c.post(
        '/',
        [
          {
            id: 'task',
            method: 'POST',
            path: '/tasks?select=id',
            headers: RETURNING,
            body: { id: 30, owner: 'ann', title: 'new' },
          },
          { method: 'POST', path: '/steps', body: { id: 30, task_id: { $from: 'task', at: '/0/id' }, owner: 'bob' } },
        ],
        BATCH,
      ),
    [403, '42501'],
    [
      'Request 1 of the batch, POST /steps:',
      '  WITH CHECK of policy shown on steps refused 1 new row (id=30): owner = private.me()',
      '    id=30: owner is "bob", private.me() is "ann"',
    ],
  ],
  [
    'the requests of a batch that succeeded',
    (c) =>
      c.post(
        '/',
        [
          { method: 'GET', path: '/tasks?id=eq.2&select=id' },
          { method: 'PATCH', path: '/guarded?id=eq.1', body: { n: 7 } },
        ],
        BATCH,
      ),
    [200],
    [
      'Request 0 of the batch, GET /tasks?id=eq.2&select=id:',
      '  USING of policy own on tasks hid 1 row (id=2): owner = private.me()',
      '    id=2: owner is "bob", private.me() is "ann"',
      'Request 1 of the batch, PATCH /guarded?id=eq.1:',
      '  The trigger check_n on guarded (BEFORE INSERT OR UPDATE, private.guard()) skipped 1 row (id=1).',
    ],
  ],
  [
    'a batch that is malformed',
    (c) => c.post('/', [{ verb: 'GET' }], BATCH),
    [400, 'SVC102'],
    ['The server answered before it ran a statement: SVC102: Request 0 of the batch has the unknown member "verb".'],
  ],
  [
    'a request of a batch that names nothing',
    (c) =>
      c.post(
        '/',
        [
          { method: 'GET', path: '/tags' },
          { method: 'GET', path: '/nothing' },
        ],
        BATCH,
      ),
    [404, 'SVC205'],
    [
      'Request 1 of the batch, GET /nothing:',
      `  The server answered before it ran a statement: SVC205: Could not find the table 'api.nothing' in the schema cache.`,
    ],
  ],
  [
    'a default that calls a function without the privilege',
    (c) => c.post('/stamped', { id: 1 }),
    [403, '42501'],
    ['web_user lacks EXECUTE on the function private.stamp, which the default of stamp on stamped uses.'],
  ],
  [
    'a default that takes a number from a sequence without the privilege',
    (c) => c.post('/numbered', { note: 'x' }),
    [403, '42501'],
    ['web_user lacks USAGE on the sequence api.numbered_id_seq, which the default of id on numbered uses.'],
  ],
  [
    'a policy that calls a function without the privilege',
    (c) => c.get('/graded'),
    [403, '42501'],
    ['web_user lacks EXECUTE on the function private.stamp, which the policy grade on graded uses.'],
  ],
];

test.each(CASES)('P40 explains %s', async (_name, send, [status, code], lines) => {
  await project.test(async (as) => {
    const response = await send(as({ role: 'web_user', sub: 'ann' }));
    expect([response.status, response.body?.code], JSON.stringify(response.body)).toEqual([status, code]);
    expect((await response.explain()).split('\n')).toEqual(lines);
  })();
});

test('P40 plans that an explanation made without policies are not used afterwards', async () => {
  await project.test(async (as) => {
    const ann = as({ role: 'web_user', sub: 'ann' });
    const refused = await ann.post('/steps', { id: 9, task_id: 1, owner: 'bob' });
    expect(await refused.explain()).toMatch(/^WITH CHECK of policy shown on steps refused 1 new row/u);
    const { status } = await ann.post('/steps', { id: 99, task_id: 1, owner: 'ann' });
    expect(status).toBe(403);
  })();
});
