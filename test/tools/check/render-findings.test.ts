// The text that `rowhouse check` prints.
import path from 'node:path';
import { expect, test } from 'vitest';
import type { LocatedFinding } from '../../../tools/check/lints/finding.ts';
import { renderFindings } from '../../../tools/check/render-findings.ts';

const TEXT = { format: 'text', folder: '' } as const;
const base = { level: 'warning', role: null, isProved: false, file: null, line: null, fix: null } as const;

function findingOf(lint: LocatedFinding['lint'], object: string, more: Partial<LocatedFinding>): LocatedFinding {
  return { ...base, lint, object, place: { kind: 'object', object }, message: '', ...more };
}

const OFF = 'The role may write the table, which has no row-level security: it can write every row.';
const unkeyed = findingOf('no-primary-key', 'api.log', { level: 'note', message: 'The table has no primary key.' });

test('P48 findings of one lint are one block, with its explanation once', () => {
  const findings = [
    findingOf('rls-off', 'api.orders', { role: 'web_user', file: 'a.sql', line: 5, message: OFF, fix: 'ALTER a;\nB;' }),
    findingOf('rls-off', 'api.users', { role: 'web_user', message: OFF }),
    unkeyed,
  ];
  expect(renderFindings(findings, TEXT)).toBe(`WARNING rls-off: 2 findings
  ${OFF}

  api.orders as web_user
    a.sql:5
      ALTER a;
      B;

  api.users as web_user

NOTE no-primary-key: api.log
  The table has no primary key.

0 errors, 2 warnings, 1 note. What each one means: docs/check.md
`);
});

test('P48 a finding about a whole file names it once', () => {
  const finding = findingOf('migrations-same-number', 'migrations', {
    level: 'note',
    file: 'migrations',
    message: 'A.',
  });
  expect(renderFindings([finding], TEXT)).toBe(`NOTE migrations-same-number: migrations
  A.

0 errors, 0 warnings, 1 note. What each one means: docs/check.md
`);
});

test('P48 roles with the same finding share its lines, and a comment of all fixes is shown once', () => {
  const fixOf = (table: string): string => `ALTER TABLE api.${table} ENABLE;\n-- Then CREATE POLICY.`;
  const findings = ['orders', 'users'].flatMap((table) =>
    ['demo_user', 'web_user'].map((role) =>
      findingOf('rls-off', `api.${table}`, { role, message: OFF, fix: fixOf(table) }),
    ),
  );
  expect(renderFindings(findings, TEXT)).toBe(`WARNING rls-off: 4 findings
  ${OFF}

  api.orders as demo_user, web_user
      ALTER TABLE api.orders ENABLE;

  api.users as demo_user, web_user
      ALTER TABLE api.users ENABLE;

      -- Then CREATE POLICY.

0 errors, 4 warnings, 0 notes. What each one means: docs/check.md
`);
});

test('P48 what differs between their messages stays with the object', () => {
  const findings = ['a_id', 'b_id'].map((column) =>
    findingOf('foreign-key-without-index', 'api.orders', {
      level: 'note',
      message: `The foreign key (${column}) has no index: embeds along it scan the whole table.`,
      fix: `CREATE INDEX ON api.orders (${column});`,
    }),
  );
  expect(renderFindings(findings, TEXT)).toBe(`NOTE foreign-key-without-index: 2 findings
  Embeds along it scan the whole table.

  api.orders
    The foreign key (a_id) has no index:
      CREATE INDEX ON api.orders (a_id);

  api.orders
    The foreign key (b_id) has no index:
      CREATE INDEX ON api.orders (b_id);

0 errors, 0 warnings, 2 notes. What each one means: docs/check.md
`);
});

test('P48 findings of one lint with other levels, and messages without a common part, are apart', () => {
  const error = findingOf('rls-off', 'api.a', { level: 'error', isProved: true, message: 'Proved.' });
  const [one, two] = ['One.', 'Two.'].map((message) => findingOf('rls-off', 'api.b', { message }));
  expect(renderFindings([error, one!, two!], TEXT)).toBe(`ERROR rls-off: api.a
  Proved.

WARNING rls-off: 2 findings

  api.b
    One.

  api.b
    Two.

1 error, 2 warnings, 0 notes. What each one means: docs/check.md
`);
});

test('P48b annotations name files by their absolute path, whatever the folder of the project', () => {
  const findings = [
    findingOf('rls-off', 'api.a', { file: 'schema/a, b.sql', line: 5, message: '100 %\nof it' }),
    findingOf('types-outdated', 'types.ts', { level: 'error', file: 'types.ts' }),
  ];
  const schema = path.resolve('shop', 'schema/a').replaceAll(':', '%3A');
  const types = path.resolve('types.ts').replaceAll(':', '%3A');
  expect(renderFindings(findings, { format: 'github', folder: 'shop' })).toBe(
    `::warning file=${schema}%2C b.sql,line=5,title=rls-off::api.a: 100 %25%0Aof it
::error file=${types},title=types-outdated::types.ts: \n`,
  );
});

test('P48 no findings are an empty list in JSON', () => {
  expect(renderFindings([], { format: 'json', folder: '.' })).toBe('{\n  "findings": []\n}\n');
});
