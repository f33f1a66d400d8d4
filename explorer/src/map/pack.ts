// Rectangles → places in rows below each other, as wide together as a screen is for its height.
import type { Rectangle } from './geometry.ts';

export type Size = Pick<Rectangle, 'width' | 'height'>;

/** Width for each unit of height. */
const SHAPE = 1.6;

/** In their order. @param least width that rows may have */
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
