// Edits of the limit and offset of a level.
import type { LimitOffset } from '../../../src/request/query/query-params.ts';
import { changeParams, type EmbedPath, replaceAt, valueAt } from './levels.ts';
import type { QueryModel } from './query-model.ts';

export function rangeAt({ params }: QueryModel, path: EmbedPath): LimitOffset {
  return valueAt(params.ranges, path) ?? { limit: undefined, offset: undefined };
}

/** Pass undefined to remove the limit. */
export function setLimit(model: QueryModel, path: EmbedPath, limit: number | undefined): QueryModel {
  return setRange(model, path, { ...rangeAt(model, path), limit });
}

/** Pass undefined or 0 to remove the offset. */
export function setOffset(model: QueryModel, path: EmbedPath, offset: number | undefined): QueryModel {
  return setRange(model, path, { ...rangeAt(model, path), offset: offset || undefined });
}

/** Resets the offset and the page, which are meaningless after a change of order or conditions. */
export function startFromFirstRow(given: QueryModel, path: EmbedPath): QueryModel {
  const model = path.length === 0 ? leavePage(given) : given;
  return rangeAt(model, path).offset === undefined ? model : setOffset(model, path, undefined);
}

/** Removes the limit, the offset and the page of the top level. */
export function allRows(model: QueryModel): QueryModel {
  return setRange(leavePage(model), [], { limit: undefined, offset: undefined });
}

/** Removes the token of a keyset page. */
function leavePage(model: QueryModel): QueryModel {
  return model.params.pages.length === 0 ? model : changeParams(model, { pages: [] });
}

/** Page numbers start at 1. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

/** Returns the page of the top level; undefined without a limit, or if a token says where it begins. Rounds an offset within a page down. */
export function pageOf(model: QueryModel): Page | undefined {
  const { limit, offset } = rangeAt(model, []);
  const isByToken = model.params.pages.length > 0;
  return limit === undefined || limit <= 0 || isByToken
    ? undefined
    : { number: Math.floor((offset ?? 0) / limit) + 1, size: limit };
}

/** Shows one page of the top level. */
export function goToPage(model: QueryModel, { number, size }: Page): QueryModel {
  return setRange(model, [], { limit: size, offset: Math.max(0, number - 1) * size || undefined });
}

function setRange(model: QueryModel, path: EmbedPath, range: LimitOffset): QueryModel {
  const isOpen = range.limit === undefined && range.offset === undefined;
  return changeParams(model, { ranges: replaceAt(model.params.ranges, path, isOpen ? [] : [range]) });
}
