// Parses the value of a `score` parameter: `body.wfts(english).cats`, `embedding.l2.[1,2]` (`beyond.md` §1.10).
import { DISTANCE_MEASURES, FULL_TEXT_OPERATORS, type FullTextOperator } from '../../contract/operators.ts';
import { assertNever } from '../../contract/result.ts';
import { DELIMITER, label } from './combinators.ts';
import { parseField } from './field.ts';
import { parseTypeName } from './names.ts';
import type { Addressed, Filter, LogicNode, Score, SelectItem } from './query-params.ts';
import type { Scanner } from './scanner.ts';

/** The name of the parameter and of the computed column. */
export const SCORE = 'score';

/** The quotes in `"score"` keep it from matching. */
export function isScoreName(name: string): boolean {
  return name === SCORE || name.endsWith(`.${SCORE}`);
}

export function parseScore(scanner: Scanner): Score | undefined {
  const field = parseField(scanner);
  if (field === undefined || !scanner.take('.', DELIMITER)) return undefined;
  const measure = label(scanner, 'measure (wfts, l2, ...)', parseMeasure);
  if (measure === undefined) return undefined;
  const isSearch = isFullText(measure);
  const hasLanguage = isSearch && scanner.take('(');
  const language = hasLanguage ? parseTypeName(scanner) : undefined;
  if (hasLanguage && (language === undefined || !scanner.take(')'))) return undefined;
  if (!scanner.take('.', DELIMITER)) return undefined;
  const value = scanner.text.slice(scanner.at);
  scanner.advanceTo(scanner.text.length);
  return scanner.allowsValue(value) && allowsMeasured(scanner, measure, value)
    ? { field, measure, language, value }
    : undefined;
}

/** A score is computed for each row, so its value is shorter than that of a filter. */
function allowsMeasured(scanner: Scanner, measure: Score['measure'], value: string): boolean {
  if (isFullText(measure)) return scanner.countRankedWords(value);
  return measure !== 'trgm' || scanner.allowsTrigrams(value);
}

const MEASURES: ReadonlyMap<string, Score['measure']> = new Map(
  [...FULL_TEXT_OPERATORS, ...DISTANCE_MEASURES].map((name) => [name, name]),
);
const WORD = /\w*/uy;

function parseMeasure(scanner: Scanner): Score['measure'] | undefined {
  WORD.lastIndex = scanner.at;
  const name = WORD.exec(scanner.text)?.[0] ?? '';
  const measure = MEASURES.get(name);
  if (measure === undefined) scanner.expect(undefined);
  else scanner.advanceTo(scanner.at + name.length);
  return measure;
}

function isFullText(measure: Score['measure']): measure is FullTextOperator {
  return FULL_TEXT_OPERATORS.some((name) => name === measure);
}

/** Counts where the column is computed for each row: in filters, and for each item of `select`. */
export function countScoreUses(
  logic: readonly Addressed<LogicNode>[],
  filters: readonly Addressed<Filter>[],
  select: readonly SelectItem[],
): number {
  let uses = countSelected(select);
  for (const { value } of filters) uses += countCompared(value);
  for (const { value } of logic) uses += countCompared(value);
  return uses;
}

function countCompared(node: LogicNode): number {
  switch (node.kind) {
    case 'filter':
      return node.field.column === SCORE ? 1 : 0;
    case 'having':
      return node.term.field?.column === SCORE ? 1 : 0;
    case 'related':
      return countCompared(node.member);
    case 'group':
      return node.members.reduce((uses, member) => uses + countCompared(member), 0);
    default:
      return assertNever(node);
  }
}

function countSelected(items: readonly SelectItem[]): number {
  let uses = 0;
  for (const item of items) {
    if (item.kind === 'column' && item.field.column === SCORE) uses += 1;
    if (item.kind === 'embed' || item.kind === 'spread') uses += countSelected(item.select);
  }
  return uses;
}
