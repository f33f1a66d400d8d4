// Determines what the grammar expects at a position in the value of `select` or `order`.
import { type EmbedHead, listEmbeds, readEmbedHead } from './embed-outline.ts';
import { groupAt, itemAt, type OutlineItem, outlineList } from './outline.ts';
import type { LocalSpot, SpotLevel, SpotMeaning } from './spot.ts';
import { readName, tokenIndexAt, tokensOf } from './tokens.ts';

export function locateInSelect(text: string, caret: number): LocalSpot | undefined {
  const chain: EmbedHead[] = [];
  let items = outlineList(text);
  for (;;) {
    const item = itemAt(items, caret);
    const group = item && groupAt(text, item, caret);
    if (item === undefined) return undefined;
    if (group === undefined) return locateInItem(text, caret, { item, items, chain });
    chain.push(readEmbedHead(text, item));
    items = group.items;
  }
}

interface ItemContext {
  readonly item: OutlineItem;
  readonly items: readonly OutlineItem[];
  readonly chain: readonly EmbedHead[];
}

function locateInItem(text: string, caret: number, { item, items, chain }: ItemContext): LocalSpot | undefined {
  const tokens = tokensOf(text, item);
  const index = tokenIndexAt(tokens, caret);
  const token = tokens[index];
  if (token === undefined) return undefined;
  const level: SpotLevel = { chain, embeds: listEmbeds(text, items) };
  const others = items.filter((one) => one !== item).map(({ from, to }) => readName(text.slice(from, to)));
  const meaning = meaningOf(token.separator, tokens[index + 1]?.separator === ':');
  if (meaning === 'selectName') return { ...token, meaning: { kind: 'selectName', level, others } };
  if (meaning !== 'hint') return meaning && { ...token, meaning };
  return { ...token, meaning: { kind: 'hint', level, target: readEmbedHead(text, item).target } };
}

function meaningOf(separator: string, isBeforeColon: boolean): SpotMeaning | 'selectName' | 'hint' | undefined {
  switch (separator) {
    case '':
    case ':':
    case '...':
      return isBeforeColon ? { kind: 'alias' } : 'selectName';
    case '::':
      return { kind: 'cast' };
    case '.':
      return { kind: 'aggregate' };
    case '!':
      return 'hint';
    case '->':
    case '->>':
      return { kind: 'jsonKey' };
    default:
      return undefined;
  }
}

export function locateInOrder(text: string, caret: number, level: SpotLevel | undefined): LocalSpot | undefined {
  const item = itemAt(outlineList(text), caret);
  if (item === undefined) return undefined;
  const group = groupAt(text, item, caret);
  const inner = group && itemAt(group.items, caret);
  if (group !== undefined && inner === undefined) return undefined;
  const tokens = tokensOf(text, inner ?? item);
  const token = tokens[tokenIndexAt(tokens, caret)];
  if (token === undefined) return undefined;
  if (token.separator.startsWith('->')) return { ...token, meaning: { kind: 'jsonKey' } };
  if (token.separator === '') return { ...token, meaning: orderName(level, group && readEmbedHead(text, item).target) };
  if (token.separator !== '.') return undefined;
  const words = tokens.filter((one) => one !== token && one.separator === '.');
  return { ...token, meaning: { kind: 'direction', given: words.map(({ from, to }) => text.slice(from, to)) } };
}

/** Locates in the columns of `distinct`. */
export function locateInColumns(text: string, caret: number, level: SpotLevel | undefined): LocalSpot | undefined {
  const item = itemAt(outlineList(text), caret);
  const tokens = item && tokensOf(text, item);
  const token = tokens?.[tokenIndexAt(tokens, caret)];
  if (token === undefined) return undefined;
  if (token.separator.startsWith('->')) return { ...token, meaning: { kind: 'jsonKey' } };
  return token.separator === ''
    ? { ...token, meaning: { kind: 'columnName', level, parameter: 'distinct' } }
    : undefined;
}

const SCORE = /^(?<field>(?:"[^"]*"?|[^."])*)(?:\.(?<measure>\w*))?(?:\((?<language>[^).]*)\)?)?/u;

/** Locates in `column.measure(language).value`. */
export function locateInScore(text: string, caret: number, level: SpotLevel | undefined): LocalSpot | undefined {
  const { field = '', measure, language } = SCORE.exec(text)?.groups ?? {};
  if (caret <= field.length)
    return { from: 0, to: field.length, meaning: { kind: 'columnName', level, parameter: 'score' } };
  const from = field.length + 1;
  const to = from + (measure ?? '').length;
  const operation = { level, field: { column: readName(field), arrow: undefined }, within: 'parameter' } as const;
  if (caret <= to) return { from, to, meaning: { ...operation, kind: 'measure' } };
  const end = to + 1 + (language ?? '').length;
  if (language !== undefined && caret <= end) return { from: to + 1, to: end, meaning: { kind: 'language' } };
  return undefined;
}

/** @param relation the embed that has the column; undefined for the level itself */
function orderName(level: SpotLevel | undefined, relation: string | undefined): SpotMeaning {
  if (relation === undefined) return { kind: 'orderName', level, canRelate: true };
  const embed = level?.embeds.find(({ name }) => name === relation);
  const related = level && embed && { chain: [...level.chain, embed], embeds: [] };
  return { kind: 'orderName', level: related, canRelate: false, shown: embed?.shown };
}
