// Limits of one query string; exceeding one is a `limitExceeded` error. They carry the extensions of the grammar to every
// parser.
import type { EnabledExtensions } from '../../contract/extensions.ts';

import type { ApiError } from '../../errors/api-error.ts';

export interface QueryLimits {
  /** The enabled extensions of the grammar; undefined: none. */
  readonly extensions?: EnabledExtensions;
  /** Whether errors offer no further aggregates, because planning would reject them (`db-aggregates-enabled`). */
  readonly hidesAggregates?: boolean;
  /** Opening brackets in one value; they bound the depth of JSON, arrays and search texts that PostgreSQL parses. */
  readonly brackets: number;
  /** Levels of embeds below the top level of `select`. */
  readonly embedDepth: number;
  /** Embeds in `select` across all levels: PostgreSQL's planning time grows faster than their number. */
  readonly embeds: number;
  /** Nesting depth of groups in one logic tree, including the outermost. */
  readonly logicDepth: number;
  /** Steps of a path into a JSON value; the SQL expression nests as deeply. */
  readonly pathSteps: number;
  /** Items in `select`, including those of embeds; also terms in one `order`. */
  readonly selectItems: number;
  /** Parameters, members of logic trees, terms of orders, names in lists and words of searches, all together. */
  readonly terms: number;
  /** What has been counted; undefined outside of a query string. */
  readonly spent?: SpentTerms;
}

/** Counts what all texts of one query string have together. */
export interface SpentTerms {
  terms: number;
  /** Elements of `in`, `any` and `all` lists. */
  elements: number;
  /** Characters of names. */
  nameLength: number;
  /** Regular expressions. */
  patterns: number;
  /** Full-text filters. */
  searches: number;
  /** Words of the longest search of a score. */
  scoreWords: number;
  /** Characters of the longest text of a `trgm` score. */
  trigramText: number;
}

/** Together these bound the time to parse, plan and render a query to a small part of a second. */
export const MAX_LIST_ELEMENTS = 250_000;
export const MAX_NAME_LENGTH = 1_048_576;

// Together these bound the time that PostgreSQL takes for each row.
/** PostgreSQL keeps this many compiled patterns. With one more, it may compile all of them again for each row. */
export const MAX_PATTERNS = 32;
/** Each may convert the text of the row to a tsvector. */
export const MAX_SEARCHES = 100;
/** `ts_rank_cd` takes time that grows with the square of the words, or their cube if a row repeats all of them. */
export const MAX_SCORE_WORDS = 32;
/** `pg_trgm` computes the trigrams of the compared text again for each row. */
export const MAX_TRIGRAM_TEXT = 10_000;
/** PostgreSQL computes a score again for each use. */
export const MAX_USED_WORDS = 256;
export const MAX_USED_TRIGRAM_TEXT = 40_000;

export function nothingSpent(terms = 0): SpentTerms {
  return { terms, elements: 0, nameLength: 0, patterns: 0, searches: 0, scoreWords: 0, trigramText: 0 };
}

export type CountedLimit = 'embeds' | 'selectItems' | 'orderTerms';
export type LimitName =
  | CountedLimit
  | 'brackets'
  | 'elements'
  | 'embedDepth'
  | 'logicDepth'
  | 'nameLength'
  | 'pathSteps'
  | 'patterns'
  | 'scoreWords'
  | 'searches'
  | 'terms'
  | 'trigramText'
  | 'usedTrigramText'
  | 'usedWords';

/** An exceeded limit, as worded in the error. */
export interface ExceededLimit {
  readonly limit: string;
  /** The option that sets the limit, if there is one. */
  readonly option?: string;
}

export function describeLimit(name: LimitName, limit: number): ExceededLimit {
  switch (name) {
    case 'brackets':
      return { limit: `a value has up to ${limit} opening brackets`, option: 'url-max-brackets' };
    case 'embedDepth':
      return { limit: `embedded resources nest up to ${limit} levels deep`, option: 'url-max-embed-depth' };
    case 'embeds':
      return { limit: `select has up to ${limit} embedded resources`, option: 'url-max-embeds' };
    case 'logicDepth':
      return { limit: `and/or groups nest up to ${limit} levels deep`, option: 'url-max-logic-depth' };
    case 'pathSteps':
      return { limit: `a path into a JSON value has up to ${limit} steps`, option: 'url-max-path-steps' };
    case 'selectItems':
      return { limit: `select has up to ${limit} items`, option: 'url-max-select-items' };
    case 'orderTerms':
      return { limit: `order has up to ${limit} terms`, option: 'url-max-select-items' };
    case 'terms':
      return { limit: `a query has up to ${limit} parameters, conditions and other terms`, option: 'url-max-terms' };
    case 'elements':
      return { limit: `lists have up to ${limit} elements together` };
    case 'nameLength':
      return { limit: `the names in a query have up to ${limit} characters together` };
    case 'patterns':
      return { limit: `a query has up to ${limit} regular expressions; combine alternatives in one, as in a|b` };
    case 'scoreWords':
      return { limit: `the search of a score has up to ${limit} words and punctuation marks` };
    case 'searches':
      return { limit: `a query has up to ${limit} full-text filters and uses of a score` };
    case 'trigramText':
      return { limit: `the text of a trgm score has up to ${limit} characters` };
    case 'usedTrigramText':
      return { limit: `uses of scores times the characters of the longest text of a trgm score are up to ${limit}` };
    case 'usedWords':
      return { limit: `uses of scores times the words of their longest search are up to ${limit}` };
  }
}

const OPENING_BRACKETS = /[([{]/gu;

/** Values no longer than the limit need no counting. */
export function hasBracketsBeyond(limit: number, value: string): boolean {
  if (value.length <= limit) return false;
  let count = 0;
  OPENING_BRACKETS.lastIndex = 0;
  while (count <= limit && OPENING_BRACKETS.test(value)) count += 1;
  return count > limit;
}

export function urlTooLong(limit: number): ApiError {
  return { kind: 'limitExceeded', limit: `URLs have up to ${limit} characters`, option: 'url-max-length', status: 414 };
}
