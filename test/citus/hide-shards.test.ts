// Errors of a database with shards, as the database reports them and as clients see them.
import { describe, expect, test } from 'vitest';
import { constraintKey } from '../../src/catalog/constraint-comments.ts';
import type { Distribution } from '../../src/catalog/schema-cache.ts';
import type { ConstraintName } from '../../src/contract/identifiers.ts';
import type { DatabaseReport } from '../../src/errors/api-error.ts';
import { createShardHider } from '../../src/extensions/shards/hide-shards.ts';

const SPREAD: Distribution = { kind: 'sharded', column: 'tenant_id', group: '1' };
const TABLES = new Map([
  ['project', { distribution: SPREAD }],
  ['task', { distribution: SPREAD }],
  ['color', { distribution: undefined }],
  ['task_102008', { distribution: undefined }],
]);
const COMMENTED: readonly ConstraintName[] = [
  { schema: 'api', owner: 'task', name: 'task_title_key' },
  { schema: 'api', owner: 'task', name: 'task_project_fkey' },
  { schema: 'api', owner: 'task', name: 'same' },
  { schema: 'api', owner: 'project', name: 'same' },
];

const hide = createShardHider({
  relations: new Map([['api', TABLES]]),
  constraintComments: new Map(COMMENTED.map((name) => [constraintKey(name), undefined])),
});

function report(sqlstate: string, message: string, more: Partial<DatabaseReport> = {}): DatabaseReport {
  const hidden = hide({
    kind: 'database',
    report: { sqlstate, message, detail: undefined, hint: undefined, ...more },
  });
  if (hidden.kind !== 'database') throw new Error('another error');
  return hidden.report;
}

describe('a constraint of a shard', () => {
  test.each([
    ['duplicate key value violates unique constraint "task_title_key_102009"', 'task_title_key'],
    [
      'update or delete on table "project_102017" violates foreign key constraint "task_project_fkey_102025" on table "task_102025"',
      'task_project_fkey',
    ],
    ['new row for relation "project_102017" violates check constraint "same_102017"', 'same'],
  ])('loses its number, and its comment is found: %s', (message, name) => {
    const { message: shown, constraint } = report('23505', message);
    expect(shown).toBe(message.replaceAll(/_\d+/gu, ''));
    expect(constraint?.name).toBe(name);
  });

  test('is that of the table which the message names', () => {
    const message = 'new row for relation "project_102017" violates check constraint "same_102017"';
    expect(report('23514', message).constraint).toEqual({ schema: 'api', owner: 'project', name: 'same' });
  });

  test('without a table in the message is none of two with the same name', () => {
    expect(report('23505', 'duplicate key value violates unique constraint "same_102017"').constraint).toBe(undefined);
  });

  test('of a table that is not exposed loses its number, too', () => {
    const message = 'insert or update on table "hidden_102017" violates foreign key constraint "to_other_102017"';
    expect(
      report('23503', message, { detail: 'Key (a)=(table "b_123456") is not present in table "other_102001".' }),
    ).toMatchObject({
      message: 'insert or update on table "hidden" violates foreign key constraint "to_other"',
      detail: 'Key (a)=(table "b_123456") is not present in table "other".',
    });
  });

  test('on the coordinator itself, whose report names the table', () => {
    const constraint = { schema: 'api', owner: 'task_102009', name: 'task_title_key_102009' };
    const message = 'duplicate key value violates unique constraint "task_title_key_102009"';
    expect(report('23505', message, { constraint })).toMatchObject({
      message: 'duplicate key value violates unique constraint "task_title_key"',
      constraint: { schema: 'api', owner: 'task', name: 'task_title_key' },
    });
  });
});

describe('unchanged', () => {
  test.each([
    [
      'a constraint of a table without shards',
      '23505',
      'duplicate key value violates unique constraint "key_102009"',
      { schema: 'api', owner: 'color', name: 'key_102009' },
    ],
    [
      'a table whose name ends in a number',
      '42501',
      'new row violates row-level security policy for table "task_102008"',
      undefined,
    ],
    ['a value', '22P02', 'invalid input syntax for type integer: "task_102207"', undefined],
    ['a value like an address', '22P02', 'invalid input syntax for type integer: "ann@host:5432"', undefined],
  ] as const)('%s', (_, sqlstate, message, constraint) => {
    expect(report(sqlstate, message, { constraint })).toMatchObject({ message, constraint });
  });
});

test('a policy names the table', () => {
  const { message } = report('42501', 'new row violates row-level security policy for table "task_102009"');
  expect(message).toBe('new row violates row-level security policy for table "task"');
});

test.each([
  [
    'connection to the remote node ann@127.0.0.1:5402 failed with the following error: Connection refused',
    'connection to the remote node failed with the following error: Connection refused',
  ],
  [
    'connection to server at "db-1.example" (10.0.0.1), port 5432 failed: FATAL:  role "ann" is not permitted to log in',
    'connection to server failed: FATAL:  role "ann" is not permitted to log in',
  ],
])('a lost connection names no node: %s', (message, shown) => {
  expect(report('08006', message).message).toBe(shown);
});

test.each([
  ['58030', 'failed to COPY to shard 102017 on 127.0.0.1:5402', 'failed to COPY'],
  ['XX000', 'failure on connection marked as essential: 127.0.0.1:5402', 'failure on connection marked as essential'],
  [
    'XX000',
    'could not commit transaction for shard 102017 on at least one active node',
    'could not commit transaction on at least one active node',
  ],
])('a failure of a server names neither shard nor node: %s %s', (state, message, shown) => {
  expect(report(state, message).message).toBe(shown);
});

test('nor does its detail', () => {
  const { detail } = report('57P01', 'terminating connection', { detail: 'from 127.0.0.1:5402' });
  expect(detail).toBe(undefined);
});
