// Renders the findings of `rowhouse check` for people, for programs and as annotations of GitHub (`project.md` §6 item 1).
import { escapeLine, escapeLines } from '../../src/observe/escape-text.ts';
import type { CheckFormat } from '../command-line/command.ts';
import type { LocatedFinding } from './lints/finding.ts';

/** @param findings in the order in which they are shown */
export function renderFindings(findings: readonly LocatedFinding[], format: CheckFormat): string {
  if (format === 'json') return `${JSON.stringify({ findings: findings.map(toJson) }, undefined, 2)}\n`;
  if (format === 'github') return findings.map((finding) => `${renderAnnotation(finding)}\n`).join('');
  return [...findings.map(renderFinding), renderTotal(findings)].join('\n');
}

function toJson({ lint, level, object, role, file, line, isProved, message, fix }: LocatedFinding): object {
  return { lint, level, object, role, file, line, proved: isProved, message, fix };
}

function renderFinding({ lint, level, object, role, file, line, message, fix }: LocatedFinding): string {
  const place = file === null ? '' : `  ${escapeLine(line === null ? file : `${file}:${line}`)}\n`;
  const subject = `${escapeLine(object)}${role === null ? '' : ` as ${escapeLine(role)}`}`;
  const mend = fix === null ? '' : `${escapeLines(fix).replaceAll(/^/gmu, '    ')}\n`;
  return `${level.toUpperCase()} ${lint}: ${subject}\n${place}  ${escapeLine(message)}\n${mend}`;
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function renderAnnotation({ lint, level, object, role, file, line, message }: LocatedFinding): string {
  const properties = [
    ...(file === null ? [] : [`file=${escapeProperty(file)}`]),
    ...(line === null ? [] : [`line=${line}`]),
    `title=${escapeProperty(lint)}`,
  ];
  const subject = role === null ? object : `${object} as ${role}`;
  return `::${COMMANDS[level]} ${properties.join(',')}::${escapeMessage(`${subject}: ${message}`)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function renderTotal(findings: readonly LocatedFinding[]): string {
  if (findings.length === 0) return 'Nothing found.\n';
  const counts = (['error', 'warning', 'note'] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return `${count} ${level}${count === 1 ? '' : 's'}`;
  });
  return `${counts.join(', ')}. What each one means: docs/check.md\n`;
}
