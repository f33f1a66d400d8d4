// Comments, string constants and quoted names, in which the characters of SQL mean nothing. Unterminated ones
// extend to the end of the script. https://www.postgresql.org/docs/current/sql-syntax-lexical.html

export interface QuotedRegion {
  readonly kind: 'comment' | 'literal';
  /** Position after its last character. */
  readonly end: number;
}

const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** Returns the comment or literal that begins at `start`, if any. `start` must not be inside a word. */
export function skipQuoting(script: string, start: number): QuotedRegion | undefined {
  switch (script.charAt(start)) {
    case '-':
      return script.startsWith('--', start) ? { kind: 'comment', end: findEnd(script, '\n', start) } : undefined;
    case '/':
      return script.startsWith('/*', start) ? { kind: 'comment', end: skipBlockComment(script, start) } : undefined;
    case "'":
    case '"':
      // At a doubled quote, this ends the literal and the next call starts another, which has the same effect.
      return { kind: 'literal', end: findEnd(script, script.charAt(start), start + 1) };
    case 'e':
    case 'E':
      return script.charAt(start + 1) === "'"
        ? { kind: 'literal', end: skipEscapeString(script, start + 2) }
        : undefined;
    case '$': {
      DOLLAR_TAG.lastIndex = start;
      const tag = DOLLAR_TAG.exec(script)?.[0];
      return tag === undefined ? undefined : { kind: 'literal', end: findEnd(script, tag, start + tag.length) };
    }
    default:
      return undefined;
  }
}

function skipEscapeString(script: string, start: number): number {
  const mark = /\\[^]|''|'/g;
  mark.lastIndex = start;
  for (let found = mark.exec(script); found !== null; found = mark.exec(script)) {
    if (found[0] === "'") return mark.lastIndex;
  }
  return script.length;
}

function skipBlockComment(script: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(script); found !== null; found = mark.exec(script)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return script.length;
}

function findEnd(script: string, text: string, from: number): number {
  const position = script.indexOf(text, from);
  return position === -1 ? script.length : position + text.length;
}
