// Renders calls of aggregate functions (`reading.md` §7.3, `beyond.md` §1.1).
import type { AggregatePlan } from '../../plan/levels/read-plan.ts';
import type { AggregateCall } from '../../request/query/query-params.ts';
import type { Scope } from './scope.ts';

export function renderCall({ function: name, isDistinct, cast }: AggregateCall, value: string): string {
  if (name === 'median') return castTo(`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value})`, cast);
  return castTo(`${name}(${isDistinct ? 'DISTINCT ' : ''}${value})`, cast);
}

/** Renders an aggregate in HAVING or ORDER BY. */
export function renderAggregate({ field, cast, call }: AggregatePlan, scope: Scope): string {
  return renderCall(call, field === undefined ? '*' : castTo(scope.field(field), cast));
}

export function castTo(value: string, type: string | undefined): string {
  return type === undefined ? value : `CAST(${value} AS ${type})`;
}
