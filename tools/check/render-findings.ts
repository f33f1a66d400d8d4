// Renders the findings of `rowhouse check` for people, for programs and as annotations of GitHub (`project.md` §6 item 1).
import path from 'node:path';
import { escapeLine, escapeLines } from '../../src/observe/escape-text.ts';
import type { CheckFormat } from '../command-line/command.ts';
import { locateOwnFile } from '../support/own-command.ts';
import type { Finding, LintName, LocatedFinding } from './lints/finding.ts';

export interface Report {
  readonly format: CheckFormat;
  /** The folder of the project; unused for a database. */
  readonly folder: string;
}

/**
 * @param findings in the order in which they are shown
 * @param page where the lints are explained
 */
export function renderFindings(
  findings: readonly LocatedFinding[],
  { format, folder }: Report,
  page: string = locateOwnFile('docs/check.md'),
): string {
  if (format === 'json') return `${JSON.stringify({ findings: findings.map(toJson) }, undefined, 2)}\n`;
  if (format === 'github') return findings.map((finding) => `${renderAnnotation(finding, folder)}\n`).join('');
  return [...groupFindings(findings).map(renderGroup), renderTotal(findings, page)].join('\n');
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
    const group = groups.get(key);
    groups.set(key, group === undefined ? [finding] : [...group, finding]);
  }
  return [...groups.values()];
}

/** Several findings have their common explanation and comments once, and what differs below each object. */
function renderGroup(group: Group): string {
  const [first, ...others] = group;
  const head = `${first.level.toUpperCase()} ${first.lint}:`;
  if (others.length === 0) return `${head} ${renderSubject(first)}\n${renderDetails(first, first.message)}`;
  const shared = splitMessage(first).filter((part) => others.every((other) => splitMessage(other).includes(part)));
  const explanation = shared.length === 0 ? '' : `  ${escapeLine(capitalize(shared.join(' ')))}\n`;
  const notes = listNotes(first).filter((note) => others.every((other) => listNotes(other).includes(note)));
  const members = groupRoles(group).map(([finding, ...same]) => {
    const own = splitMessage(finding).filter((part) => !shared.includes(part));
    const fix = finding.fix?.split('\n').filter((line) => !notes.includes(line));
    const details = renderDetails({ ...finding, fix: fix?.join('\n') ?? null }, own.join(' '));
    return `\n  ${renderSubject(finding, same)}\n${details.replaceAll(/^(?=.)/gmu, '  ')}`;
  });
  const end = notes.map((note) => `\n      ${escapeLine(note)}\n`);
  return `${head} ${group.length} findings\n${explanation}${members.join('')}${end.join('')}`;
}

/** Lists the comments of a fix. */
function listNotes({ fix }: Finding): readonly string[] {
  return fix?.split('\n').filter((line) => line.startsWith('--')) ?? [];
}

/** Groups findings that differ only in their role. */
function groupRoles(group: Group): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const finding of group) {
    const { object, file, line, message, fix } = finding;
    const key = JSON.stringify([object, file, line, message, fix]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? [finding] : [...known, finding]);
  }
  return [...groups.values()];
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
  return `${escapeLine(object)}${roles.length === 0 ? '' : ` as ${roles.map(escapeLine).join(', ')}`}`;
}

function renderDetails({ object, file, line, fix }: LocatedFinding, message: string): string {
  const isNamed = file === null || (line === null && file === object);
  const place = isNamed ? '' : `  ${escapeLine(line === null ? file : `${file}:${line}`)}\n`;
  const text = message === '' ? '' : `  ${escapeLine(message)}\n`;
  return `${place}${text}${fix === null ? '' : `${escapeLines(fix).replaceAll(/^/gmu, '    ')}\n`}`;
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
function locateFile(lint: LintName, file: string, folder: string): string {
  return lint === 'types-outdated' ? path.resolve(file) : path.resolve(folder, file);
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function renderTotal(findings: readonly LocatedFinding[], page: string): string {
  if (findings.length === 0) return 'Nothing found.\n';
  const counts = (['error', 'warning', 'note'] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return `${count} ${level}${count === 1 ? '' : 's'}`;
  });
  return `${counts.join(', ')}. What each one means: ${page}\n`;
}
