// The rows of the introspection statements as received: text or null, read by position.

/** An array satisfies it; so does a row that decodes its values only on access, which a large catalog needs. */
export interface CatalogRow {
  at(index: number): string | null | undefined;
}

/** Rows by statement; the docstring of each statement in `introspect/` lists its columns. */
export interface CatalogRows {
  readonly schemas: readonly CatalogRow[];
  readonly relations: readonly CatalogRow[];
  readonly columns: readonly CatalogRow[];
  readonly keys: readonly CatalogRow[];
  readonly uniqueIndexes: readonly CatalogRow[];
  readonly constraintComments: readonly CatalogRow[];
  readonly foreignKeys: readonly CatalogRow[];
  readonly views: readonly CatalogRow[];
  readonly routines: readonly CatalogRow[];
  readonly rowTypes: readonly CatalogRow[];
  readonly representations: readonly CatalogRow[];
  readonly mediaHandlers: readonly CatalogRow[];
  readonly database: readonly CatalogRow[];
  /** Empty without Citus. */
  readonly shards: readonly CatalogRow[];
}

export function optionalTextAt(row: CatalogRow, index: number): string | undefined {
  return row.at(index) ?? undefined;
}

/** Throws if the value is null, which no statement returns at such a position. */
export function textAt(row: CatalogRow, index: number): string {
  const value = row.at(index);
  if (value === null || value === undefined) throw new Error(`catalog row without a value at ${index}`);
  return value;
}

export function flagAt(row: CatalogRow, index: number): boolean {
  return row.at(index) === 'true';
}

export function numberAt(row: CatalogRow, index: number): number {
  return Number(textAt(row, index));
}

/** Reads a JSON array of numbers. */
export function numbersAt(row: CatalogRow, index: number): readonly number[] {
  return parseArray(textAt(row, index)).map(Number);
}

/** Reads a JSON array of strings; empty for null. */
export function textsAt(row: CatalogRow, index: number): readonly string[] {
  const value = optionalTextAt(row, index);
  return value === undefined ? [] : parseArray(value).map(String);
}

function parseArray(json: string): readonly unknown[] {
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value)) throw new Error(`catalog row without an array: ${json}`);
  return value;
}
