// Renders shapes as path data.
import type { Position, Shape } from './geojson.ts';
import type { Projection } from './projection.ts';

/** Coordinates are relative to it: numbers far from zero would lose precision when the page draws them. */
export type Origin = Position;

export function renderPath({ kind, parts }: Shape, { project }: Projection, [left, top]: Origin): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => {
      const points = part.map((position) => {
        const [x, y] = project(position);
        return `${round(x - left)} ${round(y - top)}`;
      });
      // A line without length has round ends: a dot that keeps its size at every scale.
      return kind === 'point' ? `M${points[0]}h0` : `M${points.join('L')}${kind === 'polygon' ? 'Z' : ''}`;
    })
    .join('');
}

function round(value: number): number {
  return Number(value.toPrecision(10));
}
