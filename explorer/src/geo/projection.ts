// Projects positions onto a plane whose y axis points down: Mercator for degrees, otherwise the coordinates themselves.
import type { Position, Shape } from './geojson.ts';

export interface Projection {
  readonly isGeographic: boolean;
  readonly project: (position: Position) => Position;
  readonly unproject: (position: Position) => Position;
}

const DEGREE = Math.PI / 180;
/** Mercator extends to infinity at the poles. */
const MAX_LATITUDE = 85;

const MERCATOR: Projection = {
  isGeographic: true,
  project([longitude, latitude]) {
    const cut = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
    return [longitude, -Math.log(Math.tan(Math.PI / 4 + (cut * DEGREE) / 2)) / DEGREE];
  },
  unproject: ([x, y]) => [x, (2 * Math.atan(Math.exp(-y * DEGREE)) - Math.PI / 2) / DEGREE],
};

const PLANE: Projection = {
  isGeographic: false,
  project: ([x, y]) => [x, -y],
  unproject: ([x, y]) => [x, -y],
};

/** RFC 7946 prescribes degrees, but tables with other reference systems are common. */
export function chooseProjection(shapes: readonly Shape[]): Projection {
  const isInDegrees = ([x, y]: Position): boolean => Math.abs(x) <= 360 && Math.abs(y) <= 90;
  return shapes.every(({ parts }) => parts.every((part) => part.every(isInDegrees))) ? MERCATOR : PLANE;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns undefined without positions. */
export function boundsOf(shapes: readonly Shape[], { project }: Projection): Bounds | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { parts } of shapes) {
    for (const part of parts) {
      for (const position of part) {
        const [x, y] = project(position);
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      }
    }
  }
  return left > right ? undefined : { left, top, width: right - left, height: bottom - top };
}
