// Edits of the select list of a level. An item is addressed by its level and its index in that list.
import type { AggregateFunction, ColumnItem, Field, SelectItem } from '../../../src/request/query/query-params.ts';
import { changeSelect, type EmbedPath, isEmbed } from './levels.ts';
import type { QueryModel } from './query-model.ts';

export interface ItemAddress {
  readonly path: EmbedPath;
  readonly index: number;
}

/** Creates a field for a column without a path. */
export function columnField(column: string): Field {
  return { column, path: [] };
}

export function columnItem(column: string | Field): ColumnItem {
  const field = typeof column === 'string' ? columnField(column) : column;
  return { kind: 'column', field, alias: undefined, cast: undefined, aggregate: undefined };
}

/** Returns whether an item is the column without a path, with any alias, cast or aggregate. */
export function isColumn(item: SelectItem, column: string): item is ColumnItem {
  return item.kind === 'column' && item.field.column === column && item.field.path.length === 0;
}

/**
 * Selects `'all'`, or exactly these columns in this order. Existing columns keep alias, cast and aggregate, and embeds
 * stay after the columns; everything else is removed. At the top level, an empty list means all columns.
 */
export function setColumns(model: QueryModel, path: EmbedPath, columns: 'all' | readonly string[]): QueryModel {
  return changeSelect(model, path, (items) => {
    const own: readonly SelectItem[] =
      columns === 'all'
        ? [{ kind: 'all' }]
        : columns.map((column) => items.find((item) => isColumn(item, column)) ?? columnItem(column));
    return [...own, ...items.filter(isEmbed)];
  });
}

/** Adds a column or path before the embeds, even next to `*`, which does not include computed columns. */
export function addColumn(model: QueryModel, path: EmbedPath, column: string | Field): QueryModel {
  return changeSelect(model, path, (items) => insertBeforeEmbeds(items, columnItem(column)));
}

/** Removes all items of this column that have no path. */
export function removeColumn(model: QueryModel, path: EmbedPath, column: string): QueryModel {
  return changeSelect(model, path, (items) => items.filter((item) => !isColumn(item, column)));
}

/** Adds `count()`, the number of rows. */
export function addCountRows(model: QueryModel, path: EmbedPath): QueryModel {
  const item: SelectItem = { kind: 'countRows', alias: undefined, cast: undefined };
  return changeSelect(model, path, (items) => insertBeforeEmbeds(items, item));
}

/** Removes an item. Use `removeEmbed` for an embed. */
export function removeItem(model: QueryModel, { path, index }: ItemAddress): QueryModel {
  return changeSelect(model, path, (items) => items.filter((_, at) => at !== index));
}

/** Moves an item to another index of the level. */
export function moveItem(model: QueryModel, { path, index }: ItemAddress, to: number): QueryModel {
  return changeSelect(model, path, (items) => {
    const item = items[index];
    return item === undefined ? items : items.toSpliced(index, 1).toSpliced(to, 0, item);
  });
}

/** Sets the alias of a column or `count()`; undefined or `''` removes it. Use `setEmbedAlias` for an embed. */
export function setAlias(model: QueryModel, address: ItemAddress, alias: string | undefined): QueryModel {
  return changeItem(model, address, (item) => (isValue(item) ? { ...item, alias: alias || undefined } : item));
}

/** Casts a column (before any aggregate) or `count()`; undefined or `''` removes the cast. */
export function setCast(model: QueryModel, address: ItemAddress, cast: string | undefined): QueryModel {
  return changeItem(model, address, (item) => (isValue(item) ? { ...item, cast: cast || undefined } : item));
}

/** Sets the aggregate of a column; undefined removes it. */
export function setAggregate(
  model: QueryModel,
  address: ItemAddress,
  aggregate: AggregateFunction | undefined,
): QueryModel {
  return changeItem(model, address, (item) => {
    if (item.kind !== 'column') return item;
    const cast = item.aggregate?.cast;
    return { ...item, aggregate: aggregate && { function: aggregate, cast } };
  });
}

/** Returns whether an item is a column or `count()`, which can have an alias and a cast. */
function isValue(item: SelectItem): item is Extract<SelectItem, { kind: 'column' | 'countRows' }> {
  return item.kind === 'column' || item.kind === 'countRows';
}

function changeItem(
  model: QueryModel,
  { path, index }: ItemAddress,
  change: (item: SelectItem) => SelectItem,
): QueryModel {
  return changeSelect(model, path, (items) => items.map((item, at) => (at === index ? change(item) : item)));
}

function insertBeforeEmbeds(items: readonly SelectItem[], item: SelectItem): readonly SelectItem[] {
  const embeds = items.findIndex(isEmbed);
  return items.toSpliced(embeds < 0 ? items.length : embeds, 0, item);
}
