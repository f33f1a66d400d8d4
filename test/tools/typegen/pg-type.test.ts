// What types say by themselves, without a database.
import { expect, test } from 'vitest';
import { forbidsNull, type PgType } from '../../../tools/typegen/pg-type.ts';

test('a domain forbids null if it says so, or a domain below it', () => {
  const types = new Map<string, PgType>([
    ['name', { kind: 'domain', base: 'text', isNotNull: true }],
    ['title', { kind: 'domain', base: 'name', isNotNull: false }],
    ['note', { kind: 'domain', base: 'text', isNotNull: false }],
    ['names', { kind: 'array', element: 'name' }],
  ]);
  expect(['name', 'title', 'note', 'names', 'text'].filter((type) => forbidsNull(type, types))).toEqual([
    'name',
    'title',
  ]);
});
