// Arranges rectangles in rows, with about the aspect ratio of a screen.
import type { Rectangle } from './geometry.ts';

export type Size = Pick<Rectangle, 'width' | 'height'>;

/** Ratio of width to height. */
const SHAPE = 1.6;

/** Keeps the order. @param least minimum width of the rows */
export function packRows<T extends Size>(
  sizes: readonly T[],
  gap: number,
  least = 0,
): readonly (readonly [T, Rectangle])[] {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widest = Math.max(least, Math.sqrt(area * SHAPE), ...sizes.map(({ width }) => width));
  let [x, y, rowHeight] = [0, 0, 0];
  return sizes.map((size) => {
    if (x > 0 && x + size.width > widest) {
      y += rowHeight + gap;
      [x, rowHeight] = [0, 0];
    }
    const place = { x, y, width: size.width, height: size.height };
    x += size.width + gap;
    rowHeight = Math.max(rowHeight, size.height);
    return [size, place] as const;
  });
}
