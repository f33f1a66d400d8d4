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

test('P30 a role keeps the REPLICATION that init --live gave it, and gets what the files give', () => {
  const role = { name: 'web_login', memberships: [], settings: {} };
  const plain = { ...role, attributes: ['LOGIN', 'NOREPLICATION', 'NOCREATEDB'] };
  const live = { ...role, attributes: ['LOGIN', 'REPLICATION', 'CREATEDB'] };
  expect(compareRoles([live], [plain])).toEqual(['alter role "web_login" NOCREATEDB']);
  expect(compareRoles([plain], [live])).toEqual(['alter role "web_login" REPLICATION CREATEDB']);
});
