// Renders findings for people, for programs and as annotations of GitHub (`project.md` §6 item 1).
import path from 'node:path';
import { quoteShownIdentifier } from '../../src/contract/identifiers.ts';
import { escapeLine, escapeLines } from '../../src/observe/escape-text.ts';
import type { CheckFormat } from '../command-line/choices.ts';
import { locateOwnFile } from '../support/own-command.ts';
import { type Finding, groupRoles, type LocatedFinding } from './lints/finding.ts';

export interface Report {
  readonly format: CheckFormat;
  /** The folder of the project; unused for a database. */
  readonly folder: string;
  /** Whether a text only counts notes. */
  readonly hidesNotes?: boolean;
}

/**
 * @param findings in the order in which they are shown
 * @param page where the lints are explained
 */
export function renderFindings(
  findings: readonly LocatedFinding[],
  { format, folder, hidesNotes = false }: Report,
  page: string = locateOwnFile('docs/check.md'),
): string {
  if (format === 'json') return `${JSON.stringify({ findings: findings.map(toJson) }, undefined, 2)}\n`;
  if (format === 'github') return findings.map((finding) => `${renderAnnotation(finding, folder)}\n`).join('');
  const shown = findings.filter(({ level }) => !hidesNotes || level !== 'note').map(escapeFinding);
  const hidden = shown.length < findings.length ? '; --verbose shows the notes' : '';
  return [...groupFindings(shown).map(renderGroup), renderTotal(findings, hidden, page)].join('\n');
}

/** Names may contain line breaks, which would forge findings, and terminal control sequences. */
function escapeFinding(finding: LocatedFinding): LocatedFinding {
  const { object, role, file, message, fix } = finding;
  return {
    ...finding,
    object: escapeLine(showIdentifiers(object)),
    role: role && escapeLine(role),
    file: file && escapeLine(file),
    message: escapeLine(message),
    fix: fix && escapeLines(showIdentifiers(fix)),
  };
}

function showIdentifiers(sql: string): string {
  return sql.replaceAll(/"(?:[^"]|"")*"/gu, (quoted) =>
    quoteShownIdentifier(quoted.slice(1, -1).replaceAll('""', '"')),
  );
}

function toJson({ lint, level, object, role, file, line, isProved, message, fix }: LocatedFinding): object {
  return { lint, level, object, role, file, line, proved: isProved, message, fix };
}

/** Findings of one lint and level. */
type Group = readonly [LocatedFinding, ...LocatedFinding[]];

function groupFindings(findings: readonly LocatedFinding[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = `${finding.level} ${finding.lint}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

/** Several findings have their common explanation and comments once, and what differs below each object. */
function renderGroup(group: Group): string {
  const [first, ...others] = group;
  const head = `${first.level.toUpperCase()} ${first.lint}:`;
  if (others.length === 0) return `${head} ${renderSubject(first)}\n${renderDetails(first, first.message)}`;
  const shared = splitMessage(first).filter((part) => others.every((other) => splitMessage(other).includes(part)));
  const explanation = shared.length === 0 ? '' : `  ${capitalize(shared.join(' '))}\n`;
  const notes = listNotes(first).filter((note) => others.every((other) => listNotes(other).includes(note)));
  const members = groupRoles(group).map(([finding, ...same]) => {
    const own = splitMessage(finding).filter((part) => !shared.includes(part));
    const fix = finding.fix?.split('\n').filter((line) => !notes.includes(line));
    const details = renderDetails({ ...finding, fix: fix?.join('\n') ?? null }, own.join(' '));
    return `\n  ${renderSubject(finding, same)}\n${details.replaceAll(/^(?=.)/gmu, '  ')}`;
  });
  const end = notes.map((note) => `\n      ${note}\n`);
  return `${head} ${group.length} findings\n${explanation}${members.join('')}${end.join('')}`;
}

/** Lists the comments of a fix. */
function listNotes({ fix }: Finding): readonly string[] {
  return fix?.split('\n').filter((line) => line.startsWith('--')) ?? [];
}

/** Splits a message at the ends of its sentences and at colons. */
function splitMessage({ message }: Finding): readonly string[] {
  return message.split(/(?<=[.:]) /u);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param same the same finding for other roles */
function renderSubject({ object, role }: Finding, same: readonly Finding[] = []): string {
  const roles = [role, ...same.map((other) => other.role)].filter((each) => each !== null);
  return `${object}${roles.length === 0 ? '' : ` as ${roles.join(', ')}`}`;
}

function renderDetails({ object, file, line, fix }: LocatedFinding, message: string): string {
  const isNamed = file === null || (line === null && file === object);
  const place = isNamed ? '' : `  ${line === null ? file : `${file}:${line}`}\n`;
  const text = message === '' ? '' : `  ${message}\n`;
  return `${place}${text}${fix === null ? '' : `${fix.replaceAll(/^/gmu, '    ')}\n`}`;
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function renderAnnotation(finding: LocatedFinding, folder: string): string {
  const { lint, level, object, role, file, line, message } = finding;
  const properties = [
    ...(file === null ? [] : [`file=${escapeProperty(locateFile(lint, file, folder))}`]),
    ...(line === null ? [] : [`line=${line}`]),
    `title=${escapeProperty(lint)}`,
  ];
  const subject = role === null ? object : `${object} as ${role}`;
  return `::${COMMANDS[level]} ${properties.join(',')}::${escapeMessage(`${subject}: ${message}`)}`;
}

/** GitHub finds a file by its absolute path, wherever the project is in the repository and wherever the command runs. */
function locateFile(lint: string, file: string, folder: string): string {
  return lint === 'types-outdated' ? path.resolve(file) : path.resolve(folder, file);
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function renderTotal(findings: readonly LocatedFinding[], hidden: string, page: string): string {
  if (findings.length === 0) return 'Nothing found.\n';
  const counts = (['error', 'warning', 'note'] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return `${count} ${level}${count === 1 ? '' : 's'}`;
  });
  return `${counts.join(', ')}${hidden}. What each one means: ${page}\n`;
}
