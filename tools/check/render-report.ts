// What `rowhouse doctor` prints: the text of `rowhouse check`, or JSON with one entry for all roles of a finding.
import { locateOwnFile } from '../support/own-command.ts';
import { groupRoles, type LocatedFinding } from './lints/finding.ts';
import { renderFindings } from './render-findings.ts';

interface ReportOptions {
  readonly isJson: boolean;
  /** Whether to show notes, which need no fix. */
  readonly isVerbose: boolean;
}

export function renderReport(findings: readonly LocatedFinding[], { isJson, isVerbose }: ReportOptions): string {
  if (!isJson)
    return renderFindings(
      findings,
      { format: 'text', folder: '', hidesNotes: !isVerbose },
      locateOwnFile('docs/security.md'),
    );
  const entries = groupRoles(findings).map((group) => {
    const [{ lint: code, level, object, fix, caution }] = group;
    const severity = level === 'note' ? 'info' : level;
    return { severity, code, object, why: explain(group), mend: fix ?? '', caution };
  });
  return `${JSON.stringify({ findings: entries }, undefined, 2)}\n`;
}

/** @param findings that differ only in their role */
export function explain(findings: readonly [LocatedFinding, ...LocatedFinding[]]): string {
  const roles = findings.flatMap(({ role }) => role ?? []);
  const [{ message }] = findings;
  return roles.length === 0 ? message : `${message} ${roles.length === 1 ? 'Role' : 'Roles'}: ${roles.join(', ')}.`;
}
