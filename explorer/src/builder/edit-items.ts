// Edits of the select list by the checkboxes of columns. `*` includes all columns except computed ones.
import type { DescribedColumn } from '../../../src/contract/schema-document.ts';
import type { ColumnItem, SelectItem } from '../../../src/request/query/query-params.ts';
import { columnItem, isColumn, type ItemAddress } from '../url-state/edit-columns.ts';
import { changeSelect, type EmbedPath, isEmbed, selectAt } from '../url-state/levels.ts';
import type { QueryModel } from '../url-state/query-model.ts';

/** Returns whether an item is what the checkbox represents: the column itself, with any alias or cast. */
export function isPlainColumn(item: SelectItem, column: string): item is ColumnItem {
  return isPlainItem(item) && item.field.column === column;
}

function isPlainItem(item: SelectItem): item is ColumnItem {
  return item.kind === 'column' && isColumn(item, item.field.column) && item.aggregate === undefined;
}

export function hasAll(items: readonly SelectItem[]): boolean {
  return items.some(({ kind }) => kind === 'all');
}

/** Returns the columns that the response contains. */
export function selectedColumns(
  items: readonly SelectItem[],
  columns: readonly DescribedColumn[],
): ReadonlySet<DescribedColumn> {
  const isAll = hasAll(items);
  const named = new Set(items.map((item) => (isPlainItem(item) ? item.field.column : undefined)));
  return new Set(columns.filter(({ name, isComputed }) => named.has(name) || (isAll && !isComputed)));
}

/** Selects `*` and removes the columns it includes. */
export function selectAll(model: QueryModel, path: EmbedPath): QueryModel {
  return changeSelect(model, path, (items) => [{ kind: 'all' }, ...items.filter((item) => !isBare(item))]);
}

/** Deselects all columns. The top level keeps its first column if nothing else is selected. */
export function selectNone(model: QueryModel, path: EmbedPath, columns: readonly DescribedColumn[]): QueryModel {
  return changeSelect(model, path, (items) => {
    const others = items.filter((item) => item.kind !== 'all' && !isBare(item));
    const first = columns[0];
    const isEmpty = path.length === 0 && others.every(isEmbed);
    return isEmpty && first !== undefined ? [columnItem(first.name), ...others] : others;
  });
}

export function addPlainColumn(model: QueryModel, path: EmbedPath, column: string): QueryModel {
  return changeSelect(model, path, (items) => {
    const at = items.findIndex((item) => item.kind !== 'all' && !isBare(item));
    return items.toSpliced(at < 0 ? items.length : at, 0, columnItem(column));
  });
}

/** Removes a column. If `*` includes it, replaces `*` by the other columns. */
export function removePlainColumn(level: ColumnsOfLevel, column: string): QueryModel {
  const { model, path } = nameColumns(level);
  return changeSelect(model, path, (items) => items.filter((item) => !isPlainColumn(item, column)));
}

export interface ColumnsOfLevel {
  readonly model: QueryModel;
  readonly path: EmbedPath;
  readonly columns: readonly DescribedColumn[];
}

/** Returns the model with a separate item for the column, and the index of that item. */
export function nameColumn(
  level: ColumnsOfLevel,
  column: string,
): { readonly model: QueryModel; readonly address: ItemAddress } {
  const { path } = level;
  const named = selectAt(level.model, path).some((item) => isPlainColumn(item, column)) ? level : nameColumns(level);
  const index = selectAt(named.model, path).findIndex((item) => isPlainColumn(item, column));
  if (index >= 0) return { model: named.model, address: { path, index } };
  const model = addPlainColumn(named.model, path, column);
  return { model, address: { path, index: selectAt(model, path).findIndex((item) => isPlainColumn(item, column)) } };
}

/** Replaces `*` by the names of all columns. */
function nameColumns(level: ColumnsOfLevel): ColumnsOfLevel {
  const model = changeSelect(level.model, level.path, (items) => {
    const named = selectedColumns(
      items.filter(({ kind }) => kind !== 'all'),
      level.columns,
    );
    const others = level.columns.filter((column) => !column.isComputed && !named.has(column));
    return items.flatMap((item) => (item.kind === 'all' ? others.map(({ name }) => columnItem(name)) : [item]));
  });
  return { ...level, model };
}

/** Returns whether an item is a column without alias, cast or aggregate. */
function isBare(item: SelectItem): boolean {
  return isPlainItem(item) && item.alias === undefined && item.cast === undefined;
}
