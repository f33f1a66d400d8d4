// Limits of one query string; exceeding one is a `limitExceeded` error. They carry the extensions of the grammar to every
// parser.
import type { Extension } from '../../contract/extensions.ts';

import type { ApiError } from '../../errors/api-error.ts';

export interface QueryLimits {
  /** The enabled extensions of the grammar; undefined: none. */
  readonly extensions?: readonly Extension[];
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
}

export type CountedLimit = 'embeds' | 'selectItems' | 'orderTerms';
export type LimitName = CountedLimit | 'brackets' | 'embedDepth' | 'logicDepth' | 'pathSteps';

/** An exceeded limit, as worded in the error. */
export interface ExceededLimit {
  readonly limit: string;
  /** The option that sets the limit. */
  readonly option: string;
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
  }
}

const OPENING = /[([{]/gu;

/** Values no longer than the limit need no counting. */
export function hasBracketsBeyond(limit: number, value: string): boolean {
  return value.length > limit && (value.match(OPENING)?.length ?? 0) > limit;
}

export function urlTooLong(limit: number): ApiError {
  return { kind: 'limitExceeded', limit: `URLs have up to ${limit} characters`, option: 'url-max-length', status: 414 };
}
