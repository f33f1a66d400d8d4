// What is wrong with a file of a project, and where (`project.md` §7).
import type { FileProblem } from '../../../src/contract/dev-news.ts';
import type { Result } from '../../../src/contract/result.ts';
import { escapeLine } from '../../../src/observe/escape-text.ts';

export interface Problem {
  /** Relative to the project, with slashes; undefined if no file is to blame. */
  readonly file: string | undefined;
  readonly place: Place | undefined;
  /** Undefined if PostgreSQL did not report it. */
  readonly sqlstate: string | undefined;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

/** A result that can fail for several reasons. */
export type Outcome<T> = Result<T, readonly Problem[]>;

export interface Place {
  /** Both count from 1; columns are characters. */
  readonly line: number;
  readonly column: number;
  /** The text of the line, without secrets. */
  readonly source: string;
}

/** A longer line is cut around its caret. */
const MAX_SOURCE_LENGTH = 110;
const ELLIPSIS = '…';

/** Creates a problem without a position. */
export function problemOf(file: string | undefined, message: string, hint?: string): Problem {
  return { file, place: undefined, sqlstate: undefined, message, hint };
}

/** Renders `file:line:column: message`, the line with a caret, detail and hint, without a line break at the end. */
export function renderProblem({ file, place, message, detail, hint }: Problem): string {
  const position = place === undefined ? '' : `:${place.line}:${place.column}`;
  const head = file === undefined ? message : `${escapeLine(file)}${position}: ${message}`;
  const notes = [detail && `DETAIL: ${detail}`, hint && `HINT: ${hint}`].filter((note) => note !== undefined);
  return [...head.split('\n'), ...(place === undefined ? [] : renderSource(place)), ...notes.flatMap(indent)]
    .filter((line) => line !== '')
    .map(escapeLine)
    .join('\n');
}

/** Writes all to the standard error stream. @returns the exit code of a command that could not run */
export function reportProblems(problems: readonly Problem[]): 2 {
  for (const problem of problems) process.stderr.write(`${renderProblem(problem)}\n`);
  return 2;
}

/** Creates an error that test runners show without a line and the frames of the bundle: its stack is the message. */
export function errorOf(problems: readonly Problem[]): Error {
  const error = new Error(problems.map(renderProblem).join('\n'));
  error.stack = String(error);
  return error;
}

/** Describes the same for the explorer. */
export function describeProblem({ file, place, message, detail, hint }: Problem): FileProblem {
  const line = place === undefined ? '' : `:${place.line}`;
  return {
    position: file && `${escapeLine(file)}${line}`,
    column: place?.column,
    message,
    source: place === undefined ? [] : renderSource(place).map(escapeLine),
    detail,
    hint,
  };
}

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function renderSource({ line, column, source }: Place): readonly string[] {
  const characters = Array.from(source.replaceAll('\t', ' '));
  const from = characters.length <= MAX_SOURCE_LENGTH ? 0 : Math.max(0, column - 1 - MAX_SOURCE_LENGTH / 2);
  const to = from + MAX_SOURCE_LENGTH;
  const shown = [from > 0 ? ELLIPSIS : '', ...characters.slice(from, to), to < characters.length ? ELLIPSIS : ''];
  const gutter = ' '.repeat(String(line).length);
  const pad = ' '.repeat(column - 1 - from + (from > 0 ? 1 : 0));
  return [`  ${line} | ${shown.join('')}`, `  ${gutter} | ${pad}^`];
}
