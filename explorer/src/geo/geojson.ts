// Finds GeoJSON in JSON values, and reduces it to points, lines and polygons (RFC 7946).
import type { JsonElements } from '../rows/json-elements.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';

export type Position = readonly [x: number, y: number];

export interface Shape {
  readonly kind: 'point' | 'line' | 'polygon';
  /** A point has one part with one position. The parts of a polygon are its outer ring and its holes. */
  readonly parts: readonly (readonly Position[])[];
}

/** Limits the nesting of collections. */
const MAX_DEPTH = 8;

/** Returns undefined if the value is not GeoJSON; an empty geometry has no shapes. */
export function readGeoJson(value: JsonValue, depth = 0): readonly Shape[] | undefined {
  if (value.kind !== 'object' || depth > MAX_DEPTH) return undefined;
  const type = memberOf(value, 'type');
  if (type?.kind !== 'string') return undefined;
  const nested = (name: string): readonly Shape[] | undefined => readAll(memberOf(value, name), depth + 1);
  switch (type.value) {
    case 'Feature':
      return readGeoJson(memberOf(value, 'geometry') ?? NULL, depth + 1);
    case 'FeatureCollection':
      return nested('features');
    case 'GeometryCollection':
      return nested('geometries');
    default:
      return readShapes(type.value, memberOf(value, 'coordinates'));
  }
}

const NULL: JsonValue = { kind: 'null' };

function readAll(list: JsonValue | undefined, depth: number): readonly Shape[] | undefined {
  if (list?.kind !== 'array') return undefined;
  return list.items.flatMap((item) => readGeoJson(item, depth) ?? []);
}

function readShapes(type: string, value: JsonValue | undefined): readonly Shape[] | undefined {
  if (value === undefined) return undefined;
  switch (type) {
    case 'Point': {
      const position = readPosition(value);
      return position === undefined ? [] : [{ kind: 'point', parts: [[position]] }];
    }
    case 'MultiPoint':
      return readLine(value).map((position) => ({ kind: 'point', parts: [[position]] }));
    case 'LineString':
      return [{ kind: 'line', parts: [readLine(value)] }];
    case 'MultiLineString':
      return [{ kind: 'line', parts: itemsOf(value).map(readLine) }];
    case 'Polygon':
      return [{ kind: 'polygon', parts: itemsOf(value).map(readLine) }];
    case 'MultiPolygon':
      return itemsOf(value).map((polygon) => ({ kind: 'polygon', parts: itemsOf(polygon).map(readLine) }));
    default:
      return undefined;
  }
}

function readLine(value: JsonValue): readonly Position[] {
  return itemsOf(value).flatMap((item) => {
    const position = readPosition(item);
    return position === undefined ? [] : [position];
  });
}

/** Longer distances cannot be drawn: one such position would make the whole map unreadable. */
const MAX_COORDINATE = 1e12;

function readPosition(value: JsonValue): Position | undefined {
  const [x, y] = itemsOf(value).map((item) => (item.kind === 'number' ? Number(item.text) : Number.NaN));
  return x !== undefined && y !== undefined && isDrawable(x) && isDrawable(y) ? [x, y] : undefined;
}

function isDrawable(coordinate: number): boolean {
  return Math.abs(coordinate) <= MAX_COORDINATE;
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return value.kind === 'array' ? value.items : [];
}

function memberOf({ entries }: JsonObject, name: string): JsonValue | undefined {
  return entries.find(([key]) => key === name)?.[1];
}

/** Number of leading rows in which geometries are looked for. */
const SAMPLE = 60;

/** Returns the names of the columns with GeoJSON. Cheap for rows without it. */
export function findGeometryColumns(text: string, elements: JsonElements): readonly string[] {
  if (!/"(?:coordinates|geometries|features)"\s*:/u.test(text)) return [];
  const found = new Set<string>();
  for (let index = 0; index < Math.min(SAMPLE, elements.count); index += 1) {
    const row = elements.at(index);
    if (row.kind !== 'object') continue;
    for (const [name, value] of row.entries) if (readGeoJson(value) !== undefined) found.add(name);
  }
  return [...found];
}
