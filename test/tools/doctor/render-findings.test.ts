import { expect, test } from 'vitest';
import type { Finding } from '../../../tools/doctor/checks/check.ts';
import { renderFindings } from '../../../tools/doctor/render-findings.ts';

const ESCAPE = '\u001B';

test('names cannot forge findings or affect a terminal, and the SQL stays correct', () => {
  const table = `api."a${ESCAPE}[2J\n ERROR forged: ""x"""`;
  const finding: Finding = {
    severity: 'info',
    code: 'table-without-row-security',
    object: table,
    why: `The table has no row-level security, so a${ESCAPE}\nb can read every row.`,
    mend: `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY "plain".`,
  };
  const name = String.raw`api.U&"a\001B[2J\000A ERROR forged: ""x"""`;
  expect(renderFindings([finding], true)).toBe(String.raw`INFO table-without-row-security: ${name}
  The table has no row-level security, so a\u001b\u000ab can read every row.
    ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
    -- Then CREATE POLICY "plain".

0 errors, 0 warnings, 1 note.
`);
});

test('notes are only counted unless they are asked for', () => {
  const note: Finding = { severity: 'info', code: 'note', object: 'a', why: 'Because.', mend: '-- Nothing.' };
  const problem: Finding = { severity: 'warning', code: 'problem', object: 'b', why: 'It is.', mend: 'SELECT 1;' };
  expect(renderFindings([problem, note], false)).toBe(`WARNING problem: b
  It is.
    SELECT 1;

0 errors, 1 warning, 1 note; --verbose shows the notes.
`);
  expect(renderFindings([note], false)).toBe('0 errors, 0 warnings, 1 note; --verbose shows the notes.\n');
  expect(renderFindings([], false)).toBe('No problems found.\n');
});
