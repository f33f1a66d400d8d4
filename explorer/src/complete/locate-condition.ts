// Determines what the grammar expects at a position in the value of a filter or logic tree.
import { groupAt, itemAt, type OutlineItem, outlineList } from './outline.ts';
import type { LocalSpot, SpotLevel, SpotOperation } from './spot.ts';
import { readName, type Token, tokenIndexAt, tokensOf } from './tokens.ts';

const GROUP_HEAD = /^\s*(?:(?:not\.)?(?:and|or))?\s*$/u;

export function locateInLogic(text: string, caret: number, level: SpotLevel | undefined): LocalSpot | undefined {
  let items = outlineList(text);
  let isInside = false;
  for (;;) {
    const item = itemAt(items, caret);
    if (item === undefined) return undefined;
    const group = groupAt(text, item, caret);
    if (group === undefined || !GROUP_HEAD.test(text.slice(item.from, group.from)))
      return isInside ? locateInCondition({ text, item }, caret, level) : undefined;
    items = group.items;
    isInside = true;
  }
}

interface ItemText {
  readonly text: string;
  readonly item: OutlineItem;
}

function locateInCondition(
  { text, item }: ItemText,
  caret: number,
  level: SpotLevel | undefined,
): LocalSpot | undefined {
  const tokens = tokensOf(text, item);
  const index = tokenIndexAt(tokens, caret);
  const token = tokens[index];
  const [first] = tokens;
  if (token === undefined || first === undefined) return undefined;
  const column = readName(text.slice(first.from, first.to));
  if (index === 0) return { ...token, meaning: { kind: 'condition', level, isNegated: false } };
  const end = tokens.findIndex(({ separator }, at) => at > 0 && !separator.startsWith('->'));
  if (end < 0 || index < end) return { ...token, meaning: { kind: 'jsonKey' } };
  if (column === 'not') return { ...token, meaning: { kind: 'condition', level, isNegated: true } };
  const field = { column, arrow: arrowOf(tokens[end - 1]) };
  const from = tokens[end]?.from ?? item.to;
  return locateInOperation({ text, from, to: item.to }, caret, { level, field, within: 'group' });
}

function arrowOf(token: Token | undefined): '->' | '->>' | undefined {
  return token?.separator === '->' || token?.separator === '->>' ? token.separator : undefined;
}

interface TextPart {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const OPERATION = /^(?<negation>not\.)?(?<operator>[a-z]*)(?:\((?<option>[^).]*)\)?)?(?<dot>\.)?/u;

export function locateInOperation(
  { text, from, to }: TextPart,
  caret: number,
  operation: SpotOperation,
): LocalSpot | undefined {
  const match = OPERATION.exec(text.slice(from, to));
  const { negation = '', operator = '', option, dot } = match?.groups ?? {};
  const start = from + negation.length;
  const end = start + operator.length;
  if (caret < start || caret <= end) {
    const range = caret < start ? { from, to: from + 'not'.length } : { from: start, to: end };
    return { ...range, meaning: { ...operation, kind: 'operator', isNegated: caret >= start && negation !== '' } };
  }
  if (option !== undefined && caret <= end + 1 + option.length)
    return {
      from: end + 1,
      to: end + 1 + option.length,
      meaning: operator.endsWith('fts') ? { kind: 'language' } : { kind: 'quantifier', operator },
    };
  if (dot === undefined) return undefined;
  const valueFrom = from + (match?.[0].length ?? 0);
  if (operator === 'in') return locateInListOfValues({ text, from: valueFrom, to }, caret, operation);
  const isOfColumn = option === 'column' || option === 'parent';
  const called = option === undefined ? operator : `${operator}(${isOfColumn ? option : ''})`;
  return { from: valueFrom, to, meaning: { ...operation, kind: 'value', operator: called } };
}

function locateInListOfValues(
  { text, from, to }: TextPart,
  caret: number,
  operation: SpotOperation,
): LocalSpot | undefined {
  if (text[from] !== '(') return { from, to, meaning: { ...operation, kind: 'value', operator: 'in' } };
  const item = caret > from ? itemAt(outlineList(text, from + 1), caret) : undefined;
  return item && { ...item, meaning: { ...operation, kind: 'value', operator: 'in', within: 'list' } };
}
