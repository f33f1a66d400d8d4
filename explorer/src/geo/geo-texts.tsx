// The lines of the map below its shapes, and the texts above them: coordinates and the names of rows.
import { useMemo } from 'preact/hooks';
import type { VNode } from 'preact';
import { drawGraticule } from './graticule.ts';
import type { MapRow } from './map-rows.ts';
import type { Projection } from './projection.ts';
import { listLabeledRows, placeLabels } from './row-labels.ts';
import type { Size, View } from './view.ts';

interface GeoGridProps {
  readonly projection: Projection;
  readonly view: View;
  readonly size: Size;
}

export function GeoGrid({ projection, view, size }: GeoGridProps): VNode {
  const { vertical, horizontal } = drawGraticule(projection, view, size);
  return (
    <g class="geo-grid" aria-hidden="true">
      {vertical.map(({ at, label }) => (
        <path key={label} d={`M${at} 0V${size.height}`} />
      ))}
      {horizontal.map(({ at, label }) => (
        <path key={label} d={`M0 ${at}H${size.width}`} />
      ))}
    </g>
  );
}

export function GeoTexts({ rows, projection, view, size }: GeoGridProps & { readonly rows: readonly MapRow[] }): VNode {
  const { vertical, horizontal } = drawGraticule(projection, view, size);
  const labeled = useMemo(() => listLabeledRows(rows, projection), [rows, projection]);
  return (
    <g class="geo-texts" aria-hidden="true">
      {vertical.map(({ at, label }) => (
        <text key={label} x={at + 4} y={size.height - 6}>
          {label}
        </text>
      ))}
      {horizontal.map(({ at, label }) => (
        <text key={label} x={4} y={at - 4}>
          {label}
        </text>
      ))}
      {placeLabels(labeled, view, size).map(({ text, x, y, isBeside }, index) => (
        <text key={index} class={`geo-name ${isBeside ? '' : 'geo-name-middle'}`} x={x} y={y + 4}>
          {text}
        </text>
      ))}
    </g>
  );
}
