// Parses names and types in the query string, quoted or bare (`reading.md` §3.1).
import { attempt, label, type Parser } from './combinators.ts';
import { MAX_NAME_LENGTH } from './query-limits.ts';
import type { Scanner } from './scanner.ts';
import { dropBackslashes } from '../../util/ascii-text.ts';

const ASCII_NAME_CHARACTER = /[A-Za-z0-9_$ ]/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER = /\p{L}/u;
const isAsciiNameCharacter: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  ASCII_NAME_CHARACTER.test(String.fromCodePoint(code)),
);

/**
 * All alternatives of an item begin with the same name, so it is cached, unless a failure at its end must be explained.
 */
export function parseName(scanner: Scanner): string | undefined {
  const { lastName } = scanner;
  if (scanner.exceeded !== undefined) return undefined;
  if (lastName.start === scanner.at && lastName.end < scanner.explainFrom) {
    scanner.advanceTo(lastName.end);
    return lastName.value;
  }
  const start = scanner.at;
  const value = label(scanner, 'field name (* or [a..z0..9_$])', parseQuotedOrBareName);
  if (!scanner.countName(start)) return undefined;
  if (value !== undefined) scanner.lastName = { start, end: scanner.at, value };
  return value;
}

/** Parses the name of a type or text search configuration: letters, digits, `_`, `$` and inner spaces. */
export function parseTypeName(scanner: Scanner): string | undefined {
  const { text, at } = scanner;
  const end = findNameEnd(text, at);
  const piece = text.slice(at, end).trim();
  if (piece !== '') scanner.advanceTo(end);
  scanner.expect('letter');
  scanner.expect('digit');
  return piece === '' ? undefined : piece;
}

/**
 * Parses double-quoted text, in which a backslash escapes the next character.
 *
 * @param maxLength characters after which the text counts as unclosed
 */
export function parseQuoted(scanner: Scanner, maxLength: number = Infinity): string | undefined {
  if (!scanner.take('"')) return undefined;
  const { text, at } = scanner;
  const end = findQuotedEnd(text, at, maxLength);
  scanner.advanceTo(end);
  scanner.expect(undefined);
  if (scanner.take('\\')) {
    scanner.expect(undefined);
    return undefined;
  }
  return scanner.take('"') ? dropBackslashes(text.slice(at, end)) : undefined;
}

/** How the pieces between the dashes of a name are parsed. */
export interface PieceRule {
  /** Returns the end of the piece that begins at a position. */
  readonly findEnd: (text: string, from: number) => number;
  readonly parse: Parser<string>;
}

/** Parses pieces joined by dashes; a dash that begins an arrow ends the last piece. */
export function parseDashed(scanner: Scanner, rule: PieceRule): string | undefined {
  const start = scanner.at;
  scanner.advanceTo(findLastPiece(scanner.text, start, rule));
  const skipped = trimPieces(scanner.text.slice(start, scanner.at));
  let value = rule.parse(scanner);
  // Without a dash, the name ends, unless a failure is being explained.
  while (
    scanner.at - start <= MAX_NAME_LENGTH &&
    value !== undefined &&
    (scanner.at >= scanner.explainFrom || scanner.text[scanner.at] === '-') &&
    attempt(scanner, parseDash)
  ) {
    const piece = rule.parse(scanner);
    value = piece && `${value}-${piece}`;
  }
  return value && skipped + value;
}

/**
 * Returns the start of the last piece that contains more than blanks. No failure lies before it, and names can have half
 * a million pieces.
 */
function findLastPiece(text: string, start: number, { findEnd }: PieceRule): number {
  let last = start;
  for (let at = start; at - start <= MAX_NAME_LENGTH;) {
    const end = findEnd(text, at);
    if (text.slice(at, end).trim() === '') break;
    last = at;
    if (text[end] !== '-') break;
    at = end + 1;
  }
  return last;
}

const BLANK_BESIDE_DASH = /^\s|\s-|-\s/u;

function trimPieces(pieces: string): string {
  if (!BLANK_BESIDE_DASH.test(pieces)) return pieces;
  return pieces
    .split('-')
    .map((piece) => piece.trim())
    .join('-');
}

function parseQuotedOrBareName(scanner: Scanner): string | undefined {
  return scanner.isBefore('"') ? parseQuoted(scanner, MAX_NAME_LENGTH) : parseDashed(scanner, NAME_PIECES);
}

function parseDash(scanner: Scanner): true | undefined {
  return (scanner.take('-') && scanner.isNotBefore('>')) || undefined;
}

function findNameEnd(text: string, from: number): number {
  let end = from;
  const last = Math.min(text.length, from + MAX_NAME_LENGTH + 1);
  while (end < last) {
    const code = text.charCodeAt(end);
    if (code < 128) {
      if (isAsciiNameCharacter[code] !== true) break;
      end += 1;
    } else {
      const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
      if (!LETTER.test(character)) break;
      end += character.length;
    }
  }
  return end;
}

const NAME_PIECES: PieceRule = { findEnd: findNameEnd, parse: parseTypeName };

/**
 * Returns the position of the closing quote, or where the text cannot continue: at its end or the maximum length, at a backslash that escapes
 * nothing, or at NUL, because no PostgreSQL identifier contains it and it would truncate the text of a statement.
 */
function findQuotedEnd(text: string, from: number, maxLength: number): number {
  const last = Math.min(text.length, from + maxLength);
  let end = from;
  while (end < last) {
    const code = text.charCodeAt(end);
    if (code === QUOTE || code === 0) return end;
    if (code !== BACKSLASH) end += 1;
    else if (end + 1 < text.length && text.charCodeAt(end + 1) !== 0) end += 2;
    else return end;
  }
  return last;
}
