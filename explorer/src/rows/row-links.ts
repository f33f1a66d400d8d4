// Finds the page that a value links to: the row referenced by a foreign key, or the row itself by its primary key.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Filter } from '../../../src/request/query/query-params.ts';
import { renderPlace, type RequestPlace } from '../url-state/place.ts';
import { createModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import type { Level } from './describe-level.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

export interface RowOfLevel {
  readonly row: JsonObject;
  readonly level: Level;
  /** The requested schema. */
  readonly schema: string | undefined;
}

export interface RowLink {
  readonly href: string;
  readonly kind: 'foreignKey' | 'key';
}

/** Returns undefined without a link, or if the row lacks part of the key. @param name column name in the response */
export function linkOf(name: string, { row, level, schema }: RowOfLevel): RowLink | undefined {
  const { relation } = level;
  const column = level.columns.get(name)?.source?.name;
  if (relation === undefined || column === undefined) return undefined;
  const values = keyValues(row, level);
  const foreign = relation.relationships.find(
    ({ kind, isToOne, columns }) =>
      isToOne && kind !== 'computed' && columns.some(([own]) => own === column) && isForeignKey(relation, columns),
  );
  if (foreign !== undefined) {
    const place = placeOfRow(
      foreign.target,
      foreign.columns.map(([own, other]) => [other, values.get(own)]),
    );
    return place && { kind: 'foreignKey', href: renderRecord({ ...place, schema: foreign.schema ?? schema }) };
  }
  if (!relation.key.includes(column)) return undefined;
  const place = placeOfKey({ row, level, schema });
  return place && { kind: 'key', href: renderRecord(place) };
}

/** Returns the address of the page about a row. */
export function renderRecord({ schema, url }: Pick<RequestPlace, 'schema' | 'url'>): string {
  return renderPlace({ kind: 'record', schema, url });
}

/** The values of the primary key as text, in the order of its columns. */
export type RowKey = readonly string[];

/** Returns undefined if the row lacks part of the key. */
export function keyOf({ row, level }: Pick<RowOfLevel, 'row' | 'level'>): RowKey | undefined {
  const { relation } = level;
  if (relation === undefined || relation.key.length === 0) return undefined;
  const values = keyValues(row, level);
  const key = relation.key.flatMap((column) => values.get(column) ?? []);
  return key.length === relation.key.length ? key : undefined;
}

/** Returns the place of a single row; undefined if its key is unknown. */
export function placeOfKey({ row, level, schema }: RowOfLevel): RequestPlace | undefined {
  const { relation } = level;
  const key = keyOf({ row, level });
  if (relation === undefined || key === undefined) return undefined;
  const place = placeOfRow(
    relation.name,
    relation.key.map((column, index) => [column, key[index]]),
  );
  return place && { ...place, schema };
}

/** Returns false for the referenced side of a one-to-one relationship, which has no foreign key. */
function isForeignKey(relation: DescribedRelation, columns: readonly (readonly [string, string])[]): boolean {
  const own = columns.map(([column]) => column);
  return !(own.length === relation.key.length && own.every((column) => relation.key.includes(column)));
}

/** Returns the row's values of its relation's columns, as text. */
function keyValues(row: JsonObject, level: Level): ReadonlyMap<string, string> {
  return new Map(
    row.entries.flatMap(([name, value]) => {
      const column = level.columns.get(name)?.source?.name;
      const text = textOf(value);
      return column === undefined || text === undefined ? [] : [[column, text] as const];
    }),
  );
}

/** Returns undefined for a value that cannot be part of a key. */
export function textOf(value: JsonValue): string | undefined {
  if (value.kind === 'number') return value.text;
  return value.kind === 'string' || value.kind === 'boolean' ? String(value.value) : undefined;
}

/** Returns undefined if a value is unknown. */
export function placeOfRow(
  relation: string,
  values: readonly (readonly [column: string, value: string | undefined])[],
): RequestPlace | undefined {
  const filters = values.flatMap(([column, value]) =>
    value === undefined ? [] : [{ path: [], value: equals(column, value) }],
  );
  if (filters.length < values.length || values.length === 0) return undefined;
  const model = createModel({ kind: 'relation', name: relation });
  const url = renderUrl({ ...model, params: { ...model.params, filters } });
  return { kind: 'request', schema: undefined, url, view: 'table' };
}

function equals(column: string, value: string): Filter {
  const operation = { kind: 'compare', operator: 'eq', quantifier: undefined, value } as const;
  return { kind: 'filter', field: { column, path: [] }, negated: false, operation };
}
