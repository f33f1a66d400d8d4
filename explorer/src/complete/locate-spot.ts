// Determines what the grammar expects at a position in a URL.
import { locateInPiece, locateInUrl, splitUrl, type UrlParameter, type UrlPiece } from '../url-state/split-url.ts';
import { findLevelList, listEmbeds } from './embed-outline.ts';
import { locateInLogic, locateInOperation } from './locate-condition.ts';
import { locateInColumns, locateInOrder, locateInScore, locateInSelect } from './locate-list.ts';
import { outlineList } from './outline.ts';
import type { LocalSpot, Spot, SpotField, SpotLevel } from './spot.ts';
import { readName, tokenIndexAt, tokensOf } from './tokens.ts';

export function locateSpot(url: string, offset: number): Spot | undefined {
  const { path, parameters } = splitUrl(url);
  if (offset <= path.to) return locatePath(url, path, offset);
  const parameter = parameters.find(({ name, value }) => name.from <= offset && offset <= (value ?? name).to);
  if (parameter === undefined) return undefined;
  const select = parameters.find(({ name, value }) => name.text === 'select' && value !== undefined)?.value?.text ?? '';
  const { name, value } = parameter;
  const isName = value === undefined || offset <= name.to;
  const piece = isName ? name : value;
  const caret = locateInPiece(url, piece, offset);
  const local = isName ? locateInName(name.text, caret, select) : locateInValue(parameter, caret, select);
  const isOnIt = local !== undefined && local.from <= caret && caret <= local.to;
  const spot = isOnIt ? toSpot({ url, piece, caret }, local) : undefined;
  // A caret within an escape counts as before it, so text that ends there is not at the caret.
  return spot !== undefined && offset <= spot.to ? spot : undefined;
}

function locatePath(url: string, path: UrlPiece, offset: number): Spot {
  const start = ['/rpc/', '/'].find((text) => path.text.startsWith(text))?.length ?? 0;
  const local = { from: Math.min(start, offset), to: path.to, meaning: { kind: 'path' } as const };
  return toSpot({ url, piece: path, caret: offset }, local);
}

interface Caret {
  readonly url: string;
  readonly piece: UrlPiece;
  /** Offset in the text of the piece. */
  readonly caret: number;
}

function toSpot({ url, piece, caret }: Caret, { from, to, meaning }: LocalSpot): Spot {
  const { text } = piece;
  let start = from;
  while (start < caret && text[start] === ' ') start += 1;
  const end = locateInUrl(url, piece, to);
  return {
    ...meaning,
    from: locateInUrl(url, piece, start),
    to: end,
    typed: readName(text.slice(start, caret)),
    whole: readName(text.slice(start, to)),
    next: url[end] ?? '',
  };
}

function locateInName(text: string, caret: number, select: string): LocalSpot | undefined {
  const tokens = tokensOf(text, { from: 0, to: text.length, groups: [] });
  const index = tokenIndexAt(tokens, caret);
  const token = tokens[index];
  if (token === undefined) return undefined;
  if (token.separator.startsWith('->')) return { ...token, meaning: { kind: 'jsonKey' } };
  const before = tokens.slice(0, index).map(({ from, to }) => readName(text.slice(from, to)));
  const path = before.filter((name) => name !== 'not');
  return {
    ...token,
    meaning: { kind: 'parameter', level: levelAt(select, path), isNegated: before.at(-1) === 'not' },
  };
}

function locateInValue({ name, value }: UrlParameter, caret: number, select: string): LocalSpot | undefined {
  const text = value?.text ?? '';
  const { path, field } = readParameterName(name.text);
  const level = levelAt(select, path);
  if (name.text === 'select') return locateInSelect(text, caret);
  switch (name.text.slice(name.text.lastIndexOf('.') + 1)) {
    case 'order':
      return locateInOrder(text, caret, level);
    case 'distinct':
      return locateInColumns(text, caret, level);
    case 'score':
      return locateInScore(text, caret, level);
    case 'and':
    case 'or':
      return locateInLogic(text, caret, level);
    case 'limit':
    case 'offset':
      return {
        from: 0,
        to: text.length,
        meaning: { kind: 'count', name: field.column === 'limit' ? 'limit' : 'offset' },
      };
    default:
      return locateInOperation({ text, from: 0, to: text.length }, caret, { level, field, within: 'parameter' });
  }
}

function readParameterName(text: string): { readonly path: readonly string[]; readonly field: SpotField } {
  const tokens = tokensOf(text, { from: 0, to: text.length, groups: [] });
  const names = tokens
    .filter(({ separator }) => separator === '' || separator === '.')
    .map(({ from, to }) => readName(text.slice(from, to)));
  const arrow = tokens.findLast(({ separator }) => separator.startsWith('->'))?.separator;
  return {
    path: names.slice(0, -1).filter((name) => name !== 'not'),
    field: { column: names.at(-1) ?? '', arrow: arrow === '->' || arrow === '->>' ? arrow : undefined },
  };
}

function levelAt(select: string, path: readonly string[]): SpotLevel | undefined {
  const found = findLevelList(select, outlineList(select), path);
  return found && { chain: found.chain, embeds: listEmbeds(select, found.items) };
}
