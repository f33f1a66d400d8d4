// Renders the version of a row and the conditions on it (`beyond.md` §1.7).
import type { ConditionPlan, MutateAction } from '../../plan/actions/action-plan.ts';
import { renderArrayLiteral } from '../text/array-literal.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

/** The row that a condition is about, if it exists and has the right version. */
export const MATCH = '"_match"';
/** The rows of the payload that have the key of the URL. */
export const GIVEN = '"_given"';

/**
 * Identifies one version of one row: each update writes a new tuple, and a place that is used again gets the number of
 * another transaction. https://www.postgresql.org/docs/current/ddl-system-columns.html Only immutable functions, which
 * Citus requires in conditions of an UPDATE.
 */
export function renderVersion(ref: string): string {
  return `(${ref}.tableoid::text || '.' || ${ref}.xmin::text || '.' || translate(${ref}.ctid::text, ',()', '-'))`;
}

/** @returns undefined if the condition allows any version */
export function renderVersionTest(
  condition: ConditionPlan | undefined,
  ref: string,
  builder: StatementBuilder,
): string | undefined {
  if (condition?.kind !== 'unchanged') return undefined;
  return `${renderVersion(ref)} = ANY (${builder.bind(renderArrayLiteral(condition.versions))})`;
}

/** Where the statement cannot tell by its rows, how many were given and matched; undefined otherwise. */
export function renderConditionReport({ condition, mutation }: MutateAction): string | undefined {
  if (condition?.isReported !== true) return undefined;
  const given = mutation === 'put' ? `(SELECT count(*) FROM ${GIVEN})` : '1';
  return `concat_ws(' ', ${given}, (SELECT count(*) FROM ${MATCH}))`;
}
