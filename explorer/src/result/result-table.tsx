// A table of any size that renders only the visible rows and columns. An ARIA grid: a single tab stop, with arrow keys
// to move, and Enter to open, follow or sort.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { cellId, type CellPlace, moveCell } from './grid-keys.ts';
import { TableHead } from './table-head.tsx';
import type { ResultTableProps } from './table-props.ts';
import { TableRowView } from './table-row.tsx';
import { useVirtualizer } from './use-virtualizer.ts';
import './table.css';

/** Must match table.css. */
const [ROW_PX, HEAD_PX, MENU_PX] = [34, 46, 40];

export function ResultTable(props: ResultTableProps): VNode {
  const { model, schema, rowMenu } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  /** The column that is open below each row. */
  const [open, setOpen] = useState<ReadonlyMap<number, number>>(new Map());
  const startPx = rowMenu === undefined ? 0 : MENU_PX;
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
    scrollPaddingStart: startPx,
  });
  useEffect(() => {
    setOpen(new Map());
    setActive((at) => ({ row: Math.min(at.row, 0), column: Math.min(at.column, model.columns.length - 1) }));
    rows.measure();
    if (box.current !== null) box.current.scrollTop = 0;
  }, [model, rows]);

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
  const press = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const pageRows = Math.floor(((box.current?.clientHeight ?? 0) - HEAD_PX) / ROW_PX);
    const next = moveCell(active, event, { rows: model.count, columns: model.columns.length, pageRows });
    if (next !== undefined) moveTo(next);
    else if (event.key === 'Enter' || event.key === ' ')
      cellElement(active)?.querySelector<HTMLElement>('a, button')?.click();
    else if (event.key === 'ContextMenu') menuButton(cellElement(active))?.click();
    else return;
    event.preventDefault();
  };
  const items = rows.getVirtualItems();
  const visible = columns.getVirtualItems();
  const widthPx = columns.getTotalSize();
  return (
    <div
      ref={box}
      class="result-grid"
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={model.count + 1}
      aria-colcount={model.columns.length}
      aria-activedescendant={cellId(id, active)}
      onKeyDown={press}
    >
      <TableHead {...props} {...{ id, active, visible, widthPx, onActive: setActive, resize: columns.resizeItem }} />
      <div class="result-rows" role="rowgroup" style={{ height: `${rows.getTotalSize()}px`, width: `${widthPx}px` }}>
        {items.map((item) => (
          <TableRowView
            // Reuses the elements of rows that left the view.
            key={open.has(item.index) ? `open ${item.index}` : item.index % items.length}
            {...{ id, model, schema, rowMenu, active, visible, toggle, onActive: setActive }}
            index={item.index}
            topPx={item.start}
            openColumn={open.get(item.index)}
            measure={rows.measureElement}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the menu button in the row of a cell. */
function menuButton(cell: HTMLElement | null): HTMLElement | null | undefined {
  return cell?.closest('[role=row]')?.querySelector<HTMLElement>('.result-menu-cell button');
}
