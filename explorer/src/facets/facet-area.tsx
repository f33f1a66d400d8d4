// Adds menus to the table of rows: filters from a cell, and the values of a column from its head. They open by the
// secondary mouse button, Shift+F10, and the button in the head.
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { IconButton } from '../ui/button.tsx';
import { ContextMenu } from '../ui/context-menu.tsx';
import { Deferred } from '../ui/deferred.tsx';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import type { TableColumn, TableModel } from '../rows/table-model.ts';
import { type CellOfTable, listCellItems, listHeadItems } from './facet-items.ts';
import type { FacetPanel } from './facet-panel.tsx';
import './facet-area.css';

export interface FacetAreaProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly model: QueryModel;
  readonly table: TableModel;
  /** Renders the table with a button for each head. */
  readonly children: (headMenu: (column: TableColumn) => ComponentChildren) => ComponentChildren;
}

interface OpenMenu extends CellOfTable {
  readonly xPx: number;
  readonly yPx: number;
}

/** Loaded on demand. */
async function loadPanel(): Promise<typeof FacetPanel> {
  return (await import('./facet-panel.tsx')).FacetPanel;
}

export function FacetArea({ store, place, model, table, children }: FacetAreaProps): VNode {
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined);
  const [column, setColumn] = useState<TableColumn | undefined>(undefined);
  const open = (event: MouseEvent | KeyboardEvent): void => {
    const cell = findCell(event.target);
    const found = cell && readCell(cell, table);
    if (cell === undefined || found?.column.info?.field === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const { left, bottom } = cell.getBoundingClientRect();
    const isPointed = event instanceof MouseEvent && event.button === 2;
    const at = isPointed ? { xPx: event.clientX, yPx: event.clientY } : { xPx: left, yPx: bottom };
    setMenu({ ...found, ...at });
  };
  const actions = {
    change: (next: QueryModel) => store.go({ ...place, url: renderUrl(next) }),
    onValues: setColumn,
  };
  return (
    <div
      class="facet-area"
      onContextMenu={open}
      onKeyDownCapture={(event) => {
        if (event.key === 'F10' && event.shiftKey) open(event);
      }}
    >
      {children((head) =>
        head.info?.field === undefined ? null : (
          <IconButton
            class="facet-head-button"
            icon="filter"
            size="small"
            label={`Values of ${head.name}`}
            tabIndex={-1}
            onClick={() => setColumn(head)}
          />
        ),
      )}
      {menu === undefined ? null : (
        <ContextMenu
          label={`Filter by ${menu.column.name}`}
          at={menu}
          items={
            menu.row === undefined
              ? listHeadItems(model, menu.column, actions)
              : listCellItems(model, { ...menu, schema: place.schema, level: table.level }, actions)
          }
          onClose={() => setMenu(undefined)}
        />
      )}
      {column === undefined ? null : (
        <Deferred
          load={loadPanel}
          props={{ store, place, model, table, column, onClose: () => setColumn(undefined) }}
        />
      )}
    </div>
  );
}

/** Returns the cell of an event; for an event of the table itself, its active cell. */
function findCell(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const active = target.matches('[role=grid]') ? target.getAttribute('aria-activedescendant') : null;
  const start = active === null ? target : document.getElementById(active);
  return start?.closest<HTMLElement>('.result-cell, .result-head-cell') ?? undefined;
}

function readCell(cell: HTMLElement, table: TableModel): CellOfTable | undefined {
  const column = table.columns[Number(cell.getAttribute('aria-colindex')) - 1];
  const index = cell.closest<HTMLElement>('[data-index]')?.dataset['index'];
  return column && { column, row: index === undefined ? undefined : table.rowAt(Number(index)) };
}
