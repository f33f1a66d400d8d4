// Renders a query model as a readable request URL: `/houses?select=*,streets(name)&built=lt.1900&limit=3`.
import { encodeName, encodeSegment, encodeValue } from './readable-text.ts';
import type { ModelParams, QueryModel, RequestPath } from './query-model.ts';
import type { Distinct } from '../../../src/request/query/query-params.ts';
import { renderAggregateTerm } from './render-aggregate.ts';
import { renderFilterValue, renderMembers, renderScore } from './render-condition.ts';
import { renderField, renderFilterField, renderName, renderPath } from './render-names.ts';
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

function renderReading({ select, filters, logic, having, distinct, scores, ...more }: ModelParams): readonly Pair[] {
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
    ...having.map(
      ({ path, value }) => [renderPath(path) + renderAggregateTerm(value.term), renderFilterValue(value)] as const,
    ),
    ...distinct.map(({ path, value }) => [`${renderPath(path)}distinct`, renderDistinct(value)] as const),
    ...scores.map(({ path, value }) => [`${renderPath(path)}score`, renderScore(value)] as const),
    ...renderRows(more),
  ];
}

function renderDistinct(distinct: Distinct): string {
  return distinct.kind === 'rows' ? '*' : distinct.fields.map(renderField).join(',');
}

function renderRows({ orders, ranges, pages }: Pick<ModelParams, 'orders' | 'ranges' | 'pages'>): readonly Pair[] {
  return [
    ...orders.map(({ path, value }) => [`${renderPath(path)}order`, renderOrder(value)] as const),
    ...ranges.flatMap(({ path, value }) =>
      (['limit', 'offset'] as const).flatMap((bound) =>
        value[bound] === undefined ? [] : [[renderPath(path) + bound, String(value[bound])] as const],
      ),
    ),
    ...pages.map(({ path, value }) => [renderPath(path) + value.direction, value.text] as const),
  ];
}

function renderWriting({ columns, onConflict }: ModelParams): readonly Pair[] {
  return [
    ...(columns === undefined ? [] : [['columns', columns.map(renderName).join(',')] as const]),
    ...(onConflict === undefined ? [] : [['on_conflict', onConflict.map(renderName).join(',')] as const]),
  ];
}
