// Renders findings as JSON, or as text, in which findings that differ only in their object share a paragraph.
import { quoteShownIdentifier } from '../../src/contract/identifiers.ts';
import { escapeLine, escapeLines } from '../../src/observe/escape-text.ts';
import type { Finding, Severity } from './checks/check.ts';

/** Findings of one kind and reason. */
type FindingGroup = readonly [Finding, ...Finding[]];

/** @param isVerbose whether to show notes, which need no fix */
export function renderFindings(findings: readonly Finding[], isVerbose: boolean): string {
  const shown = isVerbose ? findings : findings.filter(({ severity }) => severity !== 'info');
  const groups = new Map<string, FindingGroup>();
  for (const finding of shown.map(escapeFinding)) {
    const key = JSON.stringify([finding.severity, finding.code, finding.why]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? [finding] : [...known, finding]);
  }
  return [...[...groups.values()].map(renderGroup), renderTotal(findings, isVerbose)].join('\n');
}

/** Names may contain line breaks, which would forge findings, and terminal control sequences. */
function escapeFinding({ severity, code, object, why, mend }: Finding): Finding {
  return {
    severity,
    code,
    object: escapeLine(showIdentifiers(object)),
    why: escapeLine(why),
    mend: escapeLines(showIdentifiers(mend)),
  };
}

function showIdentifiers(sql: string): string {
  return sql.replaceAll(/"(?:[^"]|"")*"/gu, (quoted) =>
    quoteShownIdentifier(quoted.slice(1, -1).replaceAll('""', '"')),
  );
}

export function renderFindingsAsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ findings }, undefined, 2)}\n`;
}

function renderGroup(findings: FindingGroup): string {
  const [{ severity, code, why }] = findings;
  const names = findings.map(({ object }) => object).join(', ');
  const objects = findings.length > SHOWN_STATEMENTS ? `${findings.length} objects: ${names}` : names;
  const mend = joinMends(findings).replaceAll(/^/gmu, '    ');
  return `${severity.toUpperCase()} ${code}: ${objects}\n  ${why}\n${mend}\n`;
}

/** A note needs no fix, so of many statements only the first are worth reading. */
const SHOWN_STATEMENTS = 3;

/** Writes comments that several findings share once, below the statements. */
function joinMends([first, ...rest]: FindingGroup): string {
  if (rest.length === 0) return first.mend;
  const lines = [first, ...rest].flatMap(({ mend }) => mend.split('\n'));
  const statements = [...new Set(lines.filter((line) => !line.startsWith('--')))];
  const comments = new Set(lines.filter((line) => line.startsWith('--')));
  const isCut = first.severity === 'info' && statements.length > SHOWN_STATEMENTS + 1;
  if (!isCut) return [...statements, ...comments].join('\n');
  const rested = `-- The same for ${statements.length - SHOWN_STATEMENTS} more; --json shows every statement.`;
  return [...statements.slice(0, SHOWN_STATEMENTS), rested, ...comments].join('\n');
}

const COUNTED: readonly (readonly [severity: Severity, one: string, many: string])[] = [
  ['error', 'error', 'errors'],
  ['warning', 'warning', 'warnings'],
  ['info', 'note', 'notes'],
];

function renderTotal(findings: readonly Finding[], isVerbose: boolean): string {
  if (findings.length === 0) return 'No problems found.\n';
  const counts = COUNTED.map(([severity, one, many]) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `${count} ${count === 1 ? one : many}`;
  });
  const hasHidden = !isVerbose && findings.some(({ severity }) => severity === 'info');
  return `${counts.join(', ')}${hasHidden ? '; --verbose shows the notes' : ''}.\n`;
}
