// Props of the table.
import type { ComponentChildren, VNode } from 'preact';
import type { OrderTerm } from '../../../src/request/query/query-params.ts';
import type { RowMark } from '../client/exchange.ts';
import type { JsonValue } from '../rows/json-value.ts';
import type { RowOfLevel } from '../rows/row-links.ts';
import type { TableColumn, TableModel } from '../rows/table-model.ts';
import type { ForeignLabels } from './use-foreign-labels.ts';

export interface ResultTableProps {
  readonly model: TableModel;
  /** The requested schema. */
  readonly schema: string | undefined;
  readonly label: string;
  /** Identifies the request. Rows of the same request keep the scroll position and the active cell. */
  readonly source: string;
  /** Identifies the response, also after some of its rows were amended. */
  readonly response: unknown;
  /** Number of rows at the top that were just inserted; the first one becomes visible. */
  readonly insertedRows: number;
  /** What just happened to rows, by index. */
  readonly marks?: ReadonlyMap<number, RowMark> | undefined;
  readonly orderOf: (column: TableColumn) => OrderTerm | undefined;
  /** @param keepsOthers whether to add the column to the existing order */
  readonly onOrder: ((column: TableColumn, keepsOthers: boolean) => void) | undefined;
  /** Button in the head of each column. */
  readonly headMenu?: ((column: TableColumn) => ComponentChildren) | undefined;
  /** Labels of the rows that foreign keys reference. */
  readonly labels?: Pick<ForeignLabels, 'labelOf' | 'onVisible'> | undefined;
  /** Menu shown before each row. */
  readonly rowMenu: ((row: RowOfLevel) => ComponentChildren) | undefined;
  /** Undefined if the rows cannot be changed. */
  readonly editing: TableEditing | undefined;
}

/** How to change rows in the table. */
export interface TableEditing {
  readonly canEdit: (row: RowOfLevel, column: TableColumn) => boolean;
  readonly renderEditor: (cell: EditedCell) => VNode;
  /** Renders actions for the selected rows. */
  readonly renderActions: (selected: SelectedRows) => VNode;
  /** Does what a key requests, for the selected rows or else the active one. */
  readonly act: (action: TableAction, selected: SelectedRows) => void;
}

export type TableAction = 'edit' | 'delete' | 'undo';

export interface SelectedRows {
  readonly count: number;
  readonly list: () => readonly RowOfLevel[];
  readonly clear: () => void;
}

export interface EditedCell {
  readonly row: RowOfLevel;
  readonly column: TableColumn;
  readonly value: JsonValue;
  /** Closes the editor. `next` and `previous` continue with another cell. */
  readonly onClose: (step: EditorStep) => void;
}

export type EditorStep = 'stay' | 'next' | 'previous';
