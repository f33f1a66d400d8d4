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

interface SearchParts {
  /** SQL of the text that is searched. */
  readonly vector: string;
  readonly query: string;
}

interface Searched {
  /** SQL of the field. */
  readonly field: string;
  /** Whether the field is not a tsvector. */
  readonly toTsvector: boolean;
}

/**
 * A longer search is parsed once for the statement; PostgreSQL may otherwise parse it again for each row. A short one
 * stays where the planner can estimate how many rows contain its words.
 */
const MAX_ESTIMATED_LENGTH = 256;

export function renderSearch(search: Search, searched: Searched, builder: StatementBuilder): SearchParts {
  const { vector, query } = renderParts(search, searched, builder);
  return { vector, query: search.value.length > MAX_ESTIMATED_LENGTH ? `(SELECT ${query})` : query };
}

/** Renders the search of a score, which is parsed once for the statement. */
export function renderRankedSearch(search: Search, searched: Searched, builder: StatementBuilder): SearchParts {
  const { vector, query } = renderParts(search, searched, builder);
  return { vector, query: `(SELECT ${query})` };
}

function renderParts(search: Search, { field, toTsvector }: Searched, builder: StatementBuilder): SearchParts {
  const language = search.language === undefined ? '' : `${builder.bind(search.language)}::regconfig, `;
  const vector = toTsvector ? `to_tsvector(${language}${field})` : field;
  return { vector, query: `${TSQUERY_FUNCTIONS[search.operator]}(${language}${builder.bind(search.value)})` };
}
