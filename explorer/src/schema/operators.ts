// The operators of the grammar, with their labels and the types for which they are useful.
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';
import {
  type FullTextOperator,
  type QuantifiableOperator,
  type SimpleOperator,
  type SpecialOperator,
  TEXT_OPERATORS,
  type TextOperator,
} from '../../../src/contract/operators.ts';

/** The name in the URL. */
export type OperatorName = QuantifiableOperator | SimpleOperator | FullTextOperator | SpecialOperator | TextOperator;

const WORDS: Readonly<Record<OperatorName, string>> = {
  eq: 'equals',
  neq: 'is not',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  like: 'matches the pattern',
  ilike: 'matches the pattern, ignoring case',
  match: 'matches the regular expression',
  imatch: 'matches the regular expression, ignoring case',
  starts: 'starts with the text',
  ends: 'ends with the text',
  has: 'contains the text',
  istarts: 'starts with the text, ignoring case',
  iends: 'ends with the text, ignoring case',
  ihas: 'contains the text, ignoring case',
  in: 'is one of',
  is: 'is null, true …',
  isdistinct: 'is distinct from',
  fts: 'search expression',
  plfts: 'has all the words',
  phfts: 'has the phrase',
  wfts: 'web search',
  cs: 'contains',
  cd: 'is contained in',
  ov: 'overlaps',
  sl: 'is strictly left of',
  sr: 'is strictly right of',
  nxr: 'does not extend right of',
  nxl: 'does not extend left of',
  adj: 'is adjacent to',
};

export function describeOperatorName(name: OperatorName): string {
  return WORDS[name];
}

const EQUALITY = ['eq', 'neq'] as const;
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const;
const PATTERNS = ['like', 'ilike', 'match', 'imatch'] as const;
const SEARCH = ['wfts', 'plfts', 'phfts', 'fts'] as const;
const CONTAINMENT = ['cs', 'cd', 'ov'] as const;
const SIDES = ['sl', 'sr', 'nxr', 'nxl'] as const;
const NULLS = ['is', 'isdistinct'] as const;

const SCALAR: readonly OperatorName[] = [...EQUALITY, ...ORDER, 'in', ...NULLS];
const OF_ARRAYS: readonly OperatorName[] = [...CONTAINMENT, ...EQUALITY, ...NULLS];
/** PostgreSQL has no comparison operators for json, only for jsonb. */
const OF_PLAIN_JSON: readonly OperatorName[] = ['is', ...SEARCH];

const BY_CATEGORY: Readonly<Record<TypeCategory, readonly OperatorName[]>> = {
  number: SCALAR,
  date: SCALAR,
  time: SCALAR,
  timestamp: SCALAR,
  interval: SCALAR,
  uuid: SCALAR,
  enum: SCALAR,
  text: [...EQUALITY, 'in', ...PATTERNS, ...ORDER, ...NULLS, ...SEARCH],
  boolean: ['is', ...EQUALITY, 'isdistinct'],
  json: ['cs', 'cd', ...EQUALITY, ...NULLS, ...SEARCH],
  range: [...CONTAINMENT, ...SIDES, 'adj', ...EQUALITY, ...ORDER, ...NULLS],
  binary: [...EQUALITY, ...NULLS],
  composite: [...EQUALITY, ...NULLS],
  fullText: ['is', ...SEARCH],
  geometry: [...CONTAINMENT, ...SIDES, 'is'],
  other: [...EQUALITY, ...ORDER, 'in', ...PATTERNS, ...CONTAINMENT, ...SIDES, 'adj', ...NULLS, ...SEARCH],
};

/** Lists the most useful operators first. @param type undefined if unknown */
export function operatorNamesFor(type: DescribedType | undefined): readonly OperatorName[] {
  if (type === undefined) return BY_CATEGORY.other;
  if (type.isArray) return OF_ARRAYS;
  return type.name === 'json' ? OF_PLAIN_JSON : BY_CATEGORY[type.category];
}

const SEARCHES: ReadonlySet<OperatorName> = new Set(SEARCH);

export function isSearch(name: OperatorName): name is FullTextOperator {
  return SEARCHES.has(name);
}

const LITERALS: ReadonlySet<OperatorName> = new Set<OperatorName>(TEXT_OPERATORS);

export function isLiteralText(name: OperatorName): name is TextOperator {
  return LITERALS.has(name);
}

const UNQUANTIFIED: ReadonlySet<TypeCategory> = new Set<TypeCategory>([
  'boolean',
  'json',
  'range',
  'fullText',
  'geometry',
  'binary',
  'composite',
]);

/** Lists operators that support the quantifiers any and all. */
export function quantifiedNamesFor({ category, isArray }: DescribedType): readonly QuantifiableOperator[] {
  if (isArray || UNQUANTIFIED.has(category)) return [];
  const compared = ['eq', ...ORDER] as const;
  return category === 'text' || category === 'other' ? [...compared, ...PATTERNS] : compared;
}
