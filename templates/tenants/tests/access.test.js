// That organizations do not see each other. Each test is a transaction that is rolled back: `npm test`.
import test from 'node:test';
import assert from 'node:assert/strict';
import { expectAccess, openProject } from 'rowhouse/testing';

const project = await openProject();

// Ann runs the organization 1 and does not belong to 2.
const ANN = { claims: { sub: 'ann' }, own: [1] };

test(
  'nobody reads or writes the rows of another organization',
  project.test(async (as, session) => {
    await expectAccess(session, {
      organizations: {
        web_anon: 'none',
        web_user: { ...ANN, select: 'own', insert: 'none', update: 'own', delete: 'none' },
      },
      projects: {
        web_anon: 'none',
        web_user: { ...ANN, select: 'own', insert: 'own', update: 'own', delete: 'own' },
      },
      tasks: {
        web_anon: 'none',
        web_user: { ...ANN, select: 'own', insert: 'own', update: 'own', delete: 'own' },
      },
      memberships: {
        web_anon: 'none',
        web_user: {
          claims: { sub: 'ann' },
          own: [
            [1, 'ann'],
            [1, 'bob'],
          ],
          select: 'own',
          insert: 'own',
          update: 'own',
          delete: 'own',
        },
      },
    });
  }),
);

test(
  'a member works, and only an admin invites',
  project.test(async (as) => {
    const [ann, bob] = [as({ role: 'web_user', sub: 'ann' }), as({ role: 'web_user', sub: 'bob' })];
    const invite = (who) => who.post('/memberships', { organization_id: 1, person: 'cy' });
    assert.equal((await bob.post('/tasks', { organization_id: 1, project_id: 1, title: 'Paint' })).status, 201);
    assert.equal((await invite(bob)).status, 403);
    assert.equal((await invite(ann)).status, 201);
    assert.equal((await as({ role: 'web_user', sub: 'cy' }).get('/projects')).rows.length, 1);
  }),
);

test(
  'a member changes neither the organization nor its members',
  project.test(async (as) => {
    const bob = as({ role: 'web_user', sub: 'bob' });
    const shown = { headers: { Prefer: 'return=representation' } };
    assert.deepEqual((await bob.patch('/organizations?id=eq.1', { name: 'Mine' }, shown)).rows, []);
    assert.deepEqual((await bob.patch('/memberships?organization_id=eq.1', { duty: 'admin' }, shown)).rows, []);
    assert.deepEqual((await bob.delete('/memberships?organization_id=eq.1', shown)).rows, []);
  }),
);
