// The statements that read what the schema cache does not know: types by their identity, what PostgreSQL takes and forbids
// per column, the queries of views, and functions over rows. To be run in one READ ONLY transaction with an empty search
// path, so that every name comes out qualified. Their rows go to `decodeTypegenFacts`.
import type { CatalogRow } from '../catalog/catalog-rows.ts';
import type { Statement } from '../contract/transaction.ts';
import { renderArrayLiteral } from '../sql/text/array-literal.ts';
import { BASE_TABLES_SQL } from './introspect/base-tables.sql.ts';
import { COLUMN_TYPES_SQL } from './introspect/column-types.sql.ts';
import { ROW_FUNCTIONS_SQL } from './introspect/row-functions.sql.ts';
import { TYPES_SQL } from './introspect/types.sql.ts';
import { VIEW_QUERIES_SQL } from './introspect/view-queries.sql.ts';

/** Rows by statement; the columns stand in the docstring of each statement in `introspect/`. */
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
