// The head of the table: names and types. A click sorts, dragging the right edge of a column resizes it.
import type { VirtualItem } from '@tanstack/virtual-core';
import type { VNode } from 'preact';
import type { OrderTerm } from '../../../src/request/query/query-params.ts';
import { Icon } from '../ui/icon.tsx';
import { shortTypeName } from '../schema/short-type.ts';
import { cellId, type CellPlace } from './grid-keys.ts';
import type { TableColumn } from '../rows/table-model.ts';
import type { ResultTableProps } from './table-props.ts';
import type { TableEdits } from './use-table-editing.ts';

export interface TableHeadProps extends Pick<
  ResultTableProps,
  'model' | 'orderOf' | 'onOrder' | 'headMenu' | 'rowMenu'
> {
  readonly id: string;
  readonly active: CellPlace;
  readonly onActive: (cell: CellPlace) => void;
  readonly visible: readonly VirtualItem[];
  /** Number of leading columns that stay in view. */
  readonly pinned: number;
  readonly widthPx: number;
  /** Width of what precedes the cells. */
  readonly startPx: number;
  readonly edits: TableEdits;
  readonly resize: (column: number, widthPx: number) => void;
}

export function TableHead(props: TableHeadProps): VNode {
  const { model, visible, widthPx, startPx, edits } = props;
  const { selection } = edits;
  return (
    <div class="result-head" role="rowgroup" style={{ width: `${widthPx}px` }}>
      <div role="row" aria-rowindex={1}>
        {startPx === 0 ? null : (
          <div class="result-menu-cell" role="columnheader" style={{ width: `${startPx}px` }}>
            {selection === undefined ? null : (
              <input
                type="checkbox"
                class="result-select"
                aria-label="Select all rows"
                tabIndex={-1}
                checked={selection.rows.size === model.count}
                indeterminate={selection.rows.size > 0 && selection.rows.size < model.count}
                onMouseDown={keepFocus}
                onClick={selection.toggleAll}
              />
            )}
            <span class="ui-unseen">Row</span>
          </div>
        )}
        {visible.map((item) => {
          const column = model.columns[item.index];
          return column === undefined ? null : <HeadCell key={column.name} {...props} item={item} column={column} />;
        })}
      </div>
    </div>
  );
}

/** The table is a single tab stop. */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault();
  const box = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=grid]') : null;
  box?.focus();
}

function HeadCell({
  id,
  active,
  onActive,
  orderOf,
  onOrder,
  headMenu,
  item,
  column,
  resize,
  pinned,
}: TableHeadProps & { readonly item: VirtualItem; readonly column: TableColumn }): VNode {
  const order = orderOf(column);
  const place = { row: -1, column: item.index };
  const isActive = active.row === -1 && active.column === item.index;
  const classes = [
    'result-head-cell',
    item.index < pinned ? 'result-cell-pinned' : '',
    column.isNumeric ? 'result-cell-number' : '',
    isActive ? 'result-cell-active' : '',
  ];
  return (
    <div
      id={cellId(id, place)}
      role="columnheader"
      class={classes.join(' ')}
      aria-colindex={item.index + 1}
      aria-sort={sortOf(order)}
      style={{ left: `${item.start}px`, width: `${item.size}px` }}
      onMouseDown={() => onActive(place)}
    >
      <HeadName {...{ column, order, onOrder }} />
      {headMenu?.(column)}
      <span
        class="result-resize"
        onPointerDown={(event) => startResize(event, item.size, (width) => resize(item.index, width))}
        onDblClick={() => resize(item.index, column.widthPx)}
      />
    </div>
  );
}

interface HeadNameProps extends Pick<TableHeadProps, 'onOrder'> {
  readonly column: TableColumn;
  readonly order: OrderTerm | undefined;
}

function HeadName({ column, order, onOrder }: HeadNameProps): VNode {
  const { name, info, isKey } = column;
  const type = info?.type?.name ?? (info?.level === undefined ? '' : 'embed');
  const text = (
    <>
      <span class="ui-row ui-gap-2 result-head-name">
        {isKey ? <Icon name="key" size={12} /> : null}
        <bdi title={name}>{name}</bdi>
        {order === undefined ? null : <Icon name={order.direction === 'desc' ? 'arrowDown' : 'arrowUp'} size={12} />}
      </span>
      <bdi class="result-head-type" title={type}>
        {shortTypeName(type)}
      </bdi>
    </>
  );
  if (info?.field === undefined || onOrder === undefined) return <span class="ui-stack result-head-text">{text}</span>;
  return (
    <button
      type="button"
      class="ui-stack result-head-text"
      tabIndex={-1}
      title={`${info.source?.comment ?? name}\nClick to sort; with Shift to add this column to the order`}
      onClick={(event) => onOrder(column, event.shiftKey)}
    >
      {text}
    </button>
  );
}

function sortOf(order: OrderTerm | undefined): 'none' | 'ascending' | 'descending' {
  if (order === undefined) return 'none';
  return order.direction === 'desc' ? 'descending' : 'ascending';
}

const [MIN_WIDTH_PX, MAX_WIDTH_PX] = [48, 1200];

function startResize(event: PointerEvent, widthPx: number, resize: (widthPx: number) => void): void {
  const handle = event.currentTarget;
  if (!(handle instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  handle.setPointerCapture(event.pointerId);
  const move = (moved: PointerEvent): void =>
    resize(Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, widthPx + moved.clientX - event.clientX)));
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
}
