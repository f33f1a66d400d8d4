// Lists the parameters for which the builder has no inputs. They stay in the URL and are shown as text.
import type { ModelParams, QueryModel } from '../url-state/query-model.ts';
import { createModel } from '../url-state/query-model.ts';
import { isSamePath, listEmbedPaths } from '../url-state/levels.ts';
import { renderUrl } from '../url-state/render-url.ts';

/** Returns function arguments, forms without inputs, and parameters for embeds that do not exist. */
export function describeUnshown(model: QueryModel): readonly string[] {
  const { params } = model;
  const paths = [[], ...listEmbedPaths(model)];
  const isUnshown = ({ path }: { readonly path: readonly string[] }): boolean =>
    !paths.some((known) => isSamePath(known, path));
  const unshown: ModelParams = {
    ...createModel(model.path).params,
    args: params.args,
    having: params.having,
    distinct: params.distinct,
    scores: params.scores,
    pages: params.pages,
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
