// Splits a list item or a parameter name into names and separators.
import { type OutlineItem, skipQuoted } from './outline.ts';

export interface Token {
  /** The preceding separator; `''` for the first token, `)` after parentheses. */
  readonly separator: string;
  readonly from: number;
  readonly to: number;
}

const SEPARATORS = ['...', '->>', '->', '::', ':', '!', '.'] as const;

/** Returns at least one token; names may be empty. */
export function tokensOf(text: string, { from, to, groups }: OutlineItem): readonly Token[] {
  const tokens: Token[] = [];
  let separator = '';
  let start = from;
  let at = from;
  const cut = (next: string, behind: number): void => {
    tokens.push({ separator, from: start, to: at });
    separator = next;
    start = at = behind;
  };
  while (at < to) {
    const group = groups.find((one) => one.from === at);
    const found = SEPARATORS.find((one) => text.startsWith(one, at));
    if (group !== undefined) cut(')', group.to);
    else if (found !== undefined) cut(found, at + found.length);
    else at = text[at] === '"' && at === start ? skipQuoted(text, at) : at + 1;
  }
  tokens.push({ separator, from: start, to: Math.max(start, to) });
  // Drop the empty name before the dots of a spread.
  return tokens[1]?.separator === '...' && tokens[0]?.from === tokens[0]?.to ? tokens.slice(1) : tokens;
}

/** Returns the last token that begins at or before the offset. */
export function tokenIndexAt(tokens: readonly Token[], offset: number): number {
  return Math.max(
    0,
    tokens.findLastIndex(({ from }) => from <= offset),
  );
}

/** Strips surrounding whitespace or quotes from a name; the closing quote may be missing. */
export function readName(written: string): string {
  const text = written.trim();
  if (!text.startsWith('"')) return text;
  const isClosed = skipQuoted(text, 0) === text.length && text.length > 1 && text.endsWith('"');
  return text.slice(1, isClosed ? -1 : undefined).replaceAll(/\\(.)/gu, '$1');
}
