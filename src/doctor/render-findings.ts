// Renders findings as text or JSON.
import type { Finding, Severity } from './checks/finding.ts';

export function renderFindings(findings: readonly Finding[]): string {
  return [...findings.map(renderFinding), renderTotal(findings)].join('\n');
}

export function renderFindingsAsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ findings }, undefined, 2)}\n`;
}

function renderFinding({ severity, code, object, why, mend }: Finding): string {
  return `${severity.toUpperCase()} ${code}: ${object}\n  ${why}\n${mend.replaceAll(/^/gmu, '    ')}\n`;
}

const COUNTED: readonly (readonly [severity: Severity, one: string, many: string])[] = [
  ['error', 'error', 'errors'],
  ['warning', 'warning', 'warnings'],
  ['info', 'note', 'notes'],
];

function renderTotal(findings: readonly Finding[]): string {
  const counts = COUNTED.map(([severity, one, many]) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `${count} ${count === 1 ? one : many}`;
  });
  return findings.length === 0 ? 'No problems found.\n' : `${counts.join(', ')}.\n`;
}
