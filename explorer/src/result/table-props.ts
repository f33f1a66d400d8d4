// Props of the table.
import type { ComponentChildren } from 'preact';
import type { OrderTerm } from '../../../src/request/query/query-params.ts';
import type { RowOfLevel } from './row-links.ts';
import type { TableColumn, TableModel } from './table-model.ts';

export interface ResultTableProps {
  readonly model: TableModel;
  /** The requested schema. */
  readonly schema: string | undefined;
  readonly label: string;
  readonly orderOf: (column: TableColumn) => OrderTerm | undefined;
  /** @param keepsOthers whether to add the column to the existing order */
  readonly onOrder: ((column: TableColumn, keepsOthers: boolean) => void) | undefined;
  /** Menu shown before each row. */
  readonly rowMenu: ((row: RowOfLevel) => ComponentChildren) | undefined;
}
