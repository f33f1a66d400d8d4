// The statements that read PostgreSQL's catalogs. They must run in one READ ONLY transaction with an empty search path,
// so that PostgreSQL prints every name qualified (`operating.md` §5.1). Their rows go to `buildSchemaCache`.
import type { Statement } from '../contract/transaction.ts';
import { type CatalogRows, flagAt } from './catalog-rows.ts';
import { COLUMNS_SQL } from './introspect/columns.sql.ts';
import { CONSTRAINT_COMMENTS_SQL } from './introspect/constraint-comments.sql.ts';
import { DATABASE_SQL, REPRESENTATIONS_SQL, SCHEMAS_SQL } from './introspect/database.sql.ts';
import { FOREIGN_KEYS_SQL, KEYS_SQL, UNIQUE_INDEXES_SQL } from './introspect/keys.sql.ts';
import { MEDIA_HANDLERS_SQL } from './introspect/media-handlers.sql.ts';
import { RELATIONS_SQL, VIEWS_SQL } from './introspect/relations.sql.ts';
import { ROUTINES_SQL } from './introspect/routines.sql.ts';
import { ROW_TYPES_SQL } from './introspect/row-types.sql.ts';
import { SHARDS_SQL } from './introspect/shards.sql.ts';

export interface CatalogStatement extends Statement {
  readonly name: keyof CatalogRows;
  /** Whether the database has what the statement reads, by the rows of those before it. Absent: it has. */
  readonly isNeeded?: (rows: Partial<CatalogRows>) => boolean;
}

export interface CatalogScope {
  readonly schemas: readonly string[];
  readonly extraSearchPath: readonly string[];
}

/** The first statement fails with SQLSTATE 3F000 if one of the schemas does not exist. */
export function catalogStatements(scope: CatalogScope): readonly CatalogStatement[] {
  const exposed = renderTextArray(scope.schemas);
  const extra = renderTextArray(scope.extraSearchPath);
  return [
    { name: 'schemas', text: SCHEMAS_SQL, parameters: [exposed, extra] },
    { name: 'relations', text: RELATIONS_SQL, parameters: [exposed] },
    { name: 'columns', text: COLUMNS_SQL, parameters: [exposed] },
    { name: 'keys', text: KEYS_SQL, parameters: [] },
    { name: 'uniqueIndexes', text: UNIQUE_INDEXES_SQL, parameters: [exposed] },
    { name: 'constraintComments', text: CONSTRAINT_COMMENTS_SQL, parameters: [exposed] },
    { name: 'foreignKeys', text: FOREIGN_KEYS_SQL, parameters: [] },
    { name: 'views', text: VIEWS_SQL, parameters: [exposed, extra] },
    { name: 'routines', text: ROUTINES_SQL, parameters: [exposed] },
    { name: 'rowTypes', text: ROW_TYPES_SQL, parameters: [exposed, extra] },
    { name: 'representations', text: REPRESENTATIONS_SQL, parameters: [] },
    { name: 'mediaHandlers', text: MEDIA_HANDLERS_SQL, parameters: [exposed] },
    { name: 'database', text: DATABASE_SQL, parameters: [] },
    {
      name: 'shards',
      text: SHARDS_SQL,
      parameters: [],
      isNeeded: ({ database }) => database?.some((row) => flagAt(row, 6)) === true,
    },
  ];
}

function renderTextArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
