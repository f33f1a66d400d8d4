// A table of any size that renders only the visible rows and columns. An ARIA grid: a single tab stop, with arrow keys
// to move, Enter to edit or open a cell, and Shift to select rows.
import { defaultRangeExtractor } from '@tanstack/virtual-core';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { EditHint } from './edit-hint.tsx';
import { cellId, type CellPlace, moveCell } from './grid-keys.ts';
import { TableHead } from './table-head.tsx';
import { tableKeyOf } from './table-keys.ts';
import type { TableModel } from '../rows/table-model.ts';
import type { ResultTableProps } from './table-props.ts';
import { TableRowView } from './table-row.tsx';
import type { VisiblePart } from './use-foreign-labels.ts';
import { useTableEditing } from './use-table-editing.ts';
import { useVirtualizer } from './use-virtualizer.ts';
import './row-marks.css';
import './table.css';

/** Must match table.css. */
const [ROW_PX, HEAD_PX, MENU_PX, SELECT_PX] = [34, 46, 40, 28];

export function ResultTable(props: ResultTableProps): VNode {
  const { model, schema, rowMenu, labels, source, insertedRows } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  /** The column that is open below each row. */
  const [open, setOpen] = useState<ReadonlyMap<number, number>>(new Map());
  const startPx = (rowMenu === undefined ? 0 : MENU_PX) + (props.editing === undefined ? 0 : SELECT_PX);
  const { pinned, pinnedPx } = pinKey(model);
  const rows = useVirtualizer({
    count: model.count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    scrollPaddingStart: HEAD_PX,
  });
  const columns = useVirtualizer({
    count: model.columns.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => model.columns[index]?.widthPx ?? 0,
    horizontal: true,
    overscan: 2,
    paddingStart: startPx,
    scrollPaddingStart: startPx + pinnedPx,
    rangeExtractor: (range) => [
      ...Array.from({ length: pinned }, (_, index) => index),
      ...defaultRangeExtractor(range).filter((index) => index >= pinned),
    ],
  });
  useEffect(() => {
    setOpen(new Map());
    setActive((at) => ({ row: Math.min(at.row, 0), column: Math.min(at.column, model.columns.length - 1) }));
    rows.measure();
    if (box.current !== null) box.current.scrollTop = 0;
  }, [source, rows]);
  useEffect(() => {
    setActive((at) => ({ row: Math.min(at.row, model.count - 1), column: at.column }));
  }, [model]);
  useEffect(() => {
    if (insertedRows === 0) return;
    setOpen(new Map());
    rows.measure();
    moveTo({ row: 0, column: 0 });
  }, [insertedRows]);

  const toggle = (row: number, column: number): void => {
    const next = new Map(open);
    if (next.get(row) === column) {
      next.delete(row);
      rows.resizeItem(row, ROW_PX);
    } else next.set(row, column);
    setOpen(next);
  };
  const moveTo = (next: CellPlace): void => {
    setActive(next);
    if (next.row >= 0) rows.scrollToIndex(next.row, { align: 'auto' });
    columns.scrollToIndex(next.column, { align: 'auto' });
  };
  const cellElement = (cell: CellPlace): HTMLElement | null => document.getElementById(cellId(id, cell));
  const focus = (): void => box.current?.focus();
  const edits = useTableEditing({ ...props, active, moveTo, focus, cellElement });
  const press = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const key = tableKeyOf(event, props.editing !== undefined);
    const pageRows = Math.floor(((box.current?.clientHeight ?? 0) - HEAD_PX) / ROW_PX);
    const next =
      key === undefined
        ? moveCell(active, event, { rows: model.count, columns: model.columns.length, pageRows })
        : undefined;
    if (next !== undefined) moveTo(next);
    else if (key === undefined || !edits.follow(key)) return;
    event.preventDefault();
  };
  const items = rows.getVirtualItems();
  const visible = columns.getVirtualItems();
  const widthPx = columns.getTotalSize();
  const shown: VisiblePart = {
    firstRow: items[0]?.index ?? 0,
    lastRow: items.at(-1)?.index ?? 0,
    columns: visible.flatMap(({ index }) => model.columns[index]?.name ?? []),
  };
  useEffect(() => {
    if (items.length > 0) props.labels?.onVisible(shown);
  }, [model, JSON.stringify(shown)]);
  const grid = (
    <div
      ref={box}
      class="result-grid"
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={model.count + 1}
      aria-colcount={model.columns.length}
      aria-activedescendant={cellId(id, active)}
      aria-multiselectable={props.editing !== undefined}
      aria-readonly={!edits.isEditable}
      onKeyDown={press}
    >
      <TableHead
        {...props}
        {...{ id, active, visible, pinned, widthPx, startPx, edits, onActive: setActive, resize: columns.resizeItem }}
      />
      <div class="result-rows" role="rowgroup" style={{ height: `${rows.getTotalSize()}px`, width: `${widthPx}px` }}>
        {items.map((item) => (
          <TableRowView
            // Reuses the elements of rows that left the view.
            key={open.has(item.index) ? `open ${item.index}` : item.index % items.length}
            {...{
              id,
              model,
              schema,
              rowMenu,
              labels,
              edits,
              startPx,
              active,
              visible,
              pinned,
              toggle,
              onActive: setActive,
            }}
            index={item.index}
            mark={props.marks?.get(item.index)}
            topPx={item.start}
            openColumn={open.get(item.index)}
            measure={rows.measureElement}
          />
        ))}
      </div>
    </div>
  );
  return (
    <>
      {edits.actions}
      {edits.isEditable ? <EditHint /> : null}
      {grid}
    </>
  );
}

/** The leading columns of the primary key stay in view. */
function pinKey({ columns }: TableModel): { readonly pinned: number; readonly pinnedPx: number } {
  const other = columns.findIndex(({ isKey }) => !isKey);
  const pinned = other === -1 ? 0 : other;
  return { pinned, pinnedPx: columns.slice(0, pinned).reduce((sum, { widthPx }) => sum + widthPx, 0) };
}
