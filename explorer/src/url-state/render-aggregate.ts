// Renders casts, and calls of aggregates.
import type { AggregateCall, AggregateTerm } from '../../../src/request/query/query-params.ts';
import { renderFilterField } from './render-names.ts';

export function renderCast(type: string | undefined): string {
  return type === undefined ? '' : `::${type}`;
}

/** `sum(distinct)::text` */
export function renderCall({ function: name, isDistinct, cast }: AggregateCall): string {
  return `${name}(${isDistinct === true ? 'distinct' : ''})${renderCast(cast)}`;
}

/** `value::int.sum()`, `count()` */
export function renderAggregateTerm({ field, cast, call }: AggregateTerm): string {
  return `${field === undefined ? '' : `${renderFilterField(field)}${renderCast(cast)}.`}${renderCall(call)}`;
}
