// Roles of two states of a project, compared without a database.
import { expect, test } from 'vitest';
import { compareRoles } from '../../../tools/diff/role-facts.ts';

test('P30 the name of a role cannot end the comment that mentions it', () => {
  const role = { name: 'a\ndrop schema api cascade; --', attributes: [], memberships: [] };
  const statements = compareRoles([{ ...role, settings: {} }], [{ ...role, settings: { 'app.secret': null } }]);
  expect(statements).toEqual([
    String.raw`-- Set "app.secret" of the role "a\ndrop schema api cascade; --" by hand: its value may be a secret`,
  ]);
});
