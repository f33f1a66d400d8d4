// `response.explain()` of requests whose result triggers, functions, related rows or other requests decide on.
import { expect, test } from 'vitest';
import { openProject } from '../../../tools/testing/index.ts';
import type { TestClient, TestResponse } from '../../../tools/testing/contract/types.ts';
import { useFolders } from '../project/folder.ts';
import { EFFECTS } from './effects-project.ts';

const project = await openProject(useFolders()(EFFECTS));

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
