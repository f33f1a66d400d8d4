// Bounds of what one query string may ask for; beyond them the answer is a `limitExceeded` error.

export interface QueryLimits {
  /** Opening brackets in one value: at most as deep can JSON, arrays and search texts nest that PostgreSQL reads there. */
  readonly brackets: number;
  /** Levels of embeds below the top level of `select`. */
  readonly embedDepth: number;
  /** Embeds in `select`, on all levels together: PostgreSQL's time to plan grows faster than their number. */
  readonly embeds: number;
  /** Levels of groups in one logic tree, the outermost included. */
  readonly logicDepth: number;
  /** Steps of a path into a JSON value: PostgreSQL's expressions nest as deep. */
  readonly pathSteps: number;
  /** Items of `select`, those of its embeds included; terms of one `order`. */
  readonly selectItems: number;
}

export type CountedLimit = 'embeds' | 'selectItems' | 'orderTerms';
export type LimitName = CountedLimit | 'brackets' | 'embedDepth' | 'logicDepth' | 'pathSteps';

/** A limit that a text goes beyond, in the words of the answer. */
export interface ExceededLimit {
  readonly limit: string;
  /** The option that sets it. */
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

/** Short values are not looked at. */
export function hasBracketsBeyond(limit: number, value: string): boolean {
  return value.length > limit && (value.match(OPENING)?.length ?? 0) > limit;
}
