// The names of filter operators and aggregate functions. What each operator compares in SQL: `sql/levels/condition.ts`.

/** May be followed by `(any)` or `(all)`. */
export const QUANTIFIABLE_OPERATORS = ['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'] as const;
export const SIMPLE_OPERATORS = ['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const;
/** With the extension `compare`, may be followed by `(column)` or `(parent)`. */
export const COLUMN_OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'isdistinct',
  'cs',
  'cd',
  'ov',
] as const;
/** May be followed by the name of a text search configuration. */
export const FULL_TEXT_OPERATORS = ['fts', 'plfts', 'phfts', 'wfts'] as const;
/** Compare with literal text, without wildcards; belong to the extension `text`. May be followed by `(any)` or `(all)`. */
export const TEXT_OPERATORS = ['starts', 'ends', 'has', 'istarts', 'iends', 'ihas'] as const;
/** Operators with a grammar of their own. */
const SPECIAL_OPERATORS = ['in', 'is', 'isdistinct'] as const;

export type QuantifiableOperator = (typeof QUANTIFIABLE_OPERATORS)[number];
export type SimpleOperator = (typeof SIMPLE_OPERATORS)[number];
export type FullTextOperator = (typeof FULL_TEXT_OPERATORS)[number];
export type ColumnOperator = (typeof COLUMN_OPERATORS)[number];
export type TextOperator = (typeof TEXT_OPERATORS)[number];
export type SpecialOperator = (typeof SPECIAL_OPERATORS)[number];

export const OPERATOR_NAMES: readonly string[] = [
  ...QUANTIFIABLE_OPERATORS,
  ...SIMPLE_OPERATORS,
  ...FULL_TEXT_OPERATORS,
  ...SPECIAL_OPERATORS,
];

/** Measures of how far a value is from another, other than text search (`beyond.md` §1.10). */
export const DISTANCE_MEASURES = ['l2', 'cosine', 'l1', 'ip', 'trgm', 'distance'] as const;
export type DistanceMeasure = (typeof DISTANCE_MEASURES)[number];

/** The names of aggregate functions in the grammar. */
export const AGGREGATES = ['sum', 'avg', 'count', 'max', 'min'] as const;
/** Belong to the extension `aggregates`. */
export const FURTHER_AGGREGATES = ['stddev', 'variance', 'median', 'bool_and', 'bool_or', 'array_agg'] as const;
