// Replaces the terms of an order that are aliases of their level by what the aliases show (`beyond.md` §1.1).
import type { Relation } from '../../catalog/schema-cache.ts';
import type { OrderTerm, Score, SelectItem } from '../../request/query/query-params.ts';
import { isScore } from './plan-score.ts';
import type { ReadContext } from './read-context.ts';

/** A column of the level, stored or computed, takes precedence over an alias of that name; so does its score. */
export function resolveOrder(
  {
    items,
    order,
    score,
  }: { readonly items: readonly SelectItem[]; readonly order: readonly OrderTerm[]; readonly score: Score | undefined },
  relation: Relation,
  { mayOrderByAlias }: Pick<ReadContext, 'mayOrderByAlias'>,
): readonly OrderTerm[] {
  if (!mayOrderByAlias) return order;
  return order.map((term) => {
    if (score !== undefined && isScore(term.field)) return term;
    const name =
      term.relation === undefined && term.aggregate === undefined && term.field.path.length === 0
        ? term.field.column
        : undefined;
    const item = name === undefined ? undefined : findAliased(items, name);
    if (name === undefined || item === undefined || relation.columns.has(name) || relation.computedColumns.has(name))
      return term;
    return { ...term, ...item };
  });
}

function findAliased(
  items: readonly SelectItem[],
  alias: string,
): Pick<OrderTerm, 'field' | 'cast' | 'aggregate'> | undefined {
  for (const item of items) {
    if (item.kind === 'countRows' && item.alias === alias) {
      const call = { function: 'count', cast: item.cast } as const;
      return { field: { column: '', path: [] }, aggregate: { field: undefined, cast: undefined, call } };
    }
    if (item.kind !== 'column' || item.alias !== alias) continue;
    const { field, cast, aggregate } = item;
    return aggregate === undefined ? { field, cast } : { field, aggregate: { field, cast, call: aggregate } };
  }
  return undefined;
}
