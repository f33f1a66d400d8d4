// What each person may do with whose lists. Each test is a transaction that is rolled back: `npm test`.
import test from 'node:test';
import assert from 'node:assert/strict';
import { expectAccess, openProject } from 'rowhouse/testing';

const project = await openProject();

// From the seed: Ann owns the party, which Bob sees too, and the groceries. Bob owns the workshop.
const PARTY = '00000000-0000-4000-8000-000000000001';
const GROCERIES = '00000000-0000-4000-8000-000000000002';
const WORKSHOP = '00000000-0000-4000-8000-000000000003';
const TASKS_OF_PARTY = [11, 12, 13].map((number) => `00000000-0000-4000-8000-0000000000${number}`);

test(
  'people see and change what they own, and the tasks of what is shared with them',
  project.test(async (as, session) => {
    const bob = { claims: { sub: 'bob' } };
    const tasks = [...TASKS_OF_PARTY, '00000000-0000-4000-8000-000000000031'];
    await expectAccess(session, {
      lists: {
        web_anon: 'none',
        web_user: {
          ...bob,
          select: { own: [PARTY, WORKSHOP] },
          insert: { own: [WORKSHOP] },
          update: { own: [WORKSHOP] },
          delete: { own: [WORKSHOP] },
        },
      },
      tasks: {
        web_anon: 'none',
        web_user: {
          ...bob,
          select: { own: tasks },
          // The others were added by Ann.
          insert: { own: tasks.slice(2) },
          update: { own: tasks },
          delete: { own: tasks },
        },
      },
      members: {
        web_anon: 'none',
        web_user: { ...bob, own: [[PARTY, 'bob']], select: 'own', insert: 'none', update: 'none', delete: 'own' },
      },
    });
  }),
);

test(
  'only the owner shares a list, and who shares no longer sees it when that ends',
  project.test(async (as) => {
    const [ann, bob, cy] = ['ann', 'bob', 'cy'].map((sub) => as({ role: 'web_user', sub }));
    const share = (who, list, person) => who.post('/members', { list_id: list, person });
    assert.equal((await share(bob, PARTY, 'cy')).status, 403);
    assert.equal((await share(cy, GROCERIES, 'cy')).status, 403);
    assert.equal((await share(ann, PARTY, 'cy')).status, 201);
    assert.equal((await cy.get('/tasks')).rows.length, 3);
    assert.equal((await cy.post('/tasks', { list_id: PARTY, title: 'Bake' })).status, 201);
    await ann.delete(`/members?list_id=eq.${PARTY}&person=eq.cy`);
    assert.deepEqual((await cy.get('/lists')).rows, []);
    assert.deepEqual((await cy.get('/tasks')).rows, []);
    assert.equal((await cy.post('/tasks', { list_id: PARTY, title: 'Bake' })).status, 403);
  }),
);

test(
  'nobody adds anything in the name of somebody else, and errors say what is wrong',
  project.test(async (as) => {
    const ann = as({ role: 'web_user', sub: 'ann' });
    assert.equal((await ann.post('/lists', { name: 'Mine', owner: 'bob' })).status, 403);
    assert.equal((await ann.post('/tasks', { list_id: PARTY, title: 'Sing', added_by: 'bob' })).status, 403);
    const messageOf = async (response) => (await response).body.message;
    assert.equal(await messageOf(ann.post('/members', { list_id: PARTY, person: 'zoe' })), 'Nobody has this name.');
    assert.equal(
      await messageOf(ann.post('/tasks', { list_id: PARTY, title: 'x'.repeat(121) })),
      'A task has 1 to 120 characters.',
    );
  }),
);
