// The rows that the map draws: the shapes of one column with the label and the address of their row.
import { labelColumns } from '../schema/example.ts';
import type { Level } from '../rows/describe-level.ts';
import type { JsonElements } from '../rows/json-elements.ts';
import type { JsonObject } from '../rows/json-value.ts';
import { placeOfKey, renderRecord, textOf } from '../rows/row-links.ts';
import { readGeoJson, type Shape } from './geojson.ts';

export interface MapRow {
  readonly shapes: readonly Shape[];
  readonly label: string;
  /** Address of the page of the row; undefined if its key is unknown. */
  readonly href: string | undefined;
}

export interface MapSource {
  readonly elements: JsonElements;
  readonly level: Level;
  readonly schema: string | undefined;
  /** The column that contains the geometry. */
  readonly column: string;
}

/** More elements would make the page slow. */
export const MAX_ROWS = 5000;

export function listMapRows({ elements, level, schema, column }: MapSource): readonly MapRow[] {
  return Array.from({ length: Math.min(MAX_ROWS, elements.count) }, (_, index) => index).flatMap((index) => {
    const row = elements.at(index);
    const value = row.kind === 'object' ? row.entries.find(([name]) => name === column)?.[1] : undefined;
    const shapes = (value && readGeoJson(value)) ?? [];
    if (row.kind !== 'object' || shapes.length === 0) return [];
    const place = placeOfKey({ row, level, schema });
    return [{ shapes, label: labelOf(row, level, index), href: place && renderRecord(place) }];
  });
}

/** Returns the label of the row, or its first short values. */
function labelOf({ entries }: JsonObject, level: Level, index: number): string {
  const labels = new Set(level.relation && labelColumns(level.relation).map(({ name }) => name));
  const own = entries.filter(([name]) => labels.has(level.columns.get(name)?.source?.name ?? ''));
  const texts = (own.length === 0 ? entries : own).flatMap(([, value]) => textOf(value) ?? []);
  return texts.length === 0 ? `Row ${index + 1}` : texts.slice(0, 3).join(' · ').slice(0, 120);
}
