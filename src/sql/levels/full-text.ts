// Renders both sides of a full-text search.
import type { FullTextOperator } from '../../contract/operators.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

const TSQUERY_FUNCTIONS: Readonly<Record<FullTextOperator, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

interface Search {
  readonly operator: FullTextOperator;
  readonly language: string | undefined;
  readonly value: string;
}

interface Searched {
  /** SQL of the field. */
  readonly field: string;
  /** Whether the field is not a tsvector. */
  readonly toTsvector: boolean;
}

export function renderSearch(
  search: Search,
  { field, toTsvector }: Searched,
  builder: StatementBuilder,
): { readonly vector: string; readonly query: string } {
  const language = search.language === undefined ? '' : `${builder.bind(search.language)}::regconfig, `;
  const vector = toTsvector ? `to_tsvector(${language}${field})` : field;
  return { vector, query: `${TSQUERY_FUNCTIONS[search.operator]}(${language}${builder.bind(search.value)})` };
}
