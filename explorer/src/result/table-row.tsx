// A row of the table: its visible cells, and the opened value below them.
import type { VirtualItem } from '@tanstack/virtual-core';
import type { ComponentChildren, VNode } from 'preact';
import type { RowMark } from '../client/exchange.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { cellId, type CellPlace } from './grid-keys.ts';
import { LinkedValue, ValueLabel } from './linked-value.tsx';
import { linkOf, type RowOfLevel } from '../rows/row-links.ts';
import { keepFocus } from './table-head.tsx';
import type { TableColumn, TableModel, TableRow } from '../rows/table-model.ts';
import type { ResultTableProps } from './table-props.ts';
import type { TableEdits } from './use-table-editing.ts';
import { describeValue, isLong } from '../rows/value-text.ts';
import { ValueView } from './value-view.tsx';

export interface TableRowProps {
  /** Id of the table. */
  readonly id: string;
  readonly model: TableModel;
  readonly schema: string | undefined;
  readonly index: number;
  /** What just happened to the row. */
  readonly mark: RowMark | undefined;
  readonly topPx: number;
  readonly visible: readonly VirtualItem[];
  /** Number of leading columns that stay in view. */
  readonly pinned: number;
  readonly active: CellPlace;
  readonly onActive: (cell: CellPlace) => void;
  readonly openColumn: number | undefined;
  readonly toggle: (row: number, column: number) => void;
  readonly labels: ResultTableProps['labels'];
  readonly rowMenu: ((row: RowOfLevel) => ComponentChildren) | undefined;
  readonly edits: TableEdits;
  /** Width of what precedes the cells. */
  readonly startPx: number;
  /** Measures an open row, whose height varies. */
  readonly measure: (element: HTMLDivElement | null) => void;
}

export function TableRowView(props: TableRowProps): VNode {
  const { model, schema, index, topPx, visible, openColumn, startPx, edits, measure } = props;
  const isSelected = edits.selection?.rows.has(index);
  const row = model.rowAt(index);
  const rowOfLevel = { row: row.object, level: model.level, schema };
  return (
    <div
      ref={openColumn === undefined ? null : measure}
      class={classesOf(props, isSelected === true)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <div class="result-row-line" role="presentation">
        {startPx === 0 ? null : <RowStart {...props} rowOfLevel={rowOfLevel} />}
        {visible.map((item) => {
          const column = model.columns[item.index];
          return column === undefined ? null : (
            <Cell key={column.name} {...props} {...{ row, rowOfLevel, item, column }} />
          );
        })}
      </div>
      {openColumn === undefined ? null : <OpenValue {...props} row={row} columnIndex={openColumn} />}
    </div>
  );
}

/** Number of rows at the end whose editor opens upwards. */
const LOW_ROWS = 4;

function classesOf({ model, index, mark }: TableRowProps, isSelected: boolean): string {
  const isLow = model.count > LOW_ROWS * 2 && index >= model.count - LOW_ROWS;
  const states = [isSelected ? 'selected' : [], isLow ? 'low' : [], mark ?? []].flat();
  return ['result-row', ...states.map((state) => `result-row-${state}`)].join(' ');
}

/** The checkbox and the menu of a row. */
function RowStart({ index, mark, rowMenu, startPx, edits: { selection }, rowOfLevel }: RowStartProps): VNode {
  return (
    <div class="result-menu-cell" role="gridcell" style={{ width: `${startPx}px` }}>
      {mark === 'new' ? <span class="ui-unseen">New</span> : null}
      {selection === undefined ? null : (
        <input
          type="checkbox"
          class="result-select"
          aria-label={`Select row ${index + 1}`}
          tabIndex={-1}
          checked={selection.rows.has(index)}
          onMouseDown={keepFocus}
          onClick={(event) => (event.shiftKey ? selection.extend(index, index) : selection.toggle(index))}
        />
      )}
      {rowMenu?.(rowOfLevel)}
    </div>
  );
}

interface RowStartProps extends TableRowProps {
  readonly rowOfLevel: RowOfLevel;
}

interface CellProps extends TableRowProps {
  readonly row: TableRow;
  readonly rowOfLevel: RowOfLevel;
  readonly item: VirtualItem;
  readonly column: TableColumn;
}

function Cell(props: CellProps): VNode {
  const { id, model, index, active, onActive, openColumn, toggle } = props;
  const { row, rowOfLevel, item, column, edits, labels, pinned } = props;
  const place = { row: index, column: item.index };
  const isActive = active.row === index && active.column === item.index;
  const value = row.values.get(column.name);
  const editor = edits.editorAt(place);
  const canEdit = edits.isEditable && edits.canEdit(place);
  const classes = [
    'result-cell',
    item.index < pinned ? 'result-cell-pinned' : '',
    editor !== undefined ? 'result-cell-editing' : canEdit ? 'result-cell-editable' : '',
    column.isNumeric ? 'result-cell-number' : '',
    isActive ? 'result-cell-active' : '',
  ];
  const described = value && describeValue(value, column.info?.type, column.info?.level !== undefined);
  const isOpen = openColumn === item.index;
  // The summary of a related row is longer than any column, so it takes the free space at the end of the row.
  const isLastEmbed = column.info?.level !== undefined && item.index === model.columns.length - 1;
  const width = isLastEmbed ? { right: 0 } : { width: `${item.size}px` };
  return (
    <div
      id={cellId(id, place)}
      role="gridcell"
      class={classes.join(' ')}
      aria-colindex={item.index + 1}
      aria-readonly={edits.isEditable ? !canEdit : undefined}
      style={{ left: `${item.start}px`, ...width }}
      onMouseDown={() => onActive(place)}
      onDblClick={() => edits.edit(place)}
    >
      {editor !== undefined ? (
        editor
      ) : value === undefined || described === undefined ? null : isLong(value) ? (
        <button
          type="button"
          class="ui-row ui-gap-2 result-fold"
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={() => toggle(index, item.index)}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
          <LinkedValue described={described} href={undefined} />
        </button>
      ) : (
        <>
          <LinkedValue described={described} href={linkOf(column.name, rowOfLevel)?.href} isInGrid />
          <ValueLabel text={labels?.labelOf(column.name, value)} />
        </>
      )}
    </div>
  );
}

interface OpenValueProps extends TableRowProps {
  readonly row: TableRow;
  readonly columnIndex: number;
}

function OpenValue({ model, schema, index, toggle, row, columnIndex }: OpenValueProps): VNode | null {
  const column = model.columns[columnIndex];
  const value = column && row.values.get(column.name);
  if (column === undefined || value === undefined) return null;
  return (
    <div class="result-open" role="gridcell" aria-colindex={columnIndex + 1}>
      <div class="ui-row ui-gap-3 result-open-head">
        <bdi title={column.name}>{column.name}</bdi>
        <IconButton icon="close" label="Close" size="small" onClick={() => toggle(index, columnIndex)} />
      </div>
      <ValueView value={value} level={column.info?.level} schema={schema} />
    </div>
  );
}
