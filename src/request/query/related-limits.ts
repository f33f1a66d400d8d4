// Limits of what trees address: related rows count as embeds (`beyond.md` §1.4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Addressed, LogicGroup, LogicNode, SelectItem } from './query-params.ts';
import { describeLimit, type QueryLimits } from './query-limits.ts';

export function checkRelatedLimits(
  logic: readonly Addressed<LogicGroup>[],
  select: readonly SelectItem[],
  limits: QueryLimits,
): Result<undefined, ApiError> {
  let related = 0;
  let deepest = 0;
  const visit = (node: LogicNode, depth: number): void => {
    if (node.kind === 'group') for (const member of node.members) visit(member, depth);
    if (node.kind !== 'related') return;
    related += 1;
    deepest = Math.max(deepest, depth + 1);
    visit(node.member, depth + 1);
  };
  for (const { path, value } of logic) visit(value, path.length);
  if (related === 0) return ok(undefined);
  if (deepest > limits.embedDepth) return exceed('embedDepth', limits);
  return related + countEmbeds(select) > limits.embeds ? exceed('embeds', limits) : ok(undefined);
}

function exceed(name: 'embeds' | 'embedDepth', limits: QueryLimits): Result<undefined, ApiError> {
  return fail({ kind: 'limitExceeded', ...describeLimit(name, limits[name]), status: 400 });
}

function countEmbeds(items: readonly SelectItem[]): number {
  let count = 0;
  for (const item of items) {
    if (item.kind !== 'embed' && item.kind !== 'spread') continue;
    count += (item.levels ?? 1) * (1 + countEmbeds(item.select));
  }
  return count;
}
