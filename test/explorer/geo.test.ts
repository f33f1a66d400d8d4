// The map of geometries: GeoJSON, projection, view and graticule.
import { describe, expect, test } from 'vitest';
import { findGeometryColumns, readGeoJson } from '../../explorer/src/geo/geojson.ts';
import { drawGraticule } from '../../explorer/src/geo/graticule.ts';
import { listLabeledRows, placeLabels } from '../../explorer/src/geo/row-labels.ts';
import { boundsOf, chooseProjection } from '../../explorer/src/geo/projection.ts';
import { renderPath } from '../../explorer/src/geo/shape-path.ts';
import { fitView, moveView, toPlane, toScreen, zoomView } from '../../explorer/src/geo/view.ts';
import { findElements } from '../../explorer/src/rows/json-elements.ts';
import { parseJson } from '../../explorer/src/rows/json-value.ts';

const read = (value: unknown): ReturnType<typeof readGeoJson> =>
  readGeoJson(parseJson(JSON.stringify(value)) ?? { kind: 'null' });

describe('GeoJSON', () => {
  test('is read from every type of geometry, feature and collection', () => {
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const point = { type: 'Point', coordinates: [1, 2, 3] };
    const geometries = [
      point,
      { type: 'MultiPoint', coordinates: [[1, 2]] },
      { type: 'LineString', coordinates: ring },
      { type: 'MultiLineString', coordinates: [ring, ring] },
      { type: 'Polygon', coordinates: [ring] },
      { type: 'MultiPolygon', coordinates: [[ring], [ring]] },
    ];
    expect(geometries.map((one) => read(one)?.map(({ kind, parts }) => `${kind} ${parts.length}`))).toEqual([
      ['point 1'],
      ['point 1'],
      ['line 1'],
      ['line 2'],
      ['polygon 1'],
      ['polygon 1', 'polygon 1'],
    ]);
    expect(read({ type: 'GeometryCollection', geometries })).toHaveLength(7);
    expect(read({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry: point }] })).toEqual([
      { kind: 'point', parts: [[[1, 2]]] },
    ]);
  });

  test('is not seen in other JSON, and broken positions are skipped', () => {
    for (const other of [null, 1, {}, { type: 'Point' }, { type: 'Circle', coordinates: [1, 2] }, [1, 2]])
      expect(read(other)).toBe(undefined);
    expect(read({ type: 'Point', coordinates: [] })).toEqual([]);
    expect(read({ type: 'LineString', coordinates: [[1, 2], ['x', 2], [3]] })).toEqual([
      { kind: 'line', parts: [[[1, 2]]] },
    ]);
    expect(read({ type: 'Point', coordinates: [1e308, 0] })).toEqual([]);
    const deep = Array.from({ length: 20 }).reduce<object>(
      (inner) => ({ type: 'GeometryCollection', geometries: [inner] }),
      { type: 'Point', coordinates: [1, 2] },
    );
    expect(read(deep)).toEqual([]);
  });

  test('is found by column, also where the first rows have none', () => {
    const rows = [
      { id: 1, place: null },
      { id: 2, place: { type: 'Point', coordinates: [1, 2] }, details: { coordinates: 1 } },
    ];
    const text = JSON.stringify(rows);
    const elements = findElements(text);
    expect(elements && findGeometryColumns(text, elements)).toEqual(['place']);
  });
});

describe('the map', () => {
  const size = { width: 800, height: 600 };

  test('projects degrees with Mercator, and leaves other coordinates as they are', () => {
    const degrees = chooseProjection([
      {
        kind: 'line',
        parts: [
          [
            [-180, -90],
            [180, 90],
          ],
        ],
      },
    ]);
    expect(degrees.isGeographic).toBe(true);
    expect(degrees.project([10, 60])[1]).toBeCloseTo(-75.456, 3);
    expect(degrees.unproject(degrees.project([10, 60]))[1]).toBeCloseTo(60, 9);
    expect(Number.isFinite(degrees.project([0, 90])[1])).toBe(true);
    const plane = chooseProjection([{ kind: 'point', parts: [[[500_000, 5_800_000]]] }]);
    expect(plane.project([500_000, 5_800_000])).toEqual([500_000, -5_800_000]);
  });

  test('shows everything at first, and keeps the point under the pointer when it zooms', () => {
    const shapes = [{ kind: 'point', parts: [[[3, 4]]] }] as const;
    const plane = chooseProjection(shapes);
    const bounds = boundsOf(shapes, plane) ?? { left: 0, top: 0, width: 0, height: 0 };
    const view = fitView(bounds, size);
    expect(toScreen(view, plane.project([3, 4])).map(Math.round)).toEqual([400, 300]);
    const pivot = { x: 100, y: 50 };
    const before = toPlane(view, [100, 50]);
    const zoomed = zoomView(view, { factor: 2, pivot, whole: view.scale });
    expect(toPlane(zoomed, [100, 50])[0]).toBeCloseTo(before[0], 9);
    expect(zoomView(view, { factor: 1e9, pivot, whole: view.scale }).scale).toBe(view.scale * 20_000);
    expect(moveView(view, { x: 5, y: 6 })).toEqual({ ...view, x: view.x + 5, y: view.y + 6 });
    expect(boundsOf([], plane)).toBe(undefined);
  });

  test('has lines at round coordinates, with directions', () => {
    const shapes = [
      {
        kind: 'line',
        parts: [
          [
            [-20, -10],
            [20, 10],
          ],
        ],
      },
    ] as const;
    const projection = chooseProjection(shapes);
    const view = fitView(boundsOf(shapes, projection) ?? { left: 0, top: 0, width: 1, height: 1 }, size);
    const { vertical, horizontal } = drawGraticule(projection, view, size);
    expect(vertical.map(({ label }) => label)).toEqual(['20° W', '10° W', '0°', '10° E', '20° E']);
    expect(horizontal.map(({ label }) => label)).toContain('10° S');
  });

  test('has lines whose labels have the same number of decimals', () => {
    const positions = [
      [13.36, 52.495],
      [13.42, 52.52],
    ] as const;
    const shapes = [{ kind: 'line', parts: [positions] }] as const;
    const projection = chooseProjection(shapes);
    const view = fitView(boundsOf(shapes, projection) ?? { left: 0, top: 0, width: 1, height: 1 }, size);
    const { horizontal, vertical } = drawGraticule(projection, view, size);
    const decimals = [...horizontal, ...vertical].map(({ label }) => /\.(\d+)°/u.exec(label)?.[1]?.length);
    expect(new Set(decimals)).toEqual(new Set([2]));
  });

  test('names rows beside points and in the middle of lines and polygons, where names do not cover each other', () => {
    const shapes = [
      { kind: 'point', parts: [[[0, 0]]] },
      { kind: 'point', parts: [[[1, 1]]] },
      {
        kind: 'line',
        parts: [
          [
            [0, 100],
            [100, 100],
            [200, 100],
          ],
        ],
      },
      {
        kind: 'polygon',
        parts: [
          [
            [0, 200],
            [40, 200],
            [0, 240],
            [0, 200],
          ],
        ],
      },
    ] as const;
    const rows = shapes.map((shape, index) => ({ shapes: [shape], label: `Row ${index}`, href: undefined }));
    const plane = chooseProjection([{ kind: 'point', parts: [[[1000, 0]]] }]);
    const labeled = listLabeledRows(rows, plane);
    const placed = placeLabels(labeled, { scale: 1, x: 50, y: 300 }, { width: 400, height: 400 });
    expect(placed.map(({ text, x, y }) => [text, x, y])).toEqual([
      ['Row 0', 59, 300],
      ['Row 2', 150, 200],
      ['Row 3', 70, 80],
    ]);
    const many = Array.from({ length: 201 }, () => rows[0]!);
    expect(listLabeledRows(many, plane)).toEqual([]);
  });

  test('draws a point as a dot, a line open and a polygon closed, relative to the corner', () => {
    const plane = chooseProjection([{ kind: 'point', parts: [[[1000, 0]]] }]);
    const line = [
      [1000, 10],
      [1001, 11],
    ] as const;
    expect(renderPath({ kind: 'point', parts: [[[1000, 10]]] }, plane, [1000, -10])).toBe('M0 0h0');
    expect(renderPath({ kind: 'line', parts: [line, []] }, plane, [1000, -10])).toBe('M0 0L1 -1');
    expect(renderPath({ kind: 'polygon', parts: [line] }, plane, [1000, -10])).toBe('M0 0L1 -1Z');
  });
});
