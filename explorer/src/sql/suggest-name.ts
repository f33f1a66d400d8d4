// Finds the name that was probably meant where PostgreSQL reports an unknown one without a hint.
import type { ConsoleOutcome } from '../client/console.ts';
import { suggest } from '../../../src/util/suggest.ts';
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { findTables } from './complete-sql.ts';
import { nameOf, readSql, type SqlToken } from './sql-tokens.ts';
import { OFFERED_KEYWORDS } from './words.ts';

export interface SuggestedName {
  /** The text to replace. */
  readonly from: number;
  readonly to: number;
  /** As written in SQL. */
  readonly name: string;
}

const MINIMUM = 0.5;

/**
 * Suggests a relation, column, function or keyword similar to the word at the error. Returns undefined if nothing is
 * similar, or the error is not about a name.
 */
export function suggestName(sql: string, outcome: ConsoleOutcome, schema: SchemaIndex): SuggestedName | undefined {
  if (outcome.kind !== 'failed' || outcome.at === undefined) return undefined;
  const tokens = readSql(sql);
  const at = wrongToken(tokens, outcome.at);
  const written = nameOf(at);
  if (at === undefined || written === undefined) return undefined;
  const name = suggest(candidates(outcome.code, tokens, schema), written, { minimum: MINIMUM });
  if (name === undefined || name === written) return undefined;
  return { from: at.from, to: at.to, name: outcome.code === SYNTAX_ERROR ? name : spellIdentifier(name) };
}

/** The last part of a qualified name: errors point to its first. */
function wrongToken(tokens: readonly SqlToken[], at: number): SqlToken | undefined {
  let index = tokens.findIndex(({ from }) => from === at);
  while (tokens[index + 1]?.text === '.' && nameOf(tokens[index + 2]) !== undefined) index += 2;
  return tokens[index];
}

const SYNTAX_ERROR = '42601';

function candidates(code: string, tokens: readonly SqlToken[], schema: SchemaIndex): readonly string[] {
  switch (code) {
    case '42P01':
      return [...schema.relations.keys()];
    case '42703':
      return findTables(tokens, schema).flatMap(({ relation }) => relation.columns.map(({ name }) => name));
    case '42883':
      return [...schema.functions.keys()];
    case SYNTAX_ERROR:
      return OFFERED_KEYWORDS;
    default:
      return [];
  }
}
