// Splits a request URL into parts for syntax highlighting. Text between the parts is not highlighted.
import { OPERATOR_NAMES } from '../../../src/contract/operators.ts';
import { splitUrl, type UrlPiece } from '../url-state/split-url.ts';

export type UrlPartKind = 'path' | 'mark' | 'name' | 'keyword' | 'operator' | 'string' | 'number' | 'constant';

export interface UrlPart {
  readonly from: number;
  readonly to: number;
  readonly kind: UrlPartKind;
}

/** Returns the parts in order, without overlaps. */
export function highlightUrl(url: string): readonly UrlPart[] {
  const { path, queryFrom, parameters } = splitUrl(url);
  const parts: UrlPart[] = [{ from: path.from, to: path.to, kind: 'path' }];
  if (queryFrom !== undefined) parts.push(mark(queryFrom - 1));
  for (const { name, value } of parameters) {
    if (name.from !== queryFrom) parts.push(mark(name.from - 1));
    parts.push(...highlightPiece(url, name, IN_NAMES));
    if (value === undefined) continue;
    parts.push(mark(value.from - 1), ...highlightPiece(url, value, wordsOf(name.text)));
  }
  return parts.filter(({ from, to }) => from < to);
}

function mark(from: number): UrlPart {
  return { from, to: from + 1, kind: 'mark' };
}

type Pattern = readonly [kind: UrlPartKind, source: string];

const QUOTED: Pattern = ['string', String.raw`(?:"|%22)(?:\\.|(?!"|%22).)*(?:"|%22|$)`];
const MARKS: Pattern = ['mark', String.raw`->>?|\.\.\.|::|[(),.:!*{}]`];
const OPERATORS: Pattern = [
  'operator',
  String.raw`(?<=^|\.|[(,]not)(?:not(?=\.)|(?:${OPERATOR_NAMES.join('|')})(?=[.(]))(?:\((?:any|all)\))?`,
];
const CONSTANTS: Pattern = ['constant', String.raw`(?<=[.(,])(?:null|not_null|true|false|unknown)(?=$|[,)])`];
const NUMBERS: Pattern = ['number', String.raw`(?<=^|[.(,{])[+-]?\d+(?:\.\d+)?(?=$|[,)}])`];
const WORDS = String.raw`[^\s(),.:!*{}"&=+-]+(?:-(?!>)[^\s(),.:!*{}"&=+-]+)*`;
const NAMES: Pattern = ['name', WORDS];

const IN_NAMES = compile([
  ['string', QUOTED[1]],
  [
    'keyword',
    String.raw`(?<=^|\.)(?:select|order|limit|offset|columns|on_conflict|and|or)$|(?<=^|\.)not(?=\.(?:and|or)$)`,
  ],
  MARKS,
  NAMES,
]);
const IN_LISTS = compile([
  QUOTED,
  ['operator', String.raw`(?<=\.)(?:sum|avg|count|min|max)(?=\(\))|(?<=^|[(,:])count(?=\(\))`],
  ['keyword', String.raw`(?<=!)(?:inner|left)(?=[!(])|(?<=\.)(?:asc|desc|nullsfirst|nullslast)(?=$|[,.])`],
  ['constant', String.raw`(?<=::)[\w ]+`],
  MARKS,
  NAMES,
]);
const IN_GROUPS = compile([
  QUOTED,
  ['keyword', String.raw`(?<=[(,])(?:not\.)?(?:and|or)(?=\()`],
  OPERATORS,
  CONSTANTS,
  NUMBERS,
  MARKS,
  ['name', String.raw`(?<=[(,])${WORDS}(?=\.|->)`],
]);
const IN_VALUES = compile([OPERATORS, CONSTANTS, NUMBERS, QUOTED, MARKS]);

function wordsOf(name: string): Compiled {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (name === 'select' || last === 'order') return IN_LISTS;
  return last === 'and' || last === 'or' ? IN_GROUPS : IN_VALUES;
}

interface Compiled {
  readonly kinds: readonly UrlPartKind[];
  readonly pattern: RegExp;
}

/** The first matching pattern wins. Patterns must not have capturing groups. */
function compile(patterns: readonly Pattern[]): Compiled {
  const sources = patterns.map(([, source]) => `(${source})`);
  return { kinds: patterns.map(([kind]) => kind), pattern: new RegExp(sources.join('|'), 'gu') };
}

function highlightPiece(url: string, { from, to }: UrlPiece, { kinds, pattern }: Compiled): readonly UrlPart[] {
  return Array.from(url.slice(from, to).matchAll(pattern), (match): UrlPart => {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)] ?? 'mark';
    return { from: from + match.index, to: from + match.index + match[0].length, kind };
  });
}
