// Parses the value of a `score` parameter: `body.wfts(english).cats`, `embedding.l2.[1,2]` (`beyond.md` §1.10).
import { DISTANCE_MEASURES, FULL_TEXT_OPERATORS, type FullTextOperator } from '../../contract/operators.ts';
import { DELIMITER, label } from './combinators.ts';
import { parseField } from './field.ts';
import { parseTypeName } from './names.ts';
import type { Score } from './query-params.ts';
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
  return scanner.allowsValue(value) ? { field, measure, language, value } : undefined;
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
