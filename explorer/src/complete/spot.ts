// What the grammar expects at a position in the URL, independent of the schema. `locateSpot` finds it.
import type { EmbedChain, EmbedHead } from './embed-outline.ts';

/** The text to replace, as offsets in the URL. */
export interface SpotText {
  readonly from: number;
  readonly to: number;
  /** The text before the caret, decoded and without quotes. */
  readonly typed: string;
  /** The whole text. */
  readonly whole: string;
  /** The following character; `''` at the end. */
  readonly next: string;
}

/** A field: its column, and whether it has a path. */
export interface SpotField {
  readonly column: string;
  readonly arrow: '->' | '->>' | undefined;
}

/** The context of an operation, which determines how its text is quoted. */
export type Within = 'parameter' | 'group' | 'list';

export type Spot = SpotText & SpotMeaning;

/** A meaning and its text, as offsets in the decoded text of a URL piece. */
export interface LocalSpot {
  readonly from: number;
  readonly to: number;
  readonly meaning: SpotMeaning;
}

export type SpotMeaning =
  /** The name of a relation or function. */
  | { readonly kind: 'path' }
  /** The name of a parameter, or its last part. `level` is undefined if its path leads nowhere. */
  | { readonly kind: 'parameter'; readonly level: SpotLevel | undefined; readonly isNegated: boolean }
  /** A column or embed in `select`. `others` are the other items of the list. */
  | { readonly kind: 'selectName'; readonly level: SpotLevel; readonly others: readonly string[] }
  | { readonly kind: 'alias' }
  | { readonly kind: 'cast' }
  | { readonly kind: 'aggregate' }
  | { readonly kind: 'hint'; readonly level: SpotLevel; readonly target: string }
  | { readonly kind: 'jsonKey' }
  /** `shown` are the columns of an embed that rows can be ordered by; undefined for all. */
  | {
      readonly kind: 'orderName';
      readonly level: SpotLevel | undefined;
      readonly canRelate: boolean;
      readonly shown?: readonly string[] | undefined;
    }
  | { readonly kind: 'direction'; readonly given: readonly string[] }
  /** A column of `distinct` or `score`. */
  | { readonly kind: 'columnName'; readonly level: SpotLevel | undefined; readonly parameter: 'distinct' | 'score' }
  | (SpotOperation & { readonly kind: 'measure' })
  | { readonly kind: 'condition'; readonly level: SpotLevel | undefined; readonly isNegated: boolean }
  | (SpotOperation & { readonly kind: 'operator'; readonly isNegated: boolean })
  | { readonly kind: 'quantifier'; readonly operator: string }
  | { readonly kind: 'language' }
  | (SpotOperation & { readonly kind: 'value'; readonly operator: string })
  | { readonly kind: 'count'; readonly name: 'limit' | 'offset' };

export interface SpotOperation {
  readonly level: SpotLevel | undefined;
  readonly field: SpotField;
  readonly within: Within;
}

export interface SpotLevel {
  readonly chain: EmbedChain;
  /** The embeds of the level. */
  readonly embeds: readonly EmbedHead[];
}
