// A run of SQL that has ended, and what can be made of it.
import type { ConsoleOutcome, ConsoleRequest, ConsoleResult } from '../client/console.ts';
import type { MarkedRange } from '../editor/editor-marks.ts';
import { type Publication, trimQuery } from './publication.ts';

export interface PastRun {
  readonly request: ConsoleRequest;
  /** Where its text begins in that of the editor. */
  readonly start: number;
  readonly outcome: ConsoleOutcome;
  readonly milliseconds: number;
}

/** Returns the word of the editor at the problem, if it is known. The end of the text has an empty one. */
export function rangeOfProblem({ request, start, outcome }: PastRun): MarkedRange | undefined {
  const at = outcome.kind === 'failed' || outcome.kind === 'problem' ? outcome.at : undefined;
  return at === undefined ? undefined : { from: start + at, to: start + at + wordAt(request.sql, at).length };
}

export function wordAt(text: string, at: number): string {
  return /^(?:[\p{L}_][\p{L}\p{N}_$]*|\S|$)/u.exec(text.slice(at))?.[0] ?? '';
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
