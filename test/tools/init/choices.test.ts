// The choices of `init`: the schema, the tables that flags name, and the grants for them.
import { expect, test } from 'vitest';
import { type ExistingTable, proposeSchema } from '../../../tools/init/existing-tables.ts';
import { renderFutureGrants, renderGrants } from '../../../tools/init/setup.ts';
import { readTableAccess } from '../../../tools/init/table-access.ts';

function make(schema: string, name: string, isAccessible = false): ExistingTable {
  return { schema, name, canHavePolicies: true, isAccessible, sequences: [] };
}

test('proposes the usual schema unless it is empty and another one has tables', () => {
  expect(proposeSchema([], 'api')).toBe('api');
  expect(proposeSchema([make('api', 'a'), make('shop', 'b'), make('shop', 'c')], 'api')).toBe('api');
  expect(proposeSchema([make('crm', 'a'), make('shop', 'b'), make('shop', 'c')], 'api')).toBe('shop');
});

test('all means the tables that nobody can access; others can be named', () => {
  const tables = [make('s', 'a'), make('s', 'b', true)];
  const chosen = readTableAccess(tables, { read: ['all'], write: ['b'], policy: [] });
  if (!chosen.ok) throw new Error(chosen.error);
  expect(renderGrants(chosen.value, 'anon')).toEqual([
    'GRANT SELECT ON "s"."a" TO "anon";',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON "s"."b" TO "anon";',
  ]);
});

test('future tables get the rights that were chosen, and sequences those that inserts need', () => {
  expect(renderFutureGrants('s', 'anon', 'none')).toEqual([]);
  expect(renderFutureGrants('s', 'anon', 'read')).toEqual([
    'ALTER DEFAULT PRIVILEGES IN SCHEMA "s" GRANT SELECT ON TABLES TO "anon";',
  ]);
  expect(renderFutureGrants('s', 'anon', 'write')).toEqual([
    'ALTER DEFAULT PRIVILEGES IN SCHEMA "s" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "anon";',
    'ALTER DEFAULT PRIVILEGES IN SCHEMA "s" GRANT USAGE ON SEQUENCES TO "anon";',
  ]);
});
