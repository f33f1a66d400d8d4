// Parses a connection string of key=value pairs (`host=a port='5432'`). Pure.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE
import { fail, ok, type Result } from '../../contract/result.ts';

const SPACE = /[ \t\n\r\f\v]/;

interface Token {
  readonly value: string;
  readonly end: number;
}

export function parseKeywordValues(text: string): Result<Map<string, string>, string> {
  const pairs = new Map<string, string>();
  let offset = skipSpace(text, 0);
  while (offset < text.length) {
    const keyword = readKeyword(text, offset);
    offset = skipSpace(text, keyword.end);
    // Do not quote the word: it may be the second half of an unquoted password.
    if (text[offset] !== '=') return fail('missing "=" after an option of the connection string');
    offset = skipSpace(text, offset + 1);
    const value = text[offset] === "'" ? readQuoted(text, offset + 1) : readBare(text, offset);
    if (value === undefined) return fail('unterminated quoted string in the connection string');
    pairs.set(keyword.value, value.value);
    offset = skipSpace(text, value.end);
  }
  return ok(pairs);
}

function skipSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && SPACE.test(text.charAt(offset))) offset += 1;
  return offset;
}

function readKeyword(text: string, from: number): Token {
  let end = from;
  while (end < text.length && text[end] !== '=' && !SPACE.test(text.charAt(end))) end += 1;
  return { value: text.slice(from, end), end };
}

function readBare(text: string, from: number): Token {
  let value = '';
  let offset = from;
  while (offset < text.length && !SPACE.test(text.charAt(offset))) {
    if (text[offset] === '\\') offset += 1;
    value += text.charAt(offset);
    offset += 1;
  }
  return { value, end: offset };
}

function readQuoted(text: string, from: number): Token | undefined {
  let value = '';
  let offset = from;
  while (offset < text.length) {
    if (text[offset] === "'") return { value, end: offset + 1 };
    if (text[offset] === '\\') offset += 1;
    value += text.charAt(offset);
    offset += 1;
  }
  return undefined;
}
