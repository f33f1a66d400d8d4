// Describes the columns of the rows from the select tree and the schema: type, order field and source column.
import type { DescribedColumn, DescribedRelation, DescribedType } from '../../../src/contract/schema-document.ts';
import type { ColumnItem, EmbedItem, Field, SelectItem } from '../../../src/request/query/query-params.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { nameOfColumn, nameOfEmbed } from '../url-state/levels.ts';
import type { QueryModel } from '../url-state/query-model.ts';

export interface Level {
  readonly relation: DescribedRelation | undefined;
  /** Keyed by the name in the response. */
  readonly columns: ReadonlyMap<string, ColumnInfo>;
}

export interface ColumnInfo {
  readonly type: DescribedType | undefined;
  /** Undefined if rows cannot be ordered by it. */
  readonly field: Field | undefined;
  /** The column whose unchanged value it is. */
  readonly source: DescribedColumn | undefined;
  /** The level of an embed. */
  readonly level: Level | undefined;
}

export const UNKNOWN_LEVEL: Level = { relation: undefined, columns: new Map() };

export function describeResult(model: QueryModel, schema: SchemaIndex | undefined): Level {
  if (schema === undefined) return UNKNOWN_LEVEL;
  const { kind, name } = model.path;
  if (kind === 'relation') return describeLevel(model.params.select, schema.relations.get(name), schema);
  const result = schema.functions.get(name)?.[0]?.result;
  if (result?.relation !== undefined) {
    return describeLevel(model.params.select, schema.relations.get(result.relation), schema);
  }
  const columns = (result?.columns ?? []).map(
    (column) => [column.name, { ...UNKNOWN_COLUMN, type: column.type, field: fieldOf(column.name) }] as const,
  );
  return { relation: undefined, columns: new Map(columns) };
}

function describeLevel(
  select: readonly SelectItem[],
  relation: DescribedRelation | undefined,
  schema: SchemaIndex,
): Level {
  const columns = select.flatMap((item) => describeItem(item, relation, schema));
  return { relation, columns: new Map(columns) };
}

type NamedColumn = readonly [name: string, info: ColumnInfo];

const UNKNOWN_COLUMN: ColumnInfo = { type: undefined, field: undefined, source: undefined, level: undefined };

function describeItem(
  item: SelectItem,
  relation: DescribedRelation | undefined,
  schema: SchemaIndex,
): readonly NamedColumn[] {
  switch (item.kind) {
    case 'all':
      return (relation?.columns ?? []).map((column) => [column.name, describeColumn(column)]);
    case 'countRows':
      return [[item.alias ?? 'count', UNKNOWN_COLUMN]];
    case 'column':
      return [[nameOfColumn(item), describeColumnItem(item, relation)]];
    case 'embed':
    case 'spread': {
      const level = describeLevel(item.select, targetOf(item, relation, schema), schema);
      if (item.kind === 'embed') return [[nameOfEmbed(item), { ...UNKNOWN_COLUMN, level }]];
      return [...level.columns].map(([name, info]) => [name, { ...info, field: undefined, source: undefined }]);
    }
  }
}

function describeColumn(column: DescribedColumn): ColumnInfo {
  return { type: column.type, field: fieldOf(column.name), source: column, level: undefined };
}

function describeColumnItem(
  { field, cast, aggregate }: ColumnItem,
  relation: DescribedRelation | undefined,
): ColumnInfo {
  if (aggregate !== undefined) return UNKNOWN_COLUMN;
  const column = relation?.columns.find((one) => one.name === field.column);
  if (field.path.length > 0 || cast !== undefined || column === undefined) return { ...UNKNOWN_COLUMN, field };
  return describeColumn(column);
}

function fieldOf(column: string): Field {
  return { column, path: [] };
}

/** Returns undefined if it is in another schema. */
function targetOf(
  { target, hint }: EmbedItem,
  relation: DescribedRelation | undefined,
  schema: SchemaIndex,
): DescribedRelation | undefined {
  const found = relation?.relationships.find((one) => {
    const [name] = one.address.split('!');
    const isNamed = name === target || one.target === target || one.constraint === target;
    return isNamed && (hint === undefined || one.address === `${target}!${hint}` || one.constraint === hint);
  });
  if (found !== undefined) return found.schema === undefined ? schema.relations.get(found.target) : undefined;
  return schema.relations.get(target);
}
