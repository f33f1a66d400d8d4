// What the grammar expects at a place of the URL, whatever the schema: found by `locateSpot`, filled by the offers.
import type { EmbedChain, EmbedHead } from './embed-outline.ts';

/** Where text is replaced: offsets in the URL. */
export interface SpotText {
  readonly from: number;
  readonly to: number;
  /** What stands there up to the caret, decoded and without quotes. */
  readonly typed: string;
  /** All that stands there. */
  readonly whole: string;
  /** The character behind it; `''` at the end. */
  readonly next: string;
}

/** Of a field: the column, and whether a path leads into it. */
export interface SpotField {
  readonly column: string;
  readonly arrow: '->' | '->>' | undefined;
}

/** Where an operation stands: its text is quoted otherwise in a group or a list than alone. */
export type Within = 'parameter' | 'group' | 'list';

export type Spot = SpotText & SpotMeaning;

/** A meaning and the text it is of: offsets in the decoded text of a piece of the URL. */
export interface LocalSpot {
  readonly from: number;
  readonly to: number;
  readonly meaning: SpotMeaning;
}

export type SpotMeaning =
  /** Of a relation or a function. */
  | { readonly kind: 'path' }
  /** The name of a parameter, or its last part. `level`: undefined where its path leads nowhere. */
  | { readonly kind: 'parameter'; readonly level: SpotLevel | undefined; readonly isNegated: boolean }
  /** A column, or an embed where `select` has it. `others`: what the list has besides. */
  | { readonly kind: 'selectName'; readonly level: SpotLevel; readonly others: readonly string[] }
  | { readonly kind: 'alias' }
  | { readonly kind: 'cast' }
  | { readonly kind: 'aggregate' }
  | { readonly kind: 'hint'; readonly level: SpotLevel; readonly target: string }
  | { readonly kind: 'jsonKey' }
  /** `shown`: of an embed, those of its columns that one can order by; undefined: all. */
  | {
      readonly kind: 'orderName';
      readonly level: SpotLevel | undefined;
      readonly canRelate: boolean;
      readonly shown?: readonly string[] | undefined;
    }
  | { readonly kind: 'direction'; readonly given: readonly string[] }
  | { readonly kind: 'condition'; readonly level: SpotLevel | undefined; readonly isNegated: boolean }
  | (SpotOperation & { readonly kind: 'operator'; readonly isNegated: boolean })
  | { readonly kind: 'quantifier' }
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
  /** What is embedded there. */
  readonly embeds: readonly EmbedHead[];
}
