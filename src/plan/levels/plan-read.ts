// Plans the read of a relation from the query parameters, or returns the first error in the specified order
// (`reading.md` §1, §7-§14).
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { QueryParams } from '../../request/query/query-params.ts';
import { FULL_RANGE, type RowRange } from '../../request/range.ts';
import { buildReadPlan } from './build-read-plan.ts';
import { checkLevels } from './check-levels.ts';
import { checkDistinctLevels } from './plan-distinct.ts';
import type { ReadPlan } from './read-plan.ts';
import type { ReadContext } from './read-context.ts';
import { resolveLevels } from './resolve-levels.ts';
import { resolveSelectTree, type LegacyName } from './select-tree.ts';

export interface PlannedRead {
  readonly plan: ReadPlan;
  readonly legacyNames: readonly LegacyName[];
}

interface ReadRequest {
  readonly query: QueryParams;
  /** Range of the top level, already resolved from parameters and header. */
  readonly range: RowRange;
}

export function planRead(
  { query, range }: ReadRequest,
  relation: Relation,
  context: ReadContext,
): Result<PlannedRead, ApiError> {
  const tree = resolveSelectTree(query, context.useTargetNames);
  if (!tree.ok) return tree;
  const levels = resolveLevels(tree.value.root, relation, context);
  if (!levels.ok) return levels;
  const error = checkLevels(levels.value, context) ?? checkDistinctLevels(levels.value, context.cache);
  if (error !== undefined) return { ok: false, error };
  const plan = buildReadPlan(levels.value, range, context);
  return ok({ plan, legacyNames: tree.value.legacyNames });
}

/**
 * Plans the representation that a write or call returns: select, embeds and order of the read. Top-level filters belong
 * to the statement itself, and the top-level range does not apply.
 */
export function planRepresentation(
  query: QueryParams,
  relation: Relation,
  context: ReadContext,
): Result<PlannedRead, ApiError> {
  const filters = query.filters.filter(({ path }) => path.length > 0);
  const logic = query.logic.filter(({ path }) => path.length > 0);
  const having = query.having.filter(({ path }) => path.length > 0);
  const distinct = query.distinct.filter(({ path }) => path.length > 0);
  const request = { query: { ...query, filters, logic, having, distinct, ranges: [] }, range: FULL_RANGE };
  return planRead(request, relation, { ...context, maxRows: undefined });
}
