// What the grammar expects at a position in the URL, independent of the schema. `locateSpot` finds it.
import type { EmbedItem, Field } from '../../../src/request/query/query-params.ts';

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
  /** Whether `not.` precedes the text. */
  readonly isNegated: boolean;
}

/** The context of an operation, which determines how its text is quoted. */
export type Within = 'parameter' | 'group' | 'list';

export type Spot = SpotText & SpotMeaning;

export type SpotMeaning =
  /** The name of a relation or function. */
  | { readonly kind: 'path' }
  /** The name of a parameter, or its last part. `level` is undefined if its path leads nowhere. */
  | { readonly kind: 'parameter'; readonly level: SpotLevel | undefined }
  /** A column or embed in `select`. `others` are the names of the other columns, `*` for all. */
  | { readonly kind: 'selectName'; readonly level: SpotLevel; readonly others: readonly string[] }
  | { readonly kind: 'alias' | 'cast' | 'aggregate' | 'jsonKey' | 'language' }
  | { readonly kind: 'hint'; readonly level: SpotLevel; readonly target: string }
  /** `shown` are the columns of an embed that rows can be ordered by; undefined for all. */
  | {
      readonly kind: 'orderName';
      readonly level: SpotLevel | undefined;
      readonly canRelate: boolean;
      readonly shown?: readonly string[] | undefined;
    }
  | { readonly kind: 'direction'; readonly hasDirection: boolean; readonly takesAggregate: boolean }
  /** A column of `distinct` or `score`. */
  | { readonly kind: 'columnName'; readonly level: SpotLevel | undefined; readonly parameter: 'distinct' | 'score' }
  | { readonly kind: 'condition'; readonly level: SpotLevel | undefined }
  | SpotOperation
  | { readonly kind: 'count'; readonly name: 'limit' | 'offset' };

/** A part of an operation. Parts after the spot are arbitrary. */
export interface SpotOperation {
  readonly kind: 'operator' | 'quantifier' | 'measure' | 'value';
  readonly level: SpotLevel | undefined;
  readonly field: Field;
  readonly operator: string;
  /** What the operator has in parentheses. */
  readonly option?: string | undefined;
  readonly within: Within;
}

export interface SpotLevel {
  /** The relationships that lead to the level. */
  readonly chain: readonly Relationship[];
  /** The embeds of the level. */
  readonly embeds: readonly EmbedItem[];
}

export type Relationship = Pick<EmbedItem, 'target' | 'hint'>;
