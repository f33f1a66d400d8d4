// Renders a query model as a readable request URL: `/houses?select=*,streets(name)&built=lt.1900&limit=3`.
import { renderParameters } from '../../../src/request/query/render-query.ts';
import type { QueryModel, RequestPath } from './query-model.ts';
import { encodeName, encodeSegment, encodeValue } from './readable-text.ts';

export function renderUrl({ path, params }: QueryModel): string {
  const query = renderParameters(params)
    .map(([name, value]) => `${encodeName(name)}=${encodeValue(value)}`)
    .join('&');
  return query === '' ? renderRequestPath(path) : `${renderRequestPath(path)}?${query}`;
}

/** `/houses`, `/rpc/oldest_street` */
export function renderRequestPath({ kind, name }: RequestPath): string {
  return `${kind === 'function' ? '/rpc' : ''}/${encodeSegment(name)}`;
}
