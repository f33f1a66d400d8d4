// Renders the rows of a function that returns a row type. PostgreSQL neither invalidates a prepared statement when that
// type changes, nor checks the types of the columns when it puts the body of the function into the statement: the
// columns of such a statement would be read with former types (`docs/decisions/function-rows.md`).
import type { RowType } from '../../catalog/schema-cache.ts';

export interface FunctionRows {
  readonly call: string;
  readonly rowType: RowType;
  /** FROM item that supplies the arguments; `''`: none. */
  readonly fromItem?: string;
  /** Quoted names of columns and computed columns. */
  readonly columns?: readonly string[];
  /**
   * Whether PostgreSQL must not put the body of the function into the statement, where Citus would not see the tables that
   * it reads, and PostgreSQL would find them empty.
   */
  readonly isFenced?: boolean;
}

/** Would have to be the name of a column to be misunderstood. */
const ROW = '"(row)"';

/**
 * Returns a subquery. Columns are fields of the row, whose types PostgreSQL checks when it plans or, at the latest, when
 * it reads them. The constant makes the statement depend on the row type, so it is prepared again when that has changed.
 */
export function renderFunctionRows({ columns = ['*'], ...rows }: FunctionRows): string {
  const fields = columns.map((name) => `(${ROW}."row").${name}`).join(', ');
  return `(SELECT ${fields} FROM ${renderWholeRows(rows)} AS ${ROW})`;
}

/** The same rows as one column `row`, from which PostgreSQL can also read computed columns. */
export function renderWholeRows({ call, rowType, fromItem = '', isFenced }: Omit<FunctionRows, 'columns'>): string {
  if (isFenced)
    return `(SELECT ${call} AS "row"${fromItem === '' ? '' : ` FROM ${fromItem}`} WHERE '${rowType.oid}'::regclass IS NOT NULL)`;
  const from = fromItem === '' ? `${call} AS ${ROW}` : `${fromItem}, LATERAL ${call} AS ${ROW}`;
  return `(SELECT ${ROW} AS "row" FROM ${from} WHERE '${rowType.oid}'::regclass IS NOT NULL)`;
}
