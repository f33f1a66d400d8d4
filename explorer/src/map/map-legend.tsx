// What the marks at the ends of lines mean.
import type { VNode } from 'preact';
import { drawEnd, type EndKind } from './draw-reference.ts';
import { SvgContent } from './svg-content.tsx';

const ENDS: readonly (readonly [EndKind, string])[] = [
  ['many', 'any number'],
  ['maybeOne', 'none or one'],
  ['one', 'exactly one'],
];

export function MapLegend(): VNode {
  return (
    <ul class="map-legend" aria-label="Marks at the ends of lines">
      {ENDS.map(([kind, label]) => (
        <li key={kind}>
          <svg width="34" height="14" aria-hidden="true">
            <path class="map-line" d="M0 7H34" />
            <SvgContent nodes={drawEnd(kind, { x: 34, y: 7, side: -1 })} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
