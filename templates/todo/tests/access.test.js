// What everyone may do. Each test is a transaction that is rolled back: `npm test`.
import test from 'node:test';
import assert from 'node:assert/strict';
import { expectAccess, openProject } from 'rowhouse/testing';

const project = await openProject();

test(
  'open todos change, and done ones go',
  project.test(async (as, session) => {
    // From the seed: the first one is done.
    await expectAccess(session, {
      todos: {
        web_anon: { select: 'all', insert: 'all', update: { own: [2, 3] }, delete: { own: [1] } },
      },
      'rpc/progress': { web_anon: 'all' },
    });
  }),
);

test(
  'a todo is added, done, and counted',
  project.test(async (as) => {
    const added = await as.nobody.post(
      '/todos',
      { title: 'Test it' },
      { headers: { Prefer: 'return=representation' } },
    );
    assert.equal(added.status, 201);
    const [{ id, is_done: isDone }] = added.rows;
    assert.equal(isDone, false);

    await as.nobody.patch(`/todos?id=eq.${id}`, { is_done: true });
    assert.deepEqual((await as.nobody.get('/rpc/progress')).rows, [{ done: 2, total: 4 }]);
  }),
);

test(
  'nobody adds a todo that is done',
  project.test(async (as) => {
    // Today the column is not granted at all. The policy holds even if it is.
    await as.owner`grant insert (is_done) on api.todos to web_anon`;
    assert.equal((await as.nobody.post('/todos', { title: 'Cheat', is_done: true })).status, 401);
  }),
);
