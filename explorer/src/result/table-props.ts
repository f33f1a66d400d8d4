// What the table needs of the one who shows it.
import type { ComponentChildren } from 'preact';
import type { OrderTerm } from '../../../src/request/query/query-params.ts';
import type { RowOfLevel } from './row-links.ts';
import type { TableColumn, TableModel } from './table-model.ts';

export interface ResultTableProps {
  readonly model: TableModel;
  /** The schema asked for. */
  readonly schema: string | undefined;
  readonly label: string;
  readonly orderOf: (column: TableColumn) => OrderTerm | undefined;
  /** @param keepsOthers by a further column, not by this one alone */
  readonly onOrder: ((column: TableColumn, keepsOthers: boolean) => void) | undefined;
  /** What stands before each row. */
  readonly rowMenu: ((row: RowOfLevel) => ComponentChildren) | undefined;
}
