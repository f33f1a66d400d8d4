// The items of the menus of cells and column heads.
import type { Field, Operation } from '../../../src/request/query/query-params.ts';
import { copyText } from '../copy/copy-text.ts';
import { linkOf, type RowOfLevel, textOf } from '../rows/row-links.ts';
import type { TableColumn, TableRow } from '../rows/table-model.ts';
import type { MenuItem } from '../ui/menu.tsx';
import type { QueryModel } from '../url-state/query-model.ts';
import { addFilter, compare, equals, IS_NULL, isOrdered, keepOnly } from './edit-filters.ts';

export interface CellOfTable {
  readonly column: TableColumn;
  /** Undefined for the head. */
  readonly row: TableRow | undefined;
}

export interface FacetActions {
  readonly change: (model: QueryModel) => void;
  /** Shows the values of the column. */
  readonly onValues: (column: TableColumn) => void;
}

export function listHeadItems(model: QueryModel, column: TableColumn, actions: FacetActions): readonly MenuItem[] {
  return [
    { label: 'Values and ranges…', icon: 'filter', onSelect: () => actions.onValues(column) },
    ...nullItems(model, column, actions),
  ];
}

type Cell = CellOfTable & Pick<RowOfLevel, 'level' | 'schema'>;

export function listCellItems(model: QueryModel, cell: Cell, actions: FacetActions): readonly MenuItem[] {
  const { column, row } = cell;
  const field = column.info?.field;
  const value = row?.values.get(column.name);
  if (field === undefined || value === undefined) return [];
  const text = textOf(value);
  const operation = column.info?.type?.isArray === true ? undefined : equals(value);
  return [
    ...(operation === undefined ? [] : valueItems(model, { field, operation, column }, actions)),
    ...(text === undefined || operation === undefined ? [] : orderItems(model, { field, text, column }, actions)),
    ...(value.kind === 'null' ? [] : nullItems(model, column, actions)),
    { label: 'Values and ranges…', icon: 'filter', onSelect: () => actions.onValues(column) },
    ...(text === undefined
      ? []
      : [{ label: 'Copy the value', icon: 'copy', onSelect: () => void copyText(text) } as const]),
    ...linkItems(cell),
  ];
}

interface OfField {
  readonly field: Field;
  readonly column: TableColumn;
}

function valueItems(
  model: QueryModel,
  { field, operation }: OfField & { readonly operation: Operation },
  { change }: FacetActions,
): readonly MenuItem[] {
  const isNull = operation.kind === 'is';
  return [
    {
      label: isNull ? 'Only null' : 'Only this value',
      icon: 'check',
      onSelect: () => change(keepOnly(model, field, operation)),
    },
    {
      label: isNull ? 'Not null' : 'Not this value',
      icon: 'cancel',
      onSelect: () => change(addFilter(model, field, operation, true)),
    },
  ];
}

function orderItems(
  model: QueryModel,
  { field, text, column }: OfField & { readonly text: string },
  { change }: FacetActions,
): readonly MenuItem[] {
  if (!isOrdered(column.info?.type)) return [];
  return [
    {
      label: 'Greater than this',
      icon: 'chevronRight',
      onSelect: () => change(addFilter(model, field, compare('gt', text))),
    },
    {
      label: 'Less than this',
      icon: 'chevronLeft',
      onSelect: () => change(addFilter(model, field, compare('lt', text))),
    },
  ];
}

function nullItems(model: QueryModel, { info }: TableColumn, { change }: FacetActions): readonly MenuItem[] {
  const field = info?.field;
  if (field === undefined || info?.source?.isNullable === false) return [];
  return [
    { label: 'Is null', onSelect: () => change(keepOnly(model, field, IS_NULL)) },
    { label: 'Is not null', onSelect: () => change(addFilter(model, field, IS_NULL, true)) },
  ];
}

function linkItems({ column, row, level, schema }: Cell): readonly MenuItem[] {
  const link = row && linkOf(column.name, { row: row.object, level, schema });
  if (link === undefined) return [];
  return [{ label: 'Open in a new tab', icon: 'external', onSelect: () => void window.open(link.href, '_blank') }];
}
