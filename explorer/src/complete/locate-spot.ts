// Determines what the grammar expects at a position in a URL. The server's parser decides: a letter replaces the word
// at the caret, together with text that completes the request there, until the parser accepts the parameter.
import { enableExtensions, EXTENSION_NAMES } from '../../../src/contract/extensions.ts';
import type { QueryLimits } from '../../../src/request/query/query-limits.ts';
import { parseQueryParams } from '../../../src/request/query/parse-query-params.ts';
import type { QueryParams } from '../../../src/request/query/query-params.ts';
import { GRAMMAR } from '../url-state/parse-url.ts';
import { locateInPiece, locateInUrl, splitUrl, type UrlPiece } from '../url-state/split-url.ts';
import { CARET, findInName, findInValue, type Found } from './find-caret.ts';
import type { Spot, SpotMeaning } from './spot.ts';

export function locateSpot(url: string, offset: number): Spot | undefined {
  const { path, parameters } = splitUrl(url);
  if (offset <= path.to) return locatePath(url, path, offset);
  const parameter = parameters.find(({ name, value }) => name.from <= offset && offset <= (value ?? name).to);
  if (parameter === undefined) return undefined;
  const { name, value } = parameter;
  const isName = value === undefined || offset <= name.to;
  const piece = isName ? name : value;
  const word = findWord(piece.text, locateInPiece(url, piece, offset));
  const select = completeSelect(parameters.find((one) => one.name.text === 'select')?.value?.text);
  const found = isName ? locateInName(word, select) : locateInValue(name.text, word, select);
  const spot = found && toSpot({ url, piece, word }, found);
  // A caret within an escape counts as before it, so text that ends there is not at the caret.
  return spot !== undefined && offset <= spot.to ? spot : undefined;
}

function locatePath(url: string, path: UrlPiece, caret: number): Spot {
  const start = ['/rpc/', '/'].find((text) => path.text.startsWith(text))?.length ?? 0;
  const word = { text: path.text, from: Math.min(start, caret), to: path.to, caret };
  return toSpot({ url, piece: path, word }, { text: CARET, meaning: { kind: 'path' } });
}

/** The word at the caret, as offsets in the text of a piece. */
interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly caret: number;
}

const QUOTED = String.raw`(?<=^|[,(.:!>\s])"(?:\\.|[^"\\])*(?:"|\\?$)`;
const WORDS = new RegExp(String.raw`${QUOTED}|(?:[\p{L}\p{N}_$ *]|-(?!>))+`, 'gsu');

function findWord(text: string, caret: number): Word {
  for (const { 0: found, index } of text.matchAll(WORDS)) {
    const to = index + found.length;
    if (index <= caret && caret <= to) return { text, from: index, to, caret };
  }
  return { text, from: caret, to: caret, caret };
}

function toSpot(
  { url, piece, word }: { readonly url: string; readonly piece: UrlPiece; readonly word: Word },
  { text: found, meaning }: Found,
): Spot {
  const { text, caret } = word;
  const at = found.indexOf(CARET);
  let start = Math.max(0, word.from - at);
  while (start < caret && text[start] === ' ') start += 1;
  const to = word.to + found.length - at - CARET.length;
  const end = locateInUrl(url, piece, to);
  return {
    ...meaning,
    from: locateInUrl(url, piece, start),
    to: end,
    typed: readName(text.slice(start, caret)),
    whole: readName(text.slice(start, to)),
    next: url[end] ?? '',
    isNegated: text.slice(0, start).endsWith('not.'),
  };
}

/** Strips surrounding whitespace or quotes from a name; the closing quote may be missing. */
function readName(written: string): string {
  const text = written.trim();
  const quoted = /^"((?:\\.|[^"\\])*)/su.exec(text)?.[1];
  return quoted?.replaceAll(/\\(.)/gsu, '$1') ?? text;
}

/** Returns the text with the parentheses that it opens closed. */
function close(text: string): string {
  const plain = text.replaceAll(QUOTES, '');
  return text + ')'.repeat(Math.max(0, plain.split('(').length - plain.split(')').length));
}

const QUOTES = new RegExp(QUOTED, 'gsu');

/** In a tree, `built.` may begin an operation or name a relationship; it is an operation if that is possible. */
const WITHOUT_TREES: QueryLimits = {
  ...GRAMMAR.limits,
  extensions: enableExtensions(EXTENSION_NAMES.filter((one) => one !== 'trees')),
};

/** Returns a select list that is valid, so that parameters can address its embeds. */
function completeSelect(text = ''): string {
  return [text, close(text)].find((one) => parse('select', one, '') !== undefined) ?? '';
}

/** @param select the list that `value` is not */
function parse(name: string, value: string, select: string, limits = GRAMMAR.limits): QueryParams | undefined {
  const parameters = [
    { name, value },
    { name: 'select', value: select },
  ];
  const parsed = parseQueryParams(parameters, { ...GRAMMAR, limits });
  return parsed.ok ? parsed.value : undefined;
}

function locateInName({ text, from, to }: Word, select: string): Found | undefined {
  for (const rest of [text.slice(to), '']) {
    const params = parse(text.slice(0, from) + CARET + rest, 'is.null', select);
    const found = params && findInName(params);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Change = (meaning: SpotMeaning) => SpotMeaning;

function become(kind: 'operator' | 'quantifier' | 'measure'): Change {
  return (meaning) => (meaning.kind === 'value' ? { ...meaning, kind } : meaning);
}

/**
 * What may complete a parameter at the caret, in the order in which it is tried. If a filling is more than a name, the
 * caret means something else than the parser found.
 */
const FILLINGS: readonly (readonly [text: string, change?: Change])[] = [
  [CARET],
  [`${CARET}()`],
  [`${CARET}.is.null`],
  [`and(${CARET}.is.null)`],
  [`${CARET}.l2.x`],
  [`asc,${CARET}`, () => ({ kind: 'direction', hasDirection: false, takesAggregate: true })],
  [`nullsfirst,${CARET}`, () => ({ kind: 'direction', hasDirection: true, takesAggregate: false })],
  [`sum()::${CARET}`, () => ({ kind: 'aggregate' })],
  [`eq.${CARET}`, become('operator')],
  [`${CARET}).x`],
  [`any).${CARET}`, become('quantifier')],
  [`column).${CARET}`, become('quantifier')],
  [`l2.${CARET}`, become('measure')],
];

/** Operators that take only certain values. */
const CLOSED_OPERATOR = /(?<=^|\.)(in|is)\.$/u;

function locateInValue(name: string, { text, from, to }: Word, select: string): Found | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (last === 'limit' || last === 'offset')
    return { text: text.slice(0, from) + CARET + text.slice(to), meaning: { kind: 'count', name: last } };
  const operator = CLOSED_OPERATOR.exec(text.slice(0, from))?.[1];
  const before = text.slice(0, from).replace(CLOSED_OPERATOR, 'eq.');
  for (const limits of last === 'and' || last === 'or' ? [WITHOUT_TREES, GRAMMAR.limits] : [GRAMMAR.limits])
    for (const rest of new Set([text.slice(to), '']))
      for (const [filling, change] of FILLINGS) {
        const value = before + filling + rest;
        const params = parse(name, value, select, limits) ?? parse(name, close(value), select, limits);
        const found = params && findInValue(params);
        if (found === undefined) continue;
        if (change !== undefined) return { text: CARET, meaning: change(found.meaning) };
        const { meaning } = found;
        return operator !== undefined && meaning.kind === 'value'
          ? { ...found, meaning: { ...meaning, operator } }
          : found;
      }
  return undefined;
}
