// A part of a text with the kind that determines its color.

export type PartKind = 'path' | 'mark' | 'name' | 'keyword' | 'operator' | 'string' | 'number' | 'constant';

export interface HighlightedPart {
  readonly from: number;
  readonly to: number;
  readonly kind: PartKind;
}

export type PartPattern = readonly [kind: PartKind, source: string];

export interface PartPatterns {
  readonly kinds: readonly PartKind[];
  readonly pattern: RegExp;
}

/** The first matching pattern wins. Patterns must not have capturing groups. */
export function compilePatterns(patterns: readonly PartPattern[]): PartPatterns {
  const sources = patterns.map(([, source]) => `(${source})`);
  return { kinds: patterns.map(([kind]) => kind), pattern: new RegExp(sources.join('|'), 'gu') };
}

/** @param start where `text` begins in the whole text */
export function findParts(text: string, { kinds, pattern }: PartPatterns, start = 0): readonly HighlightedPart[] {
  return Array.from(text.matchAll(pattern), (match): HighlightedPart => {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)] ?? 'mark';
    return { from: start + match.index, to: start + match.index + match[0].length, kind };
  });
}
