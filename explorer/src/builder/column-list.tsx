// The list of columns with their selected items. A long list renders only the visible rows, at a fixed height, and
// edits a column below the list.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedColumn } from '../../../src/contract/schema-document.ts';
import { columnItem } from '../url-state/edit-columns.ts';
import { useRowsInView } from '../ui/use-rows-in-view.ts';
import { ColumnRow } from './column-row.tsx';
import { isPlainColumn, nameColumn } from './edit-items.ts';
import { ItemEditor } from './item-editor.tsx';
import { itemsOf, type Level } from './level.ts';

export interface ColumnListProps {
  readonly level: Level;
  readonly columns: readonly DescribedColumn[];
  readonly selected: ReadonlySet<DescribedColumn>;
}

const SCROLLED_FROM = 60;
const ROW_PX = 28;

export function ColumnList({ level, columns, selected }: ColumnListProps): VNode {
  const [edited, setEdited] = useState<DescribedColumn | undefined>(undefined);
  const row = (column: DescribedColumn): VNode => (
    <ColumnRow
      {...{ level, column }}
      isSelected={selected.has(column)}
      isEdited={edited === column}
      onEdit={() => setEdited(edited === column ? undefined : column)}
    />
  );
  const editor = (column: DescribedColumn): VNode | null =>
    edited === column && selected.has(column) ? <ColumnEditor key={column.name} {...{ level, column }} /> : null;
  if (columns.length >= SCROLLED_FROM) {
    return (
      <>
        <ScrolledList columns={columns} row={row} />
        {edited === undefined ? null : editor(edited)}
      </>
    );
  }
  return (
    <ul>
      {columns.map((column) => (
        <li key={column.name}>
          {row(column)}
          {editor(column)}
        </li>
      ))}
    </ul>
  );
}

interface ScrolledListProps {
  readonly columns: readonly DescribedColumn[];
  readonly row: (column: DescribedColumn) => VNode;
}

function ScrolledList({ columns, row }: ScrolledListProps): VNode {
  const { box, first, end } = useRowsInView(columns.length, ROW_PX);
  return (
    <div class="builder-scroller" ref={box}>
      <ul style={{ height: `${columns.length * ROW_PX}px` }}>
        {columns.slice(first, end).map((column, offset) => {
          const index = first + offset;
          return (
            <li
              key={column.name}
              aria-setsize={columns.length}
              aria-posinset={index + 1}
              style={{ height: `${ROW_PX}px`, transform: `translateY(${index * ROW_PX}px)` }}
            >
              {row(column)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function ColumnEditor({ level, column }: { readonly level: Level; readonly column: DescribedColumn }): VNode {
  const { model, path, source } = level;
  const item = itemsOf(level).find((one) => isPlainColumn(one, column.name));
  return (
    <fieldset class="builder-card">
      <legend class="builder-card-title">
        <bdi>{column.name}</bdi>
      </legend>
      <ItemEditor
        level={level}
        item={item ?? columnItem(column.name)}
        onEdit={(edit, step) => {
          const named = nameColumn({ model, path, columns: source.columns }, column.name);
          level.change(edit(named.model, named.address), step);
        }}
      />
    </fieldset>
  );
}
