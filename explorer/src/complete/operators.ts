// The operators of the grammar: what each means, and for which types it is of use.
import type { DescribedType, TypeCategory } from '../../../src/contract/schema-document.ts';

export interface OperatorWord {
  readonly name: string;
  readonly detail: string;
}

const DETAILS: Readonly<Record<string, string>> = {
  eq: 'is equal to',
  neq: 'is not equal to',
  gt: 'is greater than',
  gte: 'is greater than or equal to',
  lt: 'is less than',
  lte: 'is less than or equal to',
  like: 'fits a pattern, * for any text',
  ilike: 'fits a pattern in any case, * for any text',
  match: 'fits a regular expression',
  imatch: 'fits a regular expression in any case',
  in: 'is one of a list',
  is: 'is null, true, false or unknown',
  isdistinct: 'is different, null counts as a value',
  fts: 'contains words, as a search query has them',
  plfts: 'contains all words of a text',
  phfts: 'contains words as a phrase',
  wfts: 'contains words, as on a search page',
  cs: 'contains all of',
  cd: 'is contained in',
  ov: 'has anything in common with',
  sl: 'lies wholly left of',
  sr: 'lies wholly right of',
  nxr: 'does not reach further right than',
  nxl: 'does not reach further left than',
  adj: 'lies right beside',
};

const EQUALITY = ['eq', 'neq', 'in', 'is', 'isdistinct'];
const COMPARISON = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is', 'isdistinct'];
const PATTERNS = ['ilike', 'like', 'imatch', 'match'];
const SEARCH = ['fts', 'plfts', 'phfts', 'wfts'];
const CONTAINMENT = ['cs', 'cd', 'ov'];
const SIDES = ['sl', 'sr', 'nxr', 'nxl', 'adj'];

const BY_CATEGORY: Readonly<Record<TypeCategory, readonly string[]>> = {
  number: COMPARISON,
  text: ['eq', 'neq', ...PATTERNS, 'in', 'is', ...SEARCH, 'gt', 'gte', 'lt', 'lte', 'isdistinct'],
  boolean: ['is', 'eq', 'neq', 'isdistinct'],
  date: COMPARISON,
  time: COMPARISON,
  timestamp: COMPARISON,
  interval: COMPARISON,
  uuid: EQUALITY,
  json: ['cs', 'cd', ...EQUALITY, ...SEARCH],
  enum: ['eq', 'in', 'neq', 'is', 'gt', 'gte', 'lt', 'lte', 'isdistinct'],
  range: [...CONTAINMENT, ...SIDES, ...EQUALITY],
  binary: EQUALITY,
  fullText: [...SEARCH, 'is'],
  geometry: ['ov', 'cs', 'cd', ...SIDES, ...EQUALITY],
  composite: EQUALITY,
  other: Object.keys(DETAILS),
};

/** Those for a type, the most useful ones first. undefined: the type is not known. */
export function operatorsFor(type: DescribedType | undefined): readonly OperatorWord[] {
  return namesFor(type).map((name) => ({ name, detail: DETAILS[name] ?? '' }));
}

function namesFor(type: DescribedType | undefined): readonly string[] {
  if (type === undefined) return BY_CATEGORY.other;
  return type.isArray ? [...CONTAINMENT, ...EQUALITY] : BY_CATEGORY[type.category];
}
