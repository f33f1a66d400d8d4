// Splits a file of a project into statements, and finds the place of an error in it (`project.md` §2 item 7).
import { DatabaseError } from 'pg';
import { type ScriptPart, splitScript, unitsOf } from '../../console/split-script.ts';
import { messageOf } from '../../support/thrown.ts';
import type { Place, Problem } from '../folder/problem.ts';
import type { SourceFile } from '../folder/read-project.ts';
import { maskSecrets } from './mask-secrets.ts';

/** A part of a script, and the file that contains it. */
export interface Statement {
  readonly file: SourceFile;
  readonly part: ScriptPart;
}

/** `pg_dump` writes them around everything. All other commands of psql must be run or refused (`project.md` §1 item 4). */
const SKIPPED_COMMANDS: ReadonlySet<string> = new Set(['restrict', 'unrestrict']);

export function splitFile(file: SourceFile): readonly Statement[] {
  return splitScript(file.text, SKIPPED_COMMANDS).map((part) => ({ file, part }));
}

/** Describes why the statement failed. @param error what the driver threw */
export function locateError(statement: Statement, error: unknown): Problem {
  const { file, part } = statement;
  if (!(error instanceof DatabaseError)) return refuse(statement, messageOf(error));
  const masking = maskSecrets(textOf(part));
  const mask = (text: string): string => masking.mask(text);
  return {
    file: file.path,
    place: placeAt(statement, findOffset(textOf(part), error) ?? 0),
    sqlstate: error.code,
    message: mask(error.message),
    detail: error.detail && mask(error.detail),
    hint: error.hint && mask(error.hint),
  };
}

/** Describes a statement that is not run at all. */
export function refuse(statement: Statement, message: string, hint?: string): Problem {
  return { file: statement.file.path, place: placeAt(statement, 0), sqlstate: undefined, message, hint };
}

function textOf(part: ScriptPart): string {
  return part.kind === 'statement' || part.kind === 'copy' ? part.text : '';
}

/** @param offset within the statement, in UTF-16 units */
function placeAt({ file, part }: Statement, offset: number): Place {
  const masked = maskSecrets(textOf(part)).text;
  const text = file.text.slice(0, part.start) + masked + file.text.slice(part.start + masked.length);
  const at = part.start + offset;
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at);
  return {
    line: text.slice(0, lineStart).split('\n').length,
    column: Array.from(text.slice(lineStart, at)).length + 1,
    source: text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd).replace(/\r$/u, ''),
  };
}

/** Returns where in the statement the error is, in UTF-16 units; undefined if PostgreSQL does not say. */
function findOffset(text: string, error: DatabaseError): number | undefined {
  if (error.position !== undefined) return unitsOf(text, Number(error.position) - 1);
  const { internalQuery, internalPosition } = error;
  const inner = internalQuery === undefined ? -1 : text.indexOf(internalQuery);
  if (internalQuery !== undefined && inner !== -1)
    return inner + unitsOf(internalQuery, Number(internalPosition ?? '1') - 1);
  return findBodyLine(text, error.where);
}

/** An error while a DO block runs has no position, but the line in the block. */
function findBodyLine(text: string, where: string | undefined): number | undefined {
  const line = /inline_code_block line (\d+)/u.exec(where ?? '')?.[1];
  const body = /\$[^$]*\$/u.exec(text);
  if (line === undefined || body === null) return undefined;
  let at = body.index + body[0].length;
  for (let passed = 1; passed < Number(line); passed += 1) at = text.indexOf('\n', at) + 1;
  return at + (/^[^\S\n]*/u.exec(text.slice(at))?.[0].length ?? 0);
}
