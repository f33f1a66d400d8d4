// Parses strings of the configuration file: escapes (`operating.md` §1.2) and the interpolation of `$(name)` and `$$`.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ConfigCursor } from './config-cursor.ts';

const PLAIN = /[^"\\]+/y;
const HEXADECIMAL = /[0-9A-Fa-f]{4}/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\t', '\t'],
  ['\\r', '\r'],
  ['\\"', '"'],
  ['\\\\', '\\'],
]);

/** Parses the string literal at the cursor and resolves its escapes; variables such as `$NAME` are resolved later. */
export function parseStringLiteral(cursor: ConfigCursor): string {
  const start = cursor.offset;
  cursor.expect('"');
  const parts: string[] = [];
  while (!cursor.isAtEnd && !cursor.startsWith('"')) {
    parts.push(cursor.match(PLAIN) ?? parseEscape(cursor));
  }
  if (!cursor.take('"')) cursor.fail('unterminated string', start);
  const text = parts.join('');
  if (/\p{Surrogate}/u.test(text)) cursor.fail('incomplete surrogate pair in string', start);
  return text;
}

function parseEscape(cursor: ConfigCursor): string {
  const start = cursor.offset;
  for (const [escape, character] of ESCAPES) {
    if (cursor.take(escape)) return character;
  }
  const digits = cursor.take('\\u') ? cursor.match(HEXADECIMAL) : undefined;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  cursor.fail('invalid escape sequence in string', start);
  return '';
}

const DOLLAR = /\$(?:\$|\(([^)]*)\))?/g;

/** Replaces each `$(name)` with the result of `lookUp` and each `$$` with `$`. */
export function interpolate(text: string, lookUp: (name: string) => string | undefined): Result<string, string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(DOLLAR)) {
    const name = match[1];
    if (match[0] === '$') return fail('a $ must be followed by $ or by a name in parentheses');
    const replacement = name === undefined ? '$' : lookUp(name);
    if (replacement === undefined) return fail(`no such variable: '${name}'`);
    parts.push(text.slice(end, match.index), replacement);
    end = match.index + match[0].length;
  }
  return ok([...parts, text.slice(end)].join(''));
}

/**
 * Quotes text for the configuration file (`operating.md` §2.1 item 6) so that the file parser reads it back unchanged.
 */
export function quoteConfigText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('$', () => '$$');
  return `"${escaped}"`;
}
