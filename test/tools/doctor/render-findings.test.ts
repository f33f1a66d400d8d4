import { expect, test } from 'vitest';
import { renderReport } from '../../../tools/check/render-report.ts';
import { describeObject, type LocatedFinding } from '../../../tools/check/lints/finding.ts';

const ESCAPE = '\u001B';

function find(finding: Parameters<typeof describeObject>[0]): LocatedFinding {
  return { ...describeObject(finding), file: null, line: null };
}

/** Without the page that explains the findings. */
function render(findings: readonly LocatedFinding[], isVerbose: boolean): string {
  return renderReport(findings, { isJson: false, isVerbose }).replace(/ What each one means: .*security\.md/u, '');
}

test('names cannot forge findings or affect a terminal, and the SQL stays correct', () => {
  const table = `api."a${ESCAPE}[2J\n ERROR forged: ""x"""`;
  const finding = find({
    lint: 'table-without-row-security',
    level: 'note',
    object: table,
    message: `The table has no row-level security, so a${ESCAPE}\nb can read every row.`,
    fix: `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY "plain".`,
  });
  const name = String.raw`api.U&"a\001B[2J\000A ERROR forged: ""x"""`;
  expect(render([finding], true)).toBe(String.raw`NOTE table-without-row-security: ${name}
  The table has no row-level security, so a\u001b\u000ab can read every row.
    ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
    -- Then CREATE POLICY "plain".

0 errors, 0 warnings, 1 note.
`);
});

test('notes are only counted unless they are asked for', () => {
  const note = find({ lint: 'note', level: 'note', object: 'a', message: 'Because.', fix: '-- Nothing.' });
  const problem = find({ lint: 'problem', level: 'warning', object: 'b', message: 'It is.', fix: 'SELECT 1;' });
  expect(render([problem, note], false)).toBe(`WARNING problem: b
  It is.
    SELECT 1;

0 errors, 1 warning, 1 note; --verbose shows the notes.
`);
  expect(render([note], false)).toBe('0 errors, 0 warnings, 1 note; --verbose shows the notes.\n');
  expect(render([], false)).toBe('Nothing found.\n');
});
