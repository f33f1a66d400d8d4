// What of a request the builder has no inputs for: it stays in the URL, and is shown as text.
import type { ModelParams, QueryModel } from '../url-state/query-model.ts';
import { createModel } from '../url-state/query-model.ts';
import { isSamePath, listEmbedPaths } from '../url-state/levels.ts';
import { renderUrl } from '../url-state/render-url.ts';

/** Arguments of a function, parameters of writes, and what is addressed to embeds that there are not. */
export function describeUnshown(model: QueryModel): readonly string[] {
  const { params } = model;
  const paths = [[], ...listEmbedPaths(model)];
  const isUnshown = ({ path }: { readonly path: readonly string[] }): boolean =>
    !paths.some((known) => isSamePath(known, path));
  const unshown: ModelParams = {
    ...createModel(model.path).params,
    args: params.args,
    columns: params.columns,
    onConflict: params.onConflict,
    filters: params.filters.filter(isUnshown),
    logic: params.logic.filter(isUnshown),
    orders: params.orders.filter(isUnshown),
    ranges: params.ranges.filter(isUnshown),
  };
  const [, query = ''] = renderUrl({ path: model.path, params: unshown }).split('?');
  return query.split('&').filter((parameter) => parameter !== '');
}
