// The operators of each column type, and literals that mostly suit it.
import type { Random } from './random.ts';

const INTEGERS = ['0', '1', '2', '-1', '1990', '1992', '2147483647', '3'];
const TEXTS = [
  'Alba',
  'Brig, II',
  'A*',
  '*r*',
  '%',
  '',
  'null',
  'größe',
  "o'clock",
  'a"b',
  'back\\slash',
  '🚤',
  '(x',
  '$1',
];
const ARRAYS = ['{}', '{red}', '{red,white}', '{1,2}', '{"a,b"}', '{null}'];
const RANGES = ['[1,5)', '(3,10]', 'empty', '[,4)'];
const DOCUMENTS = ['{}', '{"n":3}', '[1,2]', '3', '"steel"', 'null', '{"k":1}'];
const QUERIES = ['fox', 'fox & dog', 'wild', "'the fox'", 'fox:*', 'a or b', '"a b" -c'];
const DATES = ['2020-01-31', '2021-06-01 10:00+00', 'now', 'infinity'];
const JUNK = [
  'abc',
  '',
  '{',
  '[1,',
  '{"a":',
  '99999999999999999999',
  '1e400',
  '\0',
  '\ud7ff',
  ')',
  '(',
  ',',
  '.',
  '"',
  '\\',
  '::',
  '1 ',
  ' 1',
  '{{1},{2}}',
];

const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'];
const PATTERNS = ['like', 'ilike', 'match', 'imatch'];
const LITERALS = ['starts', 'ends', 'has', 'istarts', 'iends', 'ihas'];
const SETS = ['cs', 'cd', 'ov'];
const POSITIONS = ['sl', 'sr', 'nxr', 'nxl', 'adj'];
const SEARCHES = ['fts', 'plfts', 'phfts', 'wfts', 'fts(english)', 'wfts(simple)', 'plfts(klingon)'];
const QUANTIFIED = ['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'has', 'istarts'];
const ALL_OPERATORS: readonly string[] = [...COMPARISONS, ...PATTERNS, ...LITERALS, ...SETS, ...POSITIONS, ...SEARCHES];

export interface Literals {
  readonly operators: readonly string[];
  readonly values: readonly string[];
}

function literalsOf(type: string): Literals {
  if (/int|numeric|double|real/u.test(type) && !type.includes('range') && !type.endsWith('[]'))
    return { operators: COMPARISONS, values: INTEGERS };
  if (type.endsWith('[]')) return { operators: [...COMPARISONS, ...SETS], values: ARRAYS };
  if (type.includes('range')) return { operators: [...COMPARISONS, ...SETS, ...POSITIONS], values: RANGES };
  if (type === 'jsonb') return { operators: [...COMPARISONS, 'cs', 'cd', ...SEARCHES], values: DOCUMENTS };
  if (type === 'json') return { operators: SEARCHES, values: QUERIES };
  if (type === 'tsvector') return { operators: SEARCHES, values: QUERIES };
  if (/date|time/u.test(type)) return { operators: COMPARISONS, values: DATES };
  if (type === 'boolean') return { operators: COMPARISONS, values: ['true', 'false', 't', '1'] };
  return { operators: [...COMPARISONS, ...PATTERNS, ...LITERALS, ...SEARCHES], values: TEXTS };
}

/** Returns for example `not.gte.5`; quotes a value inside a logic tree if required. */
export function randomOperation(random: Random, type: string, isInTree: boolean): string {
  const { operators, values } = literalsOf(type);
  const value = (): string => (random.chance(0.04) ? random.pick(JUNK) : random.pick(values));
  const shown = (text: string): string => (isInTree ? quoteInTree(random, text) : text);
  const not = random.chance(0.15) ? 'not.' : '';
  const kind = random.roll(20);
  if (kind < 3) return `${not}is.${random.pick(['null', 'not_null', 'null', 'NULL', 'true', 'unknown'])}`;
  if (kind < 5) return `${not}in.(${random.list(0, 4, () => quoteInList(random, value())).join(',')})`;
  if (kind < 7) {
    const list = `{${random.list(0, 3, () => quoteInArray(value())).join(',')}}`;
    return `${not}${random.pick(QUANTIFIED)}(${random.pick(['any', 'all'])}).${isInTree ? quoteInTree(random, list) : list}`;
  }
  const operator = random.chance(0.05) ? random.pick(ALL_OPERATORS) : random.pick(operators);
  const isSearch = /fts/u.test(operator);
  return `${not}${operator}.${shown(isSearch ? random.pick(QUERIES) : value())}`;
}

function quoteInList(random: Random, text: string): string {
  return /[,)"\\]/u.test(text) || random.chance(0.2) ? quote(text) : text;
}

function quoteInTree(random: Random, text: string): string {
  if (random.chance(0.02)) return text;
  return /[,)]|^["{]/u.test(text) || random.chance(0.1) ? quote(text) : text;
}

function quoteInArray(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}

/** Quotes a name or value for the query string. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
