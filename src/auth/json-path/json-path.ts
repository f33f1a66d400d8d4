// A parsed JSONPath (RFC 9535) with the one function `search`. It keeps what is needed to print it as it was written,
// but for quotes and blanks.

export interface JsonPath {
  /** `$`: the whole document; `@`: the node that a filter looks at. */
  readonly root: '$' | '@';
  readonly segments: readonly Segment[];
}

export interface Segment {
  /** `..`: applies to the node and everything below it. */
  readonly isDescendant: boolean;
  /** `dot`: one name or wildcard without brackets. */
  readonly style: 'dot' | 'brackets';
  readonly selectors: readonly Selector[];
}

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'index'; readonly index: number }
  | SliceSelector
  | { readonly kind: 'filter'; readonly condition: Condition };

export interface SliceSelector {
  readonly kind: 'slice';
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'or' | 'and'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not' | 'group'; readonly operand: Condition }
  | {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'exists'; readonly path: JsonPath }
  | { readonly kind: 'search'; readonly subject: Operand; readonly pattern: Operand };

/** In a comparison and in `search`, a path gives at most one node. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly path: JsonPath };
