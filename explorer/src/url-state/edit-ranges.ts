// Edits of how many rows of a level are shown, and from which on.
import type { LimitOffset } from '../../../src/request/query/query-params.ts';
import { changeParams, type EmbedPath, replaceAt, valueAt } from './levels.ts';
import type { QueryModel } from './query-model.ts';

export function rangeAt({ params }: QueryModel, path: EmbedPath): LimitOffset {
  return valueAt(params.ranges, path) ?? { limit: undefined, offset: undefined };
}

/** undefined: as many as there are. */
export function setLimit(model: QueryModel, path: EmbedPath, limit: number | undefined): QueryModel {
  return setRange(model, path, { ...rangeAt(model, path), limit });
}

/** undefined or 0: from the first row on. */
export function setOffset(model: QueryModel, path: EmbedPath, offset: number | undefined): QueryModel {
  return setRange(model, path, { ...rangeAt(model, path), offset: offset || undefined });
}

/** What another order or another condition makes of an offset: it would lead nowhere. */
export function startFromFirstRow(model: QueryModel, path: EmbedPath): QueryModel {
  return rangeAt(model, path).offset === undefined ? model : setOffset(model, path, undefined);
}

/** Pages are counted from 1. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

/** The page that the top level shows; undefined without a limit. An offset within a page counts to that page. */
export function pageOf(model: QueryModel): Page | undefined {
  const { limit, offset } = rangeAt(model, []);
  return limit === undefined || limit <= 0 ? undefined : { number: Math.floor((offset ?? 0) / limit) + 1, size: limit };
}

/** Shows one page of the top level. */
export function goToPage(model: QueryModel, { number, size }: Page): QueryModel {
  return setRange(model, [], { limit: size, offset: Math.max(0, number - 1) * size || undefined });
}

function setRange(model: QueryModel, path: EmbedPath, range: LimitOffset): QueryModel {
  const isOpen = range.limit === undefined && range.offset === undefined;
  return changeParams(model, { ranges: replaceAt(model.params.ranges, path, isOpen ? [] : [range]) });
}
