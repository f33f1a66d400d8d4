// Escapes text from clients for log lines: control characters (C0, DEL, C1), Unicode line separators and bidirectional
// controls, so that it can neither forge lines nor affect a terminal.

const UNSAFE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;
const ALL_UNSAFE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;
const UNSAFE_IN_QUOTES = /["\\\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;
const ALL_UNSAFE_IN_QUOTES = /["\\\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** Escapes a part of an access log line, quoted or not. */
export function escapeQuoted(text: string): string {
  return UNSAFE_IN_QUOTES.test(text) ? text.replaceAll(ALL_UNSAFE_IN_QUOTES, escapeInQuotes) : text;
}

/** Escapes a whole line without changing the meaning of JSON in it. */
export function escapeLine(line: string): string {
  return UNSAFE.test(line) ? line.replaceAll(ALL_UNSAFE, escapeCode) : line;
}

/** Escapes a text of several lines for a terminal. Names in it must not contain line breaks. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

function escapeInQuotes(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : escapeCode(character);
}

function escapeCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
