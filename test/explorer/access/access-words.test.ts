// What a role may do, in words and in SQL.
import { describe, expect, test } from 'vitest';
import type { AccessPolicy, AccessRelation, AccessRights, AccessRole } from '../../../src/contract/access-document.ts';
import { describeCell, describePolicy, labelOf, titleOf } from '../../../explorer/src/access/describe-cell.ts';
import { type Cell, extentOf, type Operation } from '../../../explorer/src/access/extent.ts';
import { parseRowAddress, renderRowAddress, type RowAddress } from '../../../explorer/src/url-state/row-address.ts';
import { suggestForFunction, suggestStatements } from '../../../explorer/src/access/statements.ts';

const ROLE: AccessRole = {
  name: 'reader',
  isAnonymous: false,
  isSuperuser: false,
  bypassesRowSecurity: false,
  hasUsage: true,
  isLogin: false,
};
const RIGHTS: AccessRights = {
  select: true,
  insert: ['a', 'B'],
  update: false,
  delete: true,
  isOwner: false,
  limits: [],
};

function policy(parts: Partial<AccessPolicy> = {}): AccessPolicy {
  const defaults = { command: 'select', isPermissive: true, roles: ['reader'], appliesTo: ['reader'] } as const;
  return { name: 'own', ...defaults, using: 'owner = CURRENT_USER', check: null, ...parts };
}

function cellOf(operation: Operation, relation: Partial<AccessRelation> = {}, role: Partial<AccessRole> = {}): Cell {
  const table: AccessRelation = {
    name: 'Notes',
    kind: 'table',
    owner: 'boss',
    rowSecurity: 'on',
    isInvoker: false,
    impossible: [],
    columns: ['a', 'B', 'c'],
    key: ['a'],
    rights: [],
    policies: [policy()],
    ...relation,
  };
  return { schema: 'api', relation: table, role: { ...ROLE, ...role }, operation };
}

function wordsOf(cell: Cell, rights: AccessRights = RIGHTS): unknown {
  const extent = extentOf(cell, rights);
  return [labelOf(extent), ...describeCell(cell, extent, rights)];
}

describe('a cell', () => {
  test.each<readonly [string, Cell, readonly string[]]>([
    ['a policy', cellOf('select'), ['rows', 'Row-level security is on. The permissive policy must allow a row.']],
    ['no privilege', cellOf('update'), ['–', 'reader lacks the privilege UPDATE on Notes.']],
    [
      'no usage',
      cellOf('select', {}, { hasUsage: false }),
      ['–', 'reader lacks USAGE on the schema api, so it can use nothing in it.'],
    ],
    ['no row security', cellOf('select', { rowSecurity: 'off' }), ['all', 'Row-level security is off: all rows.']],
    [
      'no policy',
      cellOf('select', { policies: [] }),
      ['no rows', 'Row-level security is on, and no permissive policy applies: no rows.'],
    ],
    [
      'a policy of others',
      cellOf('select', { policies: [policy({ appliesTo: [] })] }),
      ['no rows', 'Row-level security is on, and no permissive policy applies: no rows.'],
    ],
    [
      'only a restrictive policy',
      cellOf('select', { policies: [policy({ isPermissive: false })] }),
      ['no rows', 'Row-level security is on, and no permissive policy applies: no rows.'],
    ],
    [
      'an open policy',
      cellOf('select', { policies: [policy({ using: 'true' })] }),
      ['all', 'Row-level security is on. The permissive policy must allow a row.'],
    ],
    [
      'columns and a policy with a check',
      cellOf('insert', { policies: [policy({ command: 'all', check: 'a > 1' })] }),
      [
        'rows, cols',
        'Sets only the columns a, B.',
        'Row-level security is on. The permissive policy must allow a row.',
      ],
    ],
    [
      'restrictive policies',
      cellOf('delete', {
        policies: [
          policy({ command: 'all', using: 'true' }),
          policy({ name: 'b', command: 'all' }),
          policy({ name: 'c', command: 'delete', isPermissive: false }),
        ],
      }),
      [
        'rows',
        'Row-level security is on. One of the permissive policies must allow a row, and every restrictive policy as well.',
        'To delete rows by a filter, the role must also see them: the policies for SELECT apply too.',
      ],
    ],
    [
      'a superuser',
      cellOf('select', {}, { isSuperuser: true }),
      ['all', 'reader is a superuser: no privilege and no policy restricts it.'],
    ],
    [
      'BYPASSRLS',
      cellOf('select', {}, { bypassesRowSecurity: true }),
      ['all', 'reader has BYPASSRLS: no policy restricts it.'],
    ],
    [
      'a view',
      cellOf('select', { kind: 'view', rowSecurity: 'off' }),
      [
        'all',
        'The view reads its tables with the privileges and policies of its owner, boss.',
        'No policy restricts them: all rows.',
      ],
    ],
    [
      'an invoker view',
      cellOf('select', { kind: 'view', isInvoker: true }),
      [
        'all',
        'The view reads its tables with the privileges and policies of reader.',
        'No policy restricts them: all rows.',
      ],
    ],
    ['a materialized view', cellOf('select', { kind: 'materializedView', rowSecurity: 'off' }), ['all', 'All rows.']],
  ])('with %s', (_name, cell, words) => {
    expect(wordsOf(cell)).toEqual(words);
  });

  const limit = { table: 'api.notes', reader: 'reader', isReadable: true, restricted: ['select'] } as const;

  test.each<readonly [string, Operation, AccessRights['limits'], readonly string[]]>([
    ['are restricted', 'select', [limit], ['rows', 'Policies restrict the rows of api.notes.']],
    ['must be visible to be changed', 'delete', [limit], ['rows', 'Policies restrict the rows of api.notes.']],
    ['are restricted only for reads', 'insert', [limit], ['all, cols', 'No policy restricts them: all rows.']],
    [
      'may not be read',
      'select',
      [{ ...limit, isReadable: false, restricted: [] }],
      ['fails', 'reader lacks the privilege SELECT on api.notes, so each request fails.'],
    ],
  ])('of a view whose tables %s', (_name, operation, limits, [label, reason]) => {
    const words = wordsOf(cellOf(operation, { kind: 'view', isInvoker: true }), { ...RIGHTS, limits }) as string[];
    expect([words[0], words.at(-1)]).toEqual([label, reason]);
  });

  test('of an owner is free unless row security is forced', () => {
    const owner = { ...RIGHTS, isOwner: true };
    expect(wordsOf(cellOf('select'), owner)).toEqual([
      'all',
      'reader owns the table, and row-level security is not forced: all rows.',
    ]);
    expect(wordsOf(cellOf('select', { rowSecurity: 'forced' }), owner)).toMatchObject(['rows', {}]);
  });

  test('has a name for screen readers', () => {
    const cell = cellOf('insert', { rowSecurity: 'off' });
    expect(titleOf(cell, extentOf(cell, RIGHTS))).toBe('reader: insert on Notes, all rows, some columns');
  });
});

describe('a policy in words', () => {
  test.each<readonly [Partial<AccessPolicy>, Operation | undefined, string, readonly (readonly string[])[]]>([
    [{}, 'select', 'Permissive, for SELECT, to reader', [['Rows that it allows: those where', 'owner = CURRENT_USER']]],
    [
      { using: 'true', roles: ['public'] },
      undefined,
      'Permissive, for SELECT, to every role',
      [['Rows that it allows: every row']],
    ],
    [
      { command: 'all', using: 'a', check: 'b' },
      'update',
      'Permissive, for all operations, to reader',
      [
        ['Rows that it allows: those where', 'a'],
        ['Changed rows that it allows: those where', 'b'],
      ],
    ],
    [
      { command: 'all', using: 'a' },
      'insert',
      'Permissive, for all operations, to reader',
      [['New rows that it allows: those where', 'a']],
    ],
    [
      { command: 'insert', using: null, check: 'false', isPermissive: false },
      undefined,
      'Restrictive, for INSERT, to reader',
      [['New rows that it lets pass: none']],
    ],
  ])('%j for %s', (parts, operation, scope, conditions) => {
    const words = describePolicy(policy(parts), operation);
    expect(words.scope).toBe(scope);
    expect(
      words.conditions.map(({ text, expression }) => (expression === undefined ? [text] : [text, expression])),
    ).toEqual(conditions);
  });
});

describe('statements that would change it', () => {
  const suggest = (cell: Cell): unknown =>
    suggestStatements(cell, extentOf(cell, RIGHTS), RIGHTS).map(({ title, sql }) => [title, sql]);

  test('quote names, and grant USAGE if it is missing', () => {
    expect(suggest(cellOf('update'))).toEqual([['Allow it', 'GRANT UPDATE ON api."Notes" TO reader;']]);
    expect(suggest(cellOf('select', {}, { name: 'my role', hasUsage: false }))).toEqual([
      ['Allow it', 'GRANT USAGE ON SCHEMA api TO "my role";\nGRANT SELECT ON api."Notes" TO "my role";'],
    ]);
  });

  test('create and drop policies, and revoke the privilege', () => {
    expect(suggest(cellOf('select'))).toEqual([
      [
        'Allow more rows',
        'CREATE POLICY select_for_reader ON api."Notes"\n  FOR SELECT TO reader\n  USING (true); -- replace true with the condition',
      ],
      ['Remove the policy own', 'DROP POLICY own ON api."Notes";'],
      ['Forbid it', 'REVOKE SELECT ON api."Notes" FROM reader;'],
    ]);
  });

  test('enable row security where it is off, and name the columns of a limited privilege', () => {
    expect(suggest(cellOf('insert', { rowSecurity: 'off' }))).toEqual([
      ['Allow all columns', 'GRANT INSERT ON api."Notes" TO reader;'],
      [
        'Limit it to some rows',
        'ALTER TABLE api."Notes" ENABLE ROW LEVEL SECURITY;\nCREATE POLICY insert_for_reader ON api."Notes"\n  FOR INSERT TO reader\n  WITH CHECK (true); -- replace true with the condition\n-- All other roles then need policies as well; without one, they see no rows.',
      ],
      ['Forbid it', 'REVOKE INSERT (a, "B") ON api."Notes" FROM reader;'],
    ]);
  });

  test('offer no policies for views and superusers', () => {
    expect(suggest(cellOf('select', { kind: 'view' }))).toEqual([
      ['Forbid it', 'REVOKE SELECT ON api."Notes" FROM reader;'],
    ]);
    expect(suggest(cellOf('select', {}, { isSuperuser: true }))).toHaveLength(1);
  });

  test('grant and revoke functions with their arguments', () => {
    const routine = { name: 'borrow', arguments: 'tool integer', owner: 'boss', isDefiner: false, roles: ['reader'] };
    const [revoke] = suggestForFunction(routine, { role: ROLE, schema: 'api' });
    expect(revoke?.sql).toMatch(/^REVOKE EXECUTE ON FUNCTION api\.borrow\(tool integer\) FROM PUBLIC, reader;\n/u);
    const [grant] = suggestForFunction(
      { ...routine, roles: [] },
      { role: { ...ROLE, hasUsage: false }, schema: 'api' },
    );
    expect(grant?.sql).toBe(
      'GRANT USAGE ON SCHEMA api TO reader;\nGRANT EXECUTE ON FUNCTION api.borrow(tool integer) TO reader;',
    );
  });
});

test.each<readonly [string, RowAddress]>([
  ['/notes', { relation: 'notes', key: {} }],
  ['/notes?as=eq.1&as=web%20user', { relation: 'notes', key: { as: '1' }, role: 'web user' }],
  ['/notes?id=eq.3&as=reader&do=update', { relation: 'notes', key: { id: '3' }, role: 'reader', action: 'update' }],
  ['/my%20notes?id=eq.3&"a.b"=eq.x%26y=z', { relation: 'my notes', key: { id: '3', 'a.b': 'x&y=z' } }],
])('the address %s', (url, address) => {
  expect(parseRowAddress(url)).toEqual(address);
  expect(renderRowAddress(address)).toBe(url);
});

test('an address is read without its other parameters', () => {
  expect(parseRowAddress('/notes?select=a&id=eq.1&rank=gt.3')).toEqual({ relation: 'notes', key: { id: '1' } });
});
