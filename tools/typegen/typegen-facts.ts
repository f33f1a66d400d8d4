// Decodes the rows of `typegenStatements` into the facts that are not in the schema cache.
import {
  type CatalogRow,
  flagAt,
  numberAt,
  numbersAt,
  optionalTextAt,
  textAt,
} from '../../src/catalog/catalog-rows.ts';
import { getOrInsert } from '../../src/catalog/maps.ts';
import type { BySchema } from '../../src/catalog/schema-cache.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import { BaseColumns } from './base-columns.ts';
import { decodeTypes, type PgType } from './pg-type.ts';
import type { TypegenRows } from './typegen-statements.ts';

export interface ColumnFacts {
  /** Without modifiers, domains kept. A key of `types` unless it is a plain text or number. */
  readonly type: string;
  /** Whether the column is known never to be null. */
  readonly isNotNull: boolean;
  /** Whether PostgreSQL accepts a value for the column. */
  readonly isWritable: boolean;
}

/** A function whose only parameter is a row of a relation in its schema. */
export interface RowFunction {
  readonly name: QualifiedName;
  readonly relation: string;
  /** Name of the parameter; undefined if unnamed. */
  readonly parameter: string | undefined;
  readonly resultType: string;
  readonly isSet: boolean;
  readonly comment: string | undefined;
}

export interface TypegenFacts {
  readonly types: ReadonlyMap<string, PgType>;
  /** By schema, relation and column. */
  readonly columns: BySchema<ReadonlyMap<string, ColumnFacts>>;
  readonly rowFunctions: readonly RowFunction[];
}

export function decodeTypegenFacts(rows: TypegenRows): TypegenFacts {
  return {
    types: decodeTypes(rows.types),
    columns: decodeColumns(rows),
    rowFunctions: rows.rowFunctions.map(decodeRowFunction),
  };
}

function decodeColumns(rows: TypegenRows): BySchema<ReadonlyMap<string, ColumnFacts>> {
  const base = new BaseColumns(
    new Map(rows.baseTables.map((row) => [textAt(row, 0), decodeBaseTable(row)])),
    new Map(rows.viewQueries.map((row) => [textAt(row, 0), textAt(row, 1)])),
  );
  const schemas = new Map<string, Map<string, Map<string, ColumnFacts>>>();
  for (const row of rows.columnTypes) {
    const relations = getOrInsert(schemas, textAt(row, 0), () => new Map<string, Map<string, ColumnFacts>>());
    const columns = getOrInsert(relations, textAt(row, 1), () => new Map<string, ColumnFacts>());
    const { isNotNull, isGenerated } = base.find({ relation: textAt(row, 4), attribute: numberAt(row, 5) });
    columns.set(textAt(row, 2), { type: textAt(row, 3), isNotNull, isWritable: flagAt(row, 6) && !isGenerated });
  }
  return schemas;
}

function decodeBaseTable(row: CatalogRow): { notNull: ReadonlySet<number>; generated: ReadonlySet<number> } {
  return { notNull: new Set(numbersAt(row, 1)), generated: new Set(numbersAt(row, 2)) };
}

function decodeRowFunction(row: CatalogRow): RowFunction {
  return {
    name: { schema: textAt(row, 0), name: textAt(row, 1) },
    relation: textAt(row, 2),
    // An unnamed parameter beside named ones has the name ''.
    parameter: optionalTextAt(row, 3) || undefined,
    resultType: textAt(row, 4),
    isSet: flagAt(row, 5),
    comment: optionalTextAt(row, 6),
  };
}
