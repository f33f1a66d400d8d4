// Renders a query model as a readable request URL: `/houses?select=*,streets(name)&built=lt.1900&limit=3`.
import { encodeName, encodeSegment, encodeValue } from './readable-text.ts';
import type { ModelParams, QueryModel, RequestPath } from './query-model.ts';
import { renderFilterValue, renderMembers } from './render-condition.ts';
import { renderFilterField, renderName, renderPath } from './render-names.ts';
import { renderOrder, renderSelect } from './render-select.ts';

export function renderUrl({ path, params }: QueryModel): string {
  const query = [...renderArguments(params), ...renderReading(params), ...renderWriting(params)]
    .map(([name, value]) => `${encodeName(name)}=${encodeValue(value)}`)
    .join('&');
  return query === '' ? renderRequestPath(path) : `${renderRequestPath(path)}?${query}`;
}

/** `/houses`, `/rpc/oldest_street` */
export function renderRequestPath({ kind, name }: RequestPath): string {
  return `${kind === 'function' ? '/rpc' : ''}/${encodeSegment(name)}`;
}

type Pair = readonly [name: string, value: string];

function renderArguments({ args }: ModelParams): readonly Pair[] {
  return args;
}

function renderReading({ select, filters, logic, orders, ranges }: ModelParams): readonly Pair[] {
  const isAll = select.length === 1 && select[0]?.kind === 'all';
  return [
    ...(isAll ? [] : [['select', renderSelect(select)] as const]),
    ...filters.map(
      ({ path, value }) => [renderPath(path) + renderFilterField(value.field), renderFilterValue(value)] as const,
    ),
    ...logic.map(
      ({ path, value }) =>
        [`${renderPath(path)}${value.negated ? 'not.' : ''}${value.operator}`, renderMembers(value)] as const,
    ),
    ...orders.map(({ path, value }) => [`${renderPath(path)}order`, renderOrder(value)] as const),
    ...ranges.flatMap(({ path, value }) =>
      (['limit', 'offset'] as const).flatMap((bound) =>
        value[bound] === undefined ? [] : [[renderPath(path) + bound, String(value[bound])] as const],
      ),
    ),
  ];
}

function renderWriting({ columns, onConflict }: ModelParams): readonly Pair[] {
  return [
    ...(columns === undefined ? [] : [['columns', columns.map(renderName).join(',')] as const]),
    ...(onConflict === undefined ? [] : [['on_conflict', onConflict.map(renderName).join(',')] as const]),
  ];
}
