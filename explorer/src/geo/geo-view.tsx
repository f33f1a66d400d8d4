// Draws the GeoJSON geometries of the rows, without tiles: a page must not tell other servers what it shows.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Level } from '../rows/describe-level.ts';
import type { JsonElements } from '../rows/json-elements.ts';
import { SelectField } from '../ui/field.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { GeoCanvas } from './geo-canvas.tsx';
import { findGeometryColumns } from './geojson.ts';
import { listMapRows, MAX_ROWS } from './map-rows.ts';
import { boundsOf, chooseProjection } from './projection.ts';
import './geo.css';

export interface GeoViewProps {
  /** The JSON text of the rows. */
  readonly text: string;
  readonly elements: JsonElements;
  readonly level: Level;
  readonly schema: string | undefined;
}

export function GeoView({ text, elements, level, schema }: GeoViewProps): VNode {
  const columns = useMemo(() => findGeometryColumns(text, elements), [text, elements]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const column = columns.find((name) => name === chosen) ?? columns[0];
  const drawn = useMemo(() => {
    const rows = column === undefined ? [] : listMapRows({ elements, level, schema, column });
    const shapes = rows.flatMap((row) => row.shapes);
    const projection = chooseProjection(shapes);
    return { rows, projection, bounds: boundsOf(shapes, projection) };
  }, [elements, level, schema, column]);
  if (column === undefined || drawn.bounds === undefined) {
    return (
      <EmptyState icon="globe" title="There is nothing to draw.">
        The rows of this page contain no GeoJSON geometry.
      </EmptyState>
    );
  }
  const { rows, projection, bounds } = drawn;
  return (
    <div class="ui-stack geo">
      <div class="ui-row ui-wrap geo-bar">
        {columns.length < 2 ? null : (
          <SelectField
            label="Geometry"
            size="small"
            value={column}
            options={columns.map((name) => ({ value: name, label: name }))}
            onValue={setChosen}
          />
        )}
        <p role="status">{describeRows(rows.length, elements.count, projection.isGeographic)}</p>
      </div>
      <GeoCanvas key={`${column} ${elements.count} ${text.length}`} {...{ rows, projection, bounds }} column={column} />
    </div>
  );
}

function describeRows(drawn: number, all: number, isGeographic: boolean): string {
  const system = isGeographic ? 'Degrees, in Mercator projection.' : 'Not in degrees: drawn as plane coordinates.';
  const skipped = Math.min(all, MAX_ROWS) - drawn;
  return [
    `${drawn.toLocaleString('en')} ${drawn === 1 ? 'row' : 'rows'} drawn${all > MAX_ROWS ? ` of the first ${MAX_ROWS}` : ''}`,
    skipped > 0 ? `${skipped.toLocaleString('en')} without a geometry` : '',
    system,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
