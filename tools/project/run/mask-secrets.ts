// Hides the string literals of a statement that may hold a password (`project.md` §2 item 7, §7).
import { skipQuoting } from '../../../src/util/skip-quoting.ts';

const SECRETIVE = /password|secret/iu;
const MASK = '***';

export interface Masking {
  /** The statement with `*` for each character of its literals, so that positions stay the same. */
  readonly text: string;
  /** Hides the literals where a message repeats them. */
  mask(message: string): string;
}

/** Leaves a statement alone that names neither a password nor a secret. */
export function maskSecrets(statement: string): Masking {
  if (!SECRETIVE.test(statement)) return { text: statement, mask: (message) => message };
  const literals = findLiterals(statement);
  let text = statement;
  for (const { start, end } of literals) text = text.slice(0, start) + cover(text.slice(start, end)) + text.slice(end);
  const contents = literals
    .map(({ start, end }) => statement.slice(start, end))
    .filter((content) => content.trim() !== '');
  return { text, mask: (message) => contents.reduce((rest, content) => rest.replaceAll(content, MASK), message) };
}

interface Literal {
  /** Of its content, without quotes. */
  readonly start: number;
  readonly end: number;
}

/** Strings in single and dollar quotes; not quoted names. */
function findLiterals(statement: string): readonly Literal[] {
  const literals: Literal[] = [];
  for (let at = 0; at < statement.length;) {
    const quoted = isInsideWord(statement, at) ? undefined : skipQuoting(statement, at);
    if (quoted?.kind === 'literal' && statement.charAt(at) !== '"') literals.push(contentOf(statement, at, quoted.end));
    at = quoted?.end ?? at + 1;
  }
  return literals;
}

/** A letter before it means that `e'` and `$` belong to a word. */
function isInsideWord(statement: string, at: number): boolean {
  return at > 0 && /[\p{L}\p{N}_$]/u.test(statement.charAt(at - 1)) && /[eE$]/u.test(statement.charAt(at));
}

function contentOf(statement: string, start: number, end: number): Literal {
  const [opening = ''] = /^(?:\$[^$]*\$|[eE]?')/u.exec(statement.slice(start)) ?? [];
  const closing = opening.startsWith('$') ? opening.length : 1;
  return { start: start + opening.length, end: Math.max(start + opening.length, end - closing) };
}

function cover(content: string): string {
  return content.replaceAll(/[^\n\r\t]/gu, '*');
}
