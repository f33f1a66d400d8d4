// The statements that read facts which are not in the schema cache: type identities, column constraints, view queries
// and functions of rows. Run them in one READ ONLY transaction with an empty search path, so that all names are
// qualified, and pass their rows to `decodeTypegenFacts`.
import type { CatalogRow } from '../../src/catalog/catalog-rows.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import { renderArrayLiteral } from '../../src/sql/text/array-literal.ts';
import { BASE_TABLES_SQL } from './introspect/base-tables.sql.ts';
import { COLUMN_TYPES_SQL } from './introspect/column-types.sql.ts';
import { ROW_FUNCTIONS_SQL } from './introspect/row-functions.sql.ts';
import { TYPES_SQL } from './introspect/types.sql.ts';
import { VIEW_QUERIES_SQL } from './introspect/view-queries.sql.ts';

/** Rows by statement. The columns are documented with each statement in `introspect/`. */
export interface TypegenRows {
  readonly types: readonly CatalogRow[];
  readonly columnTypes: readonly CatalogRow[];
  readonly baseTables: readonly CatalogRow[];
  readonly viewQueries: readonly CatalogRow[];
  readonly rowFunctions: readonly CatalogRow[];
}

export interface TypegenStatement extends Statement {
  readonly name: keyof TypegenRows;
}

export function typegenStatements(schemas: readonly string[]): readonly TypegenStatement[] {
  const exposed = renderArrayLiteral(schemas);
  return [
    { name: 'types', text: TYPES_SQL, parameters: [] },
    { name: 'columnTypes', text: COLUMN_TYPES_SQL, parameters: [exposed] },
    { name: 'baseTables', text: BASE_TABLES_SQL, parameters: [] },
    { name: 'viewQueries', text: VIEW_QUERIES_SQL, parameters: [] },
    { name: 'rowFunctions', text: ROW_FUNCTIONS_SQL, parameters: [exposed] },
  ];
}
