// The values of a column with the number of their rows: from the server if it aggregates, otherwise from the page.
import type { EmbedItem, Field, SelectItem } from '../../../src/request/query/query-params.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { textOf } from '../rows/row-links.ts';
import type { TableModel } from '../rows/table-model.ts';
import { columnItem } from '../url-state/edit-columns.ts';
import { setLimit } from '../url-state/edit-ranges.ts';
import { changeParams, embedAt, type EmbedPath, isEmbed, isSamePath, nameOfEmbed } from '../url-state/levels.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { withoutValues } from './edit-filters.ts';

export interface Facet {
  readonly value: JsonValue;
  readonly count: number;
}

/** Maximum number of values. */
export const MAX_VALUES = 1000;

/** Counts the rows of the request for each value, regardless of the filters for values of this column. */
export function countRequest(model: QueryModel, field: Field): OutgoingRequest {
  return aggregate(withoutValues(model, field), [
    { ...columnItem(field), alias: 'value' },
    { kind: 'countRows', alias: 'rows', cast: undefined },
  ]);
}

/** Reads the smallest and the largest value. */
export function boundsRequest(model: QueryModel, field: Field): OutgoingRequest {
  const bound = (name: 'min' | 'max'): SelectItem => {
    return { ...columnItem(field), alias: name, aggregate: { function: name, cast: undefined } };
  };
  return aggregate(withoutValues(model, field), [bound('min'), bound('max')]);
}

function aggregate(model: QueryModel, select: readonly SelectItem[]): OutgoingRequest {
  const { filters, logic } = model.params;
  const embeds = keepFiltering(model.params.select, [], filters);
  const narrowed = changeParams(model, { select: [...select, ...embeds], orders: [], ranges: [], pages: [] });
  const isKept = ({ path }: { readonly path: EmbedPath }): boolean =>
    path.length === 0 || embedAt(narrowed, path) !== undefined;
  const plain = changeParams(narrowed, { filters: filters.filter(isKept), logic: logic.filter(isKept) });
  const url = renderUrl(setLimit(plain, [], MAX_VALUES));
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

/** Keeps the embeds that decide which rows there are, without their columns. */
function keepFiltering(
  items: readonly SelectItem[],
  path: EmbedPath,
  filters: QueryModel['params']['filters'],
): readonly EmbedItem[] {
  const named = new Set(filters.filter((one) => isSamePath(one.path, path)).map(({ value }) => value.field.column));
  return items.filter(isEmbed).flatMap((item) => {
    const name = nameOfEmbed(item);
    if (item.join !== 'inner' && !named.has(name)) return [];
    return [{ ...item, kind: 'embed', select: keepFiltering(item.select, [...path, name], filters) }];
  });
}

export function readCounts(rows: readonly JsonObject[]): readonly Facet[] {
  const facets = rows.flatMap(({ entries }) => {
    const row = new Map(entries);
    const [value, count] = [row.get('value'), row.get('rows')];
    return value === undefined || count?.kind !== 'number' ? [] : [{ value, count: Number(count.text) }];
  });
  return facets.toSorted(byCount);
}

/** Counts the rows of the page. */
export function countPage(table: TableModel, column: string): readonly Facet[] {
  const counts = new Map<string, Facet>();
  for (let index = 0; index < table.count; index += 1) {
    const value = table.rowAt(index).values.get(column);
    if (value === undefined) continue;
    const key = JSON.stringify(value);
    counts.set(key, { value, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted(byCount).slice(0, MAX_VALUES);
}

/** Of equal counts, by value: the database returns groups in any order. */
function byCount(a: Facet, b: Facet): number {
  return b.count - a.count || BY_VALUE.compare(textOf(a.value) ?? '', textOf(b.value) ?? '');
}

const BY_VALUE = new Intl.Collator('en', { numeric: true });
