// A run of SQL that has ended, and what can be made of it.
import type { ConsoleOutcome, ConsoleRequest, ConsoleResult } from '../client/console.ts';
import { type Publication, trimQuery } from './publication.ts';

export interface PastRun {
  readonly request: ConsoleRequest;
  readonly outcome: ConsoleOutcome;
}

/** Returns where in the text of the run the problem is, if known. */
export function placeOfProblem(outcome: ConsoleOutcome): number | undefined {
  return outcome.kind === 'failed' || outcome.kind === 'problem' ? outcome.at : undefined;
}

export type Query = Pick<Publication, 'query' | 'columns'>;

/** Returns undefined unless the run was a single query. */
export function queryOf({ request, outcome }: PastRun): Query | undefined {
  if (outcome.kind !== 'done' || request.explain !== undefined) return undefined;
  const [result, second] = outcome.results;
  if (result === undefined || second !== undefined || !isQuery(result)) return undefined;
  return { query: trimQuery(request.sql), columns: result.columns };
}

type QueryResult = ConsoleResult & Pick<Query, 'columns'>;

function isQuery(result: ConsoleResult): result is QueryResult {
  const isSelect = result.command === undefined || result.command.startsWith('SELECT');
  return isSelect && result.columns !== undefined && result.columns.length > 0;
}
