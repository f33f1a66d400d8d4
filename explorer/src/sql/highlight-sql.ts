// Splits SQL into parts for syntax highlighting.
import type { HighlightedPart, PartKind } from '../editor/highlighted-part.ts';
import { readSql, type SqlToken } from './sql-tokens.ts';
import { CONSTANTS, KEYWORDS } from './words.ts';

/** Longer texts are not highlighted, to keep typing fast. */
const MAX_LENGTH = 100_000;

export function highlightSql(text: string): readonly HighlightedPart[] {
  if (text.length > MAX_LENGTH) return [];
  return readSql(text).map((token) => ({ from: token.from, to: token.to, kind: kindOf(token) }));
}

function kindOf({ kind, text }: SqlToken): PartKind {
  switch (kind) {
    case 'word': {
      const word = text.toLowerCase();
      if (CONSTANTS.has(word)) return 'constant';
      return KEYWORDS.has(word) ? 'keyword' : 'name';
    }
    case 'quoted':
      return 'name';
    case 'comment':
      return 'constant';
    case 'string':
    case 'number':
    case 'mark':
      return kind;
  }
}
