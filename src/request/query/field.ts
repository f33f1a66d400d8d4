// Parses a column with an optional path into its value: `meta->log->-1->>name` (`reading.md` §3.1).
import { attempt, label } from './combinators.ts';
import { parseDashed, parseName, parseQuoted, type PieceRule } from './names.ts';
import type { Field, JsonOperand, JsonStep } from './query-params.ts';
import { MAX_NAME_LENGTH } from './query-limits.ts';
import type { Scanner } from './scanner.ts';

export function parseField(scanner: Scanner): Field | undefined {
  scanner.skipBlanks();
  const column = parseName(scanner);
  const path = column === undefined ? undefined : parseJsonPath(scanner);
  if (column === undefined || path === undefined) return undefined;
  scanner.skipBlanks();
  return { column, path };
}

export function parseJsonPath(scanner: Scanner): readonly JsonStep[] | undefined {
  const steps: JsonStep[] = [];
  for (;;) {
    const arrow = parseArrow(scanner);
    if (arrow === undefined) return steps;
    const operand = attempt(scanner, parseIndex) ?? label(scanner, KEY, parseKey);
    if (operand === undefined) return undefined;
    steps.push({ arrow, operand });
    if (!scanner.allowsSteps(steps.length)) return undefined;
  }
}

const KEY = 'any non reserved character different from: .,>()';

function parseArrow(scanner: Scanner): '->>' | '->' | undefined {
  if (scanner.take('->>')) return '->>';
  return scanner.take('->') ? '->' : undefined;
}

function parseIndex(scanner: Scanner): JsonOperand | undefined {
  const start = scanner.at;
  scanner.take('-');
  let end = scanner.at;
  const last = start + MAX_NAME_LENGTH + 1;
  while (end < last && isDigit(scanner.text, end)) end += 1;
  const hasDigits = end > scanner.at;
  scanner.advanceTo(end);
  scanner.expect('digit');
  if (!hasDigits || !scanner.countName(start) || !isIndexEnd(scanner)) return undefined;
  return { kind: 'index', digits: scanner.text.slice(start, end) };
}

/**
 * `)` ends an index too, but is not listed in error messages, because clients rely on those (`reading.md` §4.3, §20).
 */
function isIndexEnd(scanner: Scanner): boolean {
  if (scanner.text[scanner.at] === ')') return true;
  return ['->', '::', '.', ','].some((next) => scanner.isBefore(next)) || scanner.isAtEnd();
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function parseKey(scanner: Scanner): JsonOperand | undefined {
  const start = scanner.at;
  const name = scanner.isBefore('"') ? parseQuoted(scanner, MAX_NAME_LENGTH) : parseDashed(scanner, KEY_PIECES);
  if (!scanner.countName(start)) return undefined;
  return name === undefined ? undefined : { kind: 'key', name };
}

function parseKeyPiece(scanner: Scanner): string | undefined {
  const { text, at } = scanner;
  const end = findKeyEnd(text, at);
  const piece = text.slice(at, end).trim();
  if (piece !== '') scanner.advanceTo(end);
  scanner.expect(undefined);
  return piece === '' ? undefined : piece;
}

function findKeyEnd(text: string, from: number): number {
  let end = from;
  const last = Math.min(text.length, from + MAX_NAME_LENGTH + 1);
  while (end < last && IS_RESERVED_IN_KEY[text.charCodeAt(end)] !== true) end += 1;
  return end;
}

const KEY_PIECES: PieceRule = { findEnd: findKeyEnd, parse: parseKeyPiece };

/** By character code. Includes NUL as in quoted names, because the last key of a path becomes the name of an output column. */
const IS_RESERVED_IN_KEY: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '(-:.,>)\0'.includes(String.fromCharCode(code)),
);
