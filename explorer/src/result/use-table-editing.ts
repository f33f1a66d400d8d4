// Selecting rows and editing cells of the table.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { markHintSeen } from './edit-hint.tsx';
import type { CellPlace } from './grid-keys.ts';
import type { RowOfLevel } from '../rows/row-links.ts';
import type { TableKey } from './table-keys.ts';
import type { EditorStep, ResultTableProps, SelectedRows, TableAction } from './table-props.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';

export interface TableEdits {
  /** Undefined if rows cannot be selected. */
  readonly selection: RowSelection | undefined;
  /** Actions for the selected rows, if there are some. */
  readonly actions: VNode | null;
  /** Returns false if the key has no effect. */
  readonly follow: (key: TableKey) => boolean;
  /** Whether any cell can be edited. */
  readonly isEditable: boolean;
  readonly canEdit: (cell: CellPlace) => boolean;
  /** Opens the editor of a cell, if it can be edited. */
  readonly edit: (cell: CellPlace) => boolean;
  /** Returns the editor of a cell, if it is open. */
  readonly editorAt: (cell: CellPlace) => VNode | undefined;
}

export interface TableEditingOptions extends Pick<
  ResultTableProps,
  'model' | 'schema' | 'response' | 'insertedRows' | 'editing'
> {
  readonly active: CellPlace;
  readonly moveTo: (cell: CellPlace) => void;
  /** Moves the focus back to the table. */
  readonly focus: () => void;
  readonly cellElement: (cell: CellPlace) => HTMLElement | null;
}

export function useTableEditing(options: TableEditingOptions): TableEdits {
  const { model, schema, response, insertedRows, editing, active } = options;
  const selection = useRowSelection([response, insertedRows], model.count);
  const rowAt = (row: number): RowOfLevel => ({ row: model.rowAt(row).object, level: model.level, schema });
  const cells = useEditedCell(options, rowAt);
  const selected: SelectedRows = {
    count: selection.rows.size,
    list: () => [...selection.rows].sort((a, b) => a - b).map(rowAt),
    clear: selection.clear,
  };
  const isTargetActive = selected.count === 0 && active.row >= 0;
  const target = isTargetActive ? { ...selected, count: 1, list: () => [rowAt(active.row)] } : selected;
  const actions = keyActions({ ...options, selection, target, edit: cells.edit });
  return {
    ...cells,
    selection: editing === undefined ? undefined : selection,
    actions: editing === undefined || selected.count === 0 ? null : editing.renderActions(selected),
    follow: (key) => actions[key](),
  };
}

type EditedCells = Pick<TableEdits, 'isEditable' | 'canEdit' | 'edit' | 'editorAt'>;

function useEditedCell(options: TableEditingOptions, rowAt: (row: number) => RowOfLevel): EditedCells {
  const { model, editing, moveTo, focus } = options;
  const [edited, setEdited] = useState<CellPlace | undefined>(undefined);
  const canEdit = ({ row, column }: CellPlace): boolean => {
    const described = model.columns[column];
    return row >= 0 && row < model.count && described !== undefined && editing?.canEdit(rowAt(row), described) === true;
  };
  const edit = (cell: CellPlace): boolean => {
    if (!canEdit(cell)) return false;
    moveTo(cell);
    setEdited(cell);
    markHintSeen();
    return true;
  };
  const close = (cell: CellPlace, step: EditorStep): void => {
    setEdited(undefined);
    focus();
    const next = step === 'stay' ? undefined : findEditable({ model, canEdit }, cell, step);
    if (next !== undefined) edit(next);
  };
  const editorAt = (cell: CellPlace): VNode | undefined => {
    const column = model.columns[cell.column];
    const isOpen = edited?.row === cell.row && edited.column === cell.column;
    if (!isOpen || column === undefined || editing === undefined) return undefined;
    const value = model.rowAt(cell.row).values.get(column.name) ?? { kind: 'null' };
    return editing.renderEditor({ row: rowAt(cell.row), column, value, onClose: (step) => close(cell, step) });
  };
  const isEditable = editing !== undefined && model.columns.some((_, column) => canEdit({ row: 0, column }));
  return { isEditable, canEdit, edit, editorAt };
}

interface KeyActionsOptions extends TableEditingOptions, Pick<TableEdits, 'edit'> {
  readonly selection: RowSelection;
  /** The selected rows, or else the active one. */
  readonly target: SelectedRows;
}

/** Actions return false if they have no effect. */
function keyActions(options: KeyActionsOptions): Readonly<Record<TableKey, () => boolean>> {
  const { model, editing, active, moveTo, cellElement, selection, target, edit } = options;
  const click = (element: HTMLElement | null | undefined): boolean => {
    element?.click();
    return true;
  };
  const openCell = (): boolean => click(cellElement(active)?.querySelector<HTMLElement>('a, button'));
  const extend = (by: number): boolean => {
    const row = Math.min(model.count - 1, Math.max(0, active.row + by));
    selection.extend(Math.max(0, active.row), row);
    moveTo({ ...active, row });
    return true;
  };
  const act = (action: TableAction): boolean => {
    if (action === 'undo' || target.count > 0) editing?.act(action, target);
    return true;
  };
  return {
    editCell: () => edit(active),
    editOrOpen: () => edit(active) || openCell(),
    open: openCell,
    menu: () =>
      click(cellElement(active)?.closest('[role=row]')?.querySelector<HTMLElement>('.result-menu-cell button')),
    toggleRow: () => done(() => active.row >= 0 && selection.toggle(active.row)),
    extendUp: () => extend(-1),
    extendDown: () => extend(1),
    selectAll: () => done(selection.toggleAll),
    clear: () => selection.rows.size > 0 && done(selection.clear),
    edit: () => act('edit'),
    delete: () => act('delete'),
    undo: () => act('undo'),
  };
}

function done(action: () => unknown): true {
  action();
  return true;
}

interface EditableCells extends Pick<TableEditingOptions, 'model'> {
  readonly canEdit: (cell: CellPlace) => boolean;
}

/** Finds the next or previous cell that can be edited, up to the end of the following row. */
function findEditable({ model, canEdit }: EditableCells, from: CellPlace, step: EditorStep): CellPlace | undefined {
  const by = step === 'next' ? 1 : -1;
  const width = model.columns.length;
  const start = from.row * width + from.column;
  for (let at = start + by; Math.abs(at - start) <= 2 * width && at >= 0; at += by) {
    const cell = { row: Math.floor(at / width), column: at % width };
    if (canEdit(cell)) return cell;
  }
  return undefined;
}
