// The explanation of a row in words.
import { describe, expect, test } from 'vitest';
import type { EvaluatedPolicy, PolicyResult, RowExplanation } from '../../../src/contract/access-document.ts';
import { describeSteps } from '../../../explorer/src/access/describe-row.ts';
import { describeVerdict } from '../../../explorer/src/access/describe-verdict.ts';

const ROLE = {
  name: 'reader',
  isAnonymous: false,
  isSuperuser: false,
  bypassesRowSecurity: false,
  hasUsage: true,
  isLogin: false,
};

function explanation(parts: Partial<RowExplanation> = {}): RowExplanation {
  return {
    action: 'select',
    role: ROLE,
    relation: {
      name: 'notes',
      kind: 'table',
      owner: 'boss',
      rowSecurity: 'on',
      isInvoker: false,
      impossible: [],
      key: ['id'],
    },
    rights: { select: true, insert: false, update: false, delete: false, isOwner: false, limits: [] },
    hiddenColumns: [],
    inspector: { name: 'gate', isLogin: true },
    row: { kind: 'found' },
    policies: [],
    outcome: { kind: 'hidden' },
    ...parts,
  };
}

function evaluated(kind: Exclude<PolicyResult['kind'], 'failed'>, isPermissive = true): EvaluatedPolicy {
  const policy = { name: kind, command: 'select', isPermissive, roles: ['reader'], using: 'id > 0' } as const;
  return { ...policy, check: null, result: { kind }, parts: [] };
}

const statesOf = (one: RowExplanation): readonly string[] =>
  describeSteps(one, 'api').map(({ title, state }) => `${title}: ${state}`);

describe('the steps', () => {
  test('of a role that sees the row', () => {
    expect(statesOf(explanation({ policies: [evaluated('true')], outcome: { kind: 'visible' } }))).toEqual([
      'Schema api: passed',
      'Privilege on notes: passed',
      'The row: passed',
      'Row-level security: limited',
      'Permissive policy true: passed',
    ]);
  });

  test('of a role without any right, each with the statement that grants it', () => {
    const rights = { select: false, insert: false, update: false, delete: false, isOwner: false, limits: [] };
    const steps = describeSteps(explanation({ role: { ...ROLE, hasUsage: false }, rights }), 'api');
    expect(steps.filter(({ state }) => state === 'failed').map(({ sql }) => sql)).toEqual([
      'GRANT USAGE ON SCHEMA api TO reader;',
      'GRANT SELECT ON api.notes TO reader;',
      'CREATE POLICY select_for_reader ON api.notes\n  FOR SELECT TO reader\n  USING (true); -- replace true with the condition',
    ]);
  });

  test('name the columns that are missing', () => {
    const rights = { select: ['id'], insert: false, update: false, delete: false, isOwner: false, limits: [] };
    const steps = describeSteps(explanation({ rights, hiddenColumns: ['text'] }), 'api');
    expect(steps.map(({ text }) => text)).toContain('Requests that read or filter by text fail.');
  });

  test('say what a policy that fails reports', () => {
    const policy = {
      ...evaluated('true'),
      result: { kind: 'failed', reason: 'permission denied for function f' },
    } as const;
    expect(describeSteps(explanation({ policies: [policy] }), 'api').at(-1)).toMatchObject({
      state: 'failed',
      text: 'Fails: permission denied for function f.',
      expression: 'id > 0',
    });
  });
});

describe('the verdict', () => {
  test.each<readonly [string, Partial<RowExplanation>, string]>([
    ['visible', { outcome: { kind: 'visible' } }, 'A request with its key returns it.'],
    ['missing', { row: { kind: 'missing' } }, 'Check the key. The row may have been deleted.'],
    [
      'failing',
      { outcome: { kind: 'failed', reason: 'permission denied for table notes' } },
      'PostgreSQL: permission denied for table notes.',
    ],
    ['without policies', {}, 'Row-level security is on, and no permissive policy applies to the role.'],
    [
      'rejected',
      { policies: [evaluated('true'), evaluated('false', false)] },
      'Rejected by the restrictive policy false.',
    ],
    [
      'not allowed',
      { policies: [evaluated('false'), evaluated('null')] },
      'None of the permissive policies allows it: false, null.',
    ],
    [
      'not evaluated',
      { policies: [evaluated('skipped')] },
      'The policies could not be evaluated for the row, but they hide it.',
    ],
    [
      'left out by a view',
      { relation: { ...explanation().relation, kind: 'view' } },
      'The view or its tables leave it out. Ask about its tables.',
    ],
  ])('of a row that is %s', (_name, parts, reason) => {
    expect(describeVerdict(explanation(parts)).reason).toBe(reason);
  });
});

const MAY_CHANGE = { select: true, insert: false, update: ['text'], delete: true, isOwner: false, limits: [] };

function ofCommand(command: EvaluatedPolicy['command'], kind: 'true' | 'false', isPermissive = true): EvaluatedPolicy {
  return { ...evaluated(kind, isPermissive), command, name: `${command} ${kind}` };
}

function change(parts: Partial<RowExplanation>): RowExplanation {
  return explanation({ action: 'update', rights: MAY_CHANGE, outcome: { kind: 'visible' }, ...parts });
}

describe('P41 the verdict on a change', () => {
  const seen = ofCommand('select', 'true');
  test.each<readonly [string, Partial<RowExplanation>, string, string]>([
    [
      'of a row that is hidden',
      { outcome: { kind: 'hidden' }, policies: [ofCommand('select', 'false'), ofCommand('update', 'true')] },
      'reader does not see this row.',
      'None of the permissive policies allows it: select false.',
    ],
    [
      'without the privilege',
      { rights: { ...MAY_CHANGE, update: false } },
      'reader sees this row, but cannot change it.',
      'It lacks the privilege UPDATE on notes.',
    ],
    [
      'without a policy for it',
      { action: 'delete', policies: [seen] },
      'reader sees this row, but cannot delete it.',
      'Row-level security is on, and no permissive policy for DELETE applies to the role.',
    ],
    [
      'that a policy for it does not allow',
      { policies: [seen, ofCommand('update', 'false')] },
      'reader sees this row, but cannot change it.',
      'None of the permissive policies for UPDATE allows it: update false.',
    ],
    [
      'that a restrictive policy rejects',
      { policies: [ofCommand('all', 'true'), ofCommand('update', 'false', false)] },
      'reader sees this row, but cannot change it.',
      'Rejected by the restrictive policy update false.',
    ],
    [
      'that is possible',
      { policies: [seen, ofCommand('update', 'true')] },
      'reader can change this row.',
      'A request with its key succeeds, unless WITH CHECK, a constraint or a trigger refuses it.',
    ],
    [
      'through a view',
      { relation: { ...explanation().relation, kind: 'view' } },
      'reader sees this row. Whether it can change it is not known.',
      'The tables of the view decide. Ask about them.',
    ],
    [
      'of a view that PostgreSQL cannot update',
      { relation: { ...explanation().relation, kind: 'view', impossible: ['update'] } },
      'reader sees this row, but cannot change it.',
      'PostgreSQL cannot update rows of notes.',
    ],
    [
      'of several rows',
      { row: { kind: 'several' } },
      'reader sees this row. Whether it can change it is not known.',
      'Several rows match. Enter a key that identifies one row.',
    ],
    [
      'of a row that the inspecting role cannot read',
      { row: { kind: 'unseen' } },
      'reader sees this row. Whether it can change it is not known.',
      'The role gate cannot read the row. To look for the row as its owner, start rowhouse dev with --inspect-uri.',
    ],
  ])('%s', (_name, parts, title, reason) => {
    expect(describeVerdict(change(parts))).toMatchObject({ title, reason });
  });

  test('shows the parts that are not true, and what an update must fulfil afterwards', () => {
    const values = [
      { name: 'owner', value: 'bob' },
      { name: 'claim sub', value: null },
    ];
    const parts = [{ expression: 'owner = sub', isNull: true, values }];
    const own = { ...ofCommand('update', 'false'), using: 'id > 0 AND owner = sub', check: 'id < 9', parts };
    expect(describeSteps(change({ policies: [seen, own] }), 'api').slice(2)).toMatchObject([
      { title: 'UPDATE on notes', state: 'limited' },
      { title: 'The row' },
      { title: 'Row-level security' },
      { title: 'Permissive policy select true', state: 'passed' },
      { state: 'failed', details: ['owner = sub is null, owner is "bob", claim sub is null.'] },
      { title: 'WITH CHECK of update false', state: 'limited', expression: 'id < 9' },
    ]);
  });
});

describe('P41 the verdict on an insert', () => {
  const rights = { ...MAY_CHANGE, insert: true };
  const row = { kind: 'proposed', columns: ['text'], unknown: [] } as const;
  const policies = [ofCommand('insert', 'true'), ofCommand('select', 'true')];
  test.each<readonly [string, Partial<RowExplanation>, string, string]>([
    [
      'that is possible',
      {},
      'reader can insert this row.',
      'A request with these values succeeds, unless a constraint or a trigger refuses it.',
    ],
    [
      'without the privilege',
      { rights: MAY_CHANGE },
      'reader cannot insert this row.',
      'It lacks the privilege INSERT on notes.',
    ],
    [
      'without the privilege on a column',
      { rights: { ...rights, insert: ['id'] } },
      'reader cannot insert this row.',
      'It lacks the privilege INSERT on the columns text.',
    ],
    [
      'without USAGE',
      { role: { ...ROLE, hasUsage: false } },
      'reader cannot insert this row.',
      'It lacks USAGE on the schema.',
    ],
    [
      'that a policy does not allow',
      { policies: [ofCommand('insert', 'false'), ofCommand('select', 'true')] },
      'reader cannot insert this row.',
      'None of the permissive policies for INSERT allows it: insert false.',
    ],
    [
      'whose row could not be returned',
      { policies: [ofCommand('insert', 'true'), ofCommand('select', 'false')] },
      'reader can insert this row, but not return it.',
      'A request with Prefer: return=representation fails. None of the permissive policies allows it: select false.',
    ],
    [
      'whose row could not be returned for want of a privilege',
      { rights: { ...rights, select: false } },
      'reader can insert this row, but not return it.',
      'A request with Prefer: return=representation fails. It lacks the privilege SELECT.',
    ],
    [
      'of values that are no row',
      { row: { kind: 'unreadable', reason: 'not a number' } },
      'This is no row of the table.',
      'PostgreSQL: not a number.',
    ],
    [
      'through a view',
      { relation: { ...explanation().relation, kind: 'view' } },
      'Whether reader can insert this row is not known.',
      'The tables of the view decide. Ask about them.',
    ],
    [
      'into a view that PostgreSQL cannot update',
      { relation: { ...explanation().relation, kind: 'view', impossible: ['insert'] } },
      'reader cannot insert this row.',
      'PostgreSQL cannot insert rows of notes.',
    ],
    [
      'that fails before it begins',
      { outcome: { kind: 'failed', reason: 'no' } },
      'The request of reader fails.',
      'PostgreSQL: no.',
    ],
  ])('%s', (_name, parts, title, reason) => {
    const one = explanation({ action: 'insert', rights, row, policies, outcome: { kind: 'untried' }, ...parts });
    expect(describeVerdict(one)).toMatchObject({ title, reason });
  });

  test('and its steps', () => {
    const one = explanation({
      action: 'insert',
      rights,
      row: { ...row, unknown: ['id'] },
      policies,
      outcome: { kind: 'untried' },
    });
    expect(statesOf(one)).toEqual([
      'Schema api: passed',
      'Privilege on notes: passed',
      'INSERT on notes: passed',
      'The row: unknown',
      'Row-level security: limited',
      'Permissive policy insert true for INSERT: passed',
      'Permissive policy select true for SELECT: passed',
    ]);
  });
});
