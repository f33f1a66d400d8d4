// Legend of the marks at line ends, with a note on what is not drawn.
import type { VNode } from 'preact';
import { drawEnd, type EndKind } from './draw-reference.ts';
import { SvgContent } from './svg-content.tsx';

const ENDS: readonly (readonly [EndKind, string])[] = [
  ['many', 'any number'],
  ['maybeOne', 'zero or one'],
  ['one', 'exactly one'],
];

export interface MapLegendProps {
  /** Number of related relations in other schemas. */
  readonly elsewhere: number;
}

export function MapLegend({ elsewhere }: MapLegendProps): VNode {
  return (
    <ul class="map-legend" aria-label="Legend">
      {ENDS.map(([kind, label]) => (
        <li key={kind}>
          <svg width="34" height="14" aria-hidden="true">
            <path class="map-line" d="M0 7H34" />
            <SvgContent nodes={drawEnd(kind, { x: 34, y: 7, side: -1 })} />
          </svg>
          {label}
        </li>
      ))}
      {elsewhere === 0 ? null : (
        <li>
          {elsewhere} {elsewhere === 1 ? 'table' : 'tables'} of other schemas: see the list
        </li>
      )}
    </ul>
  );
}
