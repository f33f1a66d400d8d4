// Splits a line of JSON into tokens for syntax highlighting.

export type TokenKind = 'key' | 'string' | 'number' | 'word' | 'mark';

export interface JsonToken {
  readonly kind: TokenKind;
  readonly text: string;
}

const PIECE =
  /(?<key>"[^"\\]*(?:\\.[^"\\]*)*"\s*:)|(?<string>"[^"\\]*(?:\\.[^"\\]*)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<word>\w+)|(?<mark>[^\s"\w])/gsu;

export function tokenizeLine(line: string): readonly JsonToken[] {
  return [...line.matchAll(PIECE)].flatMap(({ groups = {} }) => toTokens(groups));
}

function toTokens({ key, string, number, word, mark }: Readonly<Record<string, string | undefined>>): JsonToken[] {
  if (key !== undefined) {
    const name = key.slice(0, -1).trimEnd();
    return [
      { kind: 'key', text: name },
      { kind: 'mark', text: ': ' },
    ];
  }
  if (string !== undefined) return [{ kind: 'string', text: string }];
  if (number !== undefined) return [{ kind: 'number', text: number }];
  if (word !== undefined) return [{ kind: 'word', text: word }];
  return mark === undefined ? [] : [{ kind: 'mark', text: mark === ',' ? ', ' : mark }];
}
