// Parses names and types in the query string, quoted or bare (`reading.md` §3.1).
import { attempt, label, type Parser } from './combinators.ts';
import { MAX_NAME_LENGTH } from './query-limits.ts';
import type { Scanner } from './scanner.ts';

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

/** Parses double-quoted text, in which a backslash escapes the next character. */
export function parseQuoted(scanner: Scanner): string | undefined {
  if (!scanner.take('"')) return undefined;
  const { text } = scanner;
  let value = '';
  for (;;) {
    const end = findQuotedEnd(text, scanner.at);
    value += text.slice(scanner.at, end);
    scanner.advanceTo(end);
    scanner.expect(undefined);
    if (!scanner.take('\\')) return scanner.take('"') ? value : undefined;
    const escaped = text.codePointAt(scanner.at);
    if (escaped === undefined || escaped === 0) {
      scanner.expect(undefined);
      return undefined;
    }
    const character = String.fromCodePoint(escaped);
    value += character;
    scanner.advanceTo(scanner.at + character.length);
  }
}

/** Parses pieces joined by dashes; a dash that begins an arrow ends the last piece. */
export function parseDashed(scanner: Scanner, parsePiece: Parser<string>): string | undefined {
  const start = scanner.at;
  let value = parsePiece(scanner);
  while (
    scanner.at - start <= MAX_NAME_LENGTH &&
    value !== undefined &&
    mayContinue(scanner) &&
    attempt(scanner, parseDash)
  ) {
    const piece = parsePiece(scanner);
    value = piece && `${value}-${piece}`;
  }
  return value;
}

function parseQuotedOrBareName(scanner: Scanner): string | undefined {
  return scanner.isBefore('"') ? parseQuoted(scanner) : parseDashed(scanner, parseTypeName);
}

/** Whether a dash follows, if no failure is being explained. */
function mayContinue({ text, at, explainFrom }: Scanner): boolean {
  return at >= explainFrom || text[at] === '-';
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

/** Stops at NUL too: no PostgreSQL identifier contains it, and it would truncate the text of a statement. */
function findQuotedEnd(text: string, from: number): number {
  let end = from;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === QUOTE || code === BACKSLASH || code === 0) return end;
  }
  return end;
}
