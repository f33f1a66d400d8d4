// Fills the empty answers of a page with the output of its commands; JSON is formatted for reading.
import { STATUS_CODES } from 'node:http';
import { type Outcome, textOf } from './run-shell.ts';

const WIDTH = 110;
/** Headers that are always the same, or that depend on the test. */
const DULL = new Set(['date', 'server', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'vary']);

/** @param unfilled outcomes by the line number of the opening fence, from 1 */
export function fillAnswers(markdown: string, unfilled: ReadonlyMap<number, Outcome>): string {
  const lines = markdown.split('\n');
  for (const [line, outcome] of [...unfilled].reverse()) {
    const [, indent = '', language = ''] = /^( *)`+(\w+)$/u.exec(lines[line - 1] ?? '') ?? [];
    const answer = render(language, outcome).split('\n');
    lines.splice(line, 0, ...answer.map((text) => `${indent}${text}`.trimEnd()));
  }
  return lines.join('\n');
}

function render(language: string, outcome: Outcome): string {
  const text = textOf(outcome);
  if (language === 'http' && outcome.kind === 'answer') {
    const { status, headers } = outcome.answer;
    const shown = Object.entries(headers).filter(([name]) => !DULL.has(name));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      ...shown.map(([name, value]) => `${spell(name)}: ${[value].flat().join(', ')}`),
    ];
    const body =
      /\bjson/u.test(headers['content-type'] ?? '') && text !== '' ? layOut(parse(text), '') : text.trimEnd();
    return body === '' ? head.join('\n') : `${head.join('\n')}\n\n${body}`;
  }
  return language === 'json' ? layOut(parse(text), '') : text.trimEnd();
}

function spell(name: string): string {
  return name.replaceAll(/(?<=^|-)\w/gu, (letter) => letter.toUpperCase()).replace(/^Www/u, 'WWW');
}

/** Parses JSON and keeps numbers as they were written, as marked strings. */
function parse(json: string): unknown {
  const marked = json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu, (token) =>
    token.startsWith('"') ? token : `"\u0000${token}"`.replace('\u0000', String.raw`\u0000`),
  );
  return JSON.parse(marked);
}

function layOut(value: unknown, indent: string): string {
  const line = printLine(value);
  const isList = Array.isArray(value) && indent === '' && value.length > 0;
  if (typeof value !== 'object' || value === null || (!isList && indent.length + line.length <= WIDTH)) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => inner + layOut(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${layOut(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function printLine(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('\u0000') ? value.slice(1) : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
