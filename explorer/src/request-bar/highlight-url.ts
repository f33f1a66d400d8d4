// Splits a request URL into parts for syntax highlighting. Text between the parts is not highlighted.
import { OPERATOR_NAMES } from '../../../src/contract/operators.ts';
import {
  compilePatterns,
  findParts,
  type HighlightedPart,
  type PartPattern,
  type PartPatterns,
} from '../editor/highlighted-part.ts';
import { splitUrl, type UrlPiece } from '../url-state/split-url.ts';

/** Returns the parts in order, without overlaps. */
export function highlightUrl(url: string): readonly HighlightedPart[] {
  const { path, queryFrom, parameters } = splitUrl(url);
  const parts: HighlightedPart[] = [{ from: path.from, to: path.to, kind: 'path' }];
  if (queryFrom !== undefined) parts.push(mark(queryFrom - 1));
  for (const { name, value } of parameters) {
    if (name.from !== queryFrom) parts.push(mark(name.from - 1));
    parts.push(...highlightPiece(url, name, IN_NAMES));
    if (value === undefined) continue;
    parts.push(mark(value.from - 1), ...highlightPiece(url, value, wordsOf(name.text)));
  }
  return parts.filter(({ from, to }) => from < to);
}

function mark(from: number): HighlightedPart {
  return { from, to: from + 1, kind: 'mark' };
}

const QUOTED: PartPattern = ['string', String.raw`(?:"|%22)(?:\\.|(?!"|%22).)*(?:"|%22|$)`];
const MARKS: PartPattern = ['mark', String.raw`->>?|\.\.\.|::|[(),.:!*{}]`];
const OPERATORS: PartPattern = [
  'operator',
  String.raw`(?<=^|\.|[(,]not)(?:not(?=\.)|(?:${OPERATOR_NAMES.join('|')})(?=[.(]))(?:\((?:any|all)\))?`,
];
const CONSTANTS: PartPattern = ['constant', String.raw`(?<=[.(,])(?:null|not_null|true|false|unknown)(?=$|[,)])`];
const NUMBERS: PartPattern = ['number', String.raw`(?<=^|[.(,{])[+-]?\d+(?:\.\d+)?(?=$|[,)}])`];
const WORDS = String.raw`[^\s(),.:!*{}"&=+-]+(?:-(?!>)[^\s(),.:!*{}"&=+-]+)*`;
const NAMES: PartPattern = ['name', WORDS];

const IN_NAMES = compilePatterns([
  ['string', QUOTED[1]],
  [
    'keyword',
    String.raw`(?<=^|\.)(?:select|order|limit|offset|columns|on_conflict|and|or)$|(?<=^|\.)not(?=\.(?:and|or)$)`,
  ],
  MARKS,
  NAMES,
]);
const IN_LISTS = compilePatterns([
  QUOTED,
  ['operator', String.raw`(?<=\.)(?:sum|avg|count|min|max)(?=\(\))|(?<=^|[(,:])count(?=\(\))`],
  ['keyword', String.raw`(?<=!)(?:inner|left)(?=[!(])|(?<=\.)(?:asc|desc|nullsfirst|nullslast)(?=$|[,.])`],
  ['constant', String.raw`(?<=::)[\w ]+`],
  MARKS,
  NAMES,
]);
const IN_GROUPS = compilePatterns([
  QUOTED,
  ['keyword', String.raw`(?<=[(,])(?:not\.)?(?:and|or)(?=\()`],
  OPERATORS,
  CONSTANTS,
  NUMBERS,
  MARKS,
  ['name', String.raw`(?<=[(,])${WORDS}(?=\.|->)`],
]);
const IN_VALUES = compilePatterns([OPERATORS, CONSTANTS, NUMBERS, QUOTED, MARKS]);

function wordsOf(name: string): PartPatterns {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (name === 'select' || last === 'order') return IN_LISTS;
  return last === 'and' || last === 'or' ? IN_GROUPS : IN_VALUES;
}

function highlightPiece(url: string, { from, to }: UrlPiece, patterns: PartPatterns): readonly HighlightedPart[] {
  return findParts(url.slice(from, to), patterns, from);
}
