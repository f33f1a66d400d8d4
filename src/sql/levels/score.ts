// Renders the score of a value (`beyond.md` §1.10).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ScorePlan } from '../../plan/levels/read-plan.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { renderRankedSearch } from './full-text.ts';

/** @param field SQL of the value */
export function renderScore(score: ScorePlan, field: string, builder: StatementBuilder): string {
  if (score.kind === 'rank') {
    const { vector, query } = renderRankedSearch(score, { field, toTsvector: score.toTsvector }, builder);
    return `ts_rank_cd(${vector}, ${query})`;
  }
  // Qualified, because the extension may be installed in a schema outside the search path.
  const operator = `OPERATOR(${quoteIdentifier(score.schema)}.${score.operator})`;
  return `(${field} ${operator} ${builder.bind(score.value)}::${score.type})`;
}
