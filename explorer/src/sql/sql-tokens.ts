// Splits SQL into tokens, as far as highlighting and completion need them.
import { skipQuoting } from '../../../src/util/skip-quoting.ts';

export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'comment' | 'mark';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const BLANKS = /\s+/uy;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?/iuy;

export function readSql(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let at = matchEnd(BLANKS, text, 0); at < text.length;) {
    const { kind, to } = readToken(text, at);
    tokens.push({ kind, text: text.slice(at, to), from: at, to });
    at = matchEnd(BLANKS, text, to);
  }
  return tokens;
}

function readToken(text: string, at: number): Pick<SqlToken, 'kind' | 'to'> {
  const quoted = skipQuoting(text, at);
  if (quoted !== undefined) {
    const kind = quoted.kind === 'comment' ? 'comment' : text[at] === '"' ? 'quoted' : 'string';
    return { kind, to: quoted.end };
  }
  const word = matchEnd(WORD, text, at);
  if (word > at) return { kind: 'word', to: word };
  const number = matchEnd(NUMBER, text, at);
  return number > at ? { kind: 'number', to: number } : { kind: 'mark', to: at + 1 };
}

/** Returns `at` if nothing matches there. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns the name that a word or a quoted identifier stands for, or undefined for another token. */
export function nameOf(token: SqlToken | undefined): string | undefined {
  if (token?.kind === 'word') return token.text.toLowerCase();
  return token?.kind === 'quoted' ? token.text.replaceAll('"', '') : undefined;
}
